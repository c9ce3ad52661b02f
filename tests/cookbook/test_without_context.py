"""The examples for frameworks that pass no context run as they are, and ask again with our message.

Each talks to a scripted endpoint that speaks OpenAI's protocol.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.command_line import environment
from tests.cookbook.running import COOKBOOK
from tests.scripted_openai import Say, ScriptedOpenAI

TRUE = "The Eiffel Tower was finished in March 1889"
FALSE = "The Eiffel Tower was opened in March 1889"
RIGHT = f'WRONG: "opened" should be "finished". RIGHT: "{TRUE}"'


def finding(quote: str) -> Say:
    return Say({"findings": [{"statement": "It was finished in 1889.", "quote": quote}]})


def answer(quote: str) -> Say:
    return Say({"answer": "In 1889.", "quote": quote})


def dspy_fields(quote: str) -> Say:
    fields = {"answer": "In 1889.", "quote": quote}
    return Say("".join(f"[[ ## {name} ## ]]\n{text}\n\n" for name, text in fields.items()))


#: Command line, what the model says, and the package that is needed.
LIGHT = [
    (["openai_parse.py"], finding, "openai"),
    (["openai_parse.py", "--api", "responses"], finding, "openai"),
    (["langchain_parsers.py"], answer, "langchain_openai"),
    (["langchain_parsers.py", "--way", "retry"], answer, "langchain_classic"),
]
HEAVY = [
    (["litellm_answers.py"], answer, "litellm"),
    (["llamaindex_answers.py"], answer, "llama_index.llms.openai_like"),
    (["dspy_feedback.py"], dspy_fields, "dspy"),
    (["haystack_loop.py"], answer, "haystack"),
]
EXAMPLES = [pytest.param(*case, id=" ".join(case[0])) for case in LIGHT] + [
    pytest.param(*case, id=case[0][0], marks=pytest.mark.frameworks) for case in HEAVY
]
Speaker = Callable[[str], Say]


def is_installed(package: str) -> bool:
    """Return whether a package is there; it is not imported, which takes seconds."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # neither is the package around it
        return False


def run(command: list[str], server: ScriptedOpenAI) -> tuple[int, str]:
    """Run an example; return its exit code and what it printed."""
    program, *arguments = command
    done = subprocess.run(
        [sys.executable, COOKBOOK / program, *arguments, "--base-url", server.base_url],
        env=environment(
            {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HAYSTACK_TELEMETRY_ENABLED": "0"}
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def skip_without(package: str) -> None:
    """Skip a test before its server has a script."""
    if not is_installed(package):
        pytest.skip(f"needs {package}")


@pytest.mark.usefixtures("skip_without")
@pytest.mark.parametrize(("command", "say", "package"), EXAMPLES)
def test_a_false_quote_is_sent_back_with_our_message(
    command: list[str], say: Speaker, package: str, server: ScriptedOpenAI
) -> None:
    server.script(say(FALSE), say(TRUE))
    code, printed = run(command, server)
    assert code == 0
    assert f"quote      {TRUE}" in printed
    assert RIGHT in server.sent_back()


@pytest.mark.usefixtures("skip_without")
@pytest.mark.parametrize(("command", "say", "package"), EXAMPLES)
def test_an_example_without_a_real_quote_says_so(
    command: list[str], say: Speaker, package: str, server: ScriptedOpenAI
) -> None:
    server.script(*[say(FALSE)] * 3)
    code, printed = run(command, server)
    assert code == 1
    assert "no answer" in printed or "score      0.00" in printed


def test_a_parser_that_does_not_retry_shows_the_message(server: ScriptedOpenAI) -> None:
    server.script(answer(FALSE))
    command = ["langchain_parsers.py", "--way", "parser"]
    code, printed = run(command, server)
    assert code == 1
    assert RIGHT in printed
