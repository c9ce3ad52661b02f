"""The examples for agents run as they are; each talks to a scripted endpoint on this machine."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.command_line import environment
from tests.cookbook.running import COOKBOOK
from tests.scripted_openai import Exchange, Reply, Say, ScriptedOpenAI, Text

TRUE = "The Eiffel Tower was finished in March 1889."
FALSE = "The Eiffel Tower was finished in March 1898."
#: What the frameworks would send elsewhere.
NO_TELEMETRY = {
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "LANGSMITH_TRACING": "false",
    "OTEL_SDK_DISABLED": "true",
}


@dataclass(frozen=True)
class Gemini:
    """A response of Gemini's API: a call of the tool, or a text."""

    text: str = ""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        call = {"functionCall": {"name": "search", "args": {"query": "tower"}}}
        content = {"role": "model", "parts": [{"text": self.text} if self.text else call]}
        exchange.send_json(200, {"candidates": [{"content": content, "finishReason": "STOP"}]})


CALL = Say({"query": "tower"})
Agent = tuple[str, Reply, Callable[[str], Reply]]
#: The package, what the model says to call the tool, and how it says a text.
FRAMEWORKS: dict[str, Agent] = {
    "agents_openai.py": ("agents", CALL, Text),
    "agents_langchain.py": ("langchain.agents", CALL, Text),
    "agents_crewai.py": ("crewai", CALL, Text),
    "agents_adk.py": ("google.adk", Gemini(), Gemini),
}


@pytest.fixture(params=FRAMEWORKS)
def agent(request: pytest.FixtureRequest) -> Agent:
    package, call, say = FRAMEWORKS[request.param]
    pytest.importorskip(package)
    return request.param, call, say


def run(
    example: str, server: ScriptedOpenAI, judge: str = "bundled"
) -> "subprocess.CompletedProcess[str]":
    address = server.base_url.removesuffix("/v1")
    return subprocess.run(
        [sys.executable, COOKBOOK / example],
        env=environment(
            NO_TELEMETRY
            | {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "-"}
            | {"GOOGLE_GEMINI_BASE_URL": address, "GOOGLE_API_KEY": "-"}
            | {"GROUNDTYPES_JUDGE": judge}
        ),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.agents
def test_an_agent_whose_answer_is_false_is_asked_again_with_the_messages(
    agent: Agent, server: ScriptedOpenAI
) -> None:
    example, call, say = agent
    server.script(call, say(FALSE), say(TRUE))
    done = run(example, server)
    assert done.returncode == 0, done.stderr
    assert f"answer     {TRUE}\n" in done.stdout
    asked_again = str(server.requests[-1])
    assert FALSE in asked_again
    assert "This contradicts the references" in asked_again
    assert "Use a figure that stands there" in asked_again


@pytest.mark.agents
def test_an_answer_that_stays_false_ends_with_an_error(
    agent: Agent, server: ScriptedOpenAI
) -> None:
    example, call, say = agent
    server.script(call, *[say(FALSE)] * 3)
    done = run(example, server)
    assert done.returncode == 1
    assert "answer  " not in done.stdout
    assert done.stdout.count("sent back  This contradicts") in (2, 3)


@pytest.mark.agents
def test_an_outage_of_the_engine_is_an_error_and_asks_no_agent_again(
    agent: Agent, server: ScriptedOpenAI
) -> None:
    example, call, say = agent
    server.script(call, say(FALSE))
    # Nothing listens at this port.
    done = run(example, server, "served:http://127.0.0.1:9/v1")
    assert done.returncode == 1
    assert "sent back" not in done.stdout
    assert "BackendError" in done.stderr
    assert len(server.requests) == 2
