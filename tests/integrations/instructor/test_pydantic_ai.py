"""The same model, unchanged, is an output type of pydantic-ai."""

import asyncio
from typing import Any

import pytest
from openai import AsyncOpenAI
from pydantic import ValidationError
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput, UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from groundtypes import Span
from groundtypes.errors import MissingReferencesError
from tests.integrations.instructor.clients import BAD, CONTEXT, FOUND, GOOD, Answer
from tests.integrations.instructor.test_reask import REPORT, Report
from tests.scripted_openai import Fail, Say, ScriptedOpenAI

OUTPUTS = {"tool": ToolOutput, "native": NativeOutput, "prompted": PromptedOutput}


def run(
    server: ScriptedOpenAI,
    output: Any = Answer,
    *,
    context: Any = CONTEXT,
    retries: int = 1,
) -> Any:
    """Return what the agent makes of the script."""

    async def answer() -> Any:
        async with AsyncOpenAI(base_url=server.base_url, api_key="-", max_retries=0) as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
            agent = Agent(model, output_type=output, validation_context=context, retries=retries)
            return (await agent.run("When was the tower finished?")).output

    return asyncio.run(answer())


@pytest.mark.parametrize("way", OUTPUTS)
def test_a_bad_quote_is_sent_back_with_the_true_words(server: ScriptedOpenAI, way: str) -> None:
    server.script(Say(BAD), Say(GOOD))
    answer = run(server, OUTPUTS[way](Answer))
    assert answer.quote.span == Span("tower", 0, len(FOUND))
    assert "quote_altered" in server.sent_back()
    assert FOUND in server.sent_back()


def test_all_faults_are_in_one_message(server: ScriptedOpenAI) -> None:
    faulty = REPORT | {"day": "yesterday", "parts": [{"kind": "fact", "quote": BAD["quote"]}]}
    server.script(Say(faulty), Say(REPORT))
    assert run(server, Report).parts[1].quote == FOUND
    sent = server.sent_back()
    assert "date_from_datetime_parsing" in sent and "quote_altered" in sent


def test_an_answer_that_stays_faulty_ends_with_the_faults_as_cause(server: ScriptedOpenAI) -> None:
    server.script(Say(BAD), Say(BAD))
    with pytest.raises(UnexpectedModelBehavior) as raised:
        run(server)
    assert isinstance(raised.value.__cause__, ValidationError)


def test_a_mistake_is_raised_as_itself_and_never_sent_back(server: ScriptedOpenAI) -> None:
    server.script(Say(GOOD))
    with pytest.raises(MissingReferencesError):
        run(server, context={})
    assert len(server.requests) == 1


def test_the_references_may_come_from_the_run(server: ScriptedOpenAI) -> None:
    server.script(Say(GOOD))
    assert run(server, context=lambda run: CONTEXT).quote == FOUND


def test_a_server_that_fails_is_no_fault_of_the_answer(server: ScriptedOpenAI) -> None:
    server.script(Fail(500))
    with pytest.raises(Exception, match="500") as raised:
        run(server)
    assert not isinstance(raised.value, ValidationError)
    assert len(server.requests) == 1
