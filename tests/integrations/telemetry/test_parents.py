"""Events stand under the span of the LLM call that they judge, and name its response."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from openai import AsyncOpenAI
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, InstrumentationSettings, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from groundtypes import Grounded, Quote, aaudit, audit, audit_many, averify, verify
from groundtypes.errors import ContextError
from groundtypes.integrations.recordings import record
from groundtypes.integrations.telemetry import for_response, instrument_instructor, uninstrument
from tests.integrations.instructor.clients import (
    BAD,
    CONTEXT,
    FOUND,
    GOOD,
    MESSAGES,
    Answer,
    async_client,
    sync_client,
)
from tests.integrations.telemetry.emitted import RESPONSE, Emitted
from tests.scripted_openai import Say, ScriptedOpenAI

REQUEST: dict[str, Any] = {
    "model": "scripted",
    "response_model": Answer,
    "messages": MESSAGES,
    "context": CONTEXT,
    "max_retries": 2,
}
#: The id of every completion of the scripted server.
ID = "scripted-1"


@pytest.fixture
def openai_spans(emitted: Emitted) -> Iterator[None]:
    """Spans of the calls of OpenAI's client."""
    instrumentor: Any = OpenAIInstrumentor()  # type: ignore[no-untyped-call]
    instrumentor.instrument(
        tracer_provider=emitted.tracers,
        logger_provider=emitted.loggers,
        meter_provider=emitted.meters,
    )
    yield
    instrumentor.uninstrument()


def responses(emitted: Emitted) -> list[Any]:
    return [each.get(RESPONSE) for each in emitted.attributes()]


def ask(server: ScriptedOpenAI, *, asynchronous: bool = False, **more: Any) -> Any:
    """Return the answer of an instrumented client."""

    async def run() -> Any:
        async with async_client(server) as client:
            return await instrument_instructor(client).create(**REQUEST | more)

    if asynchronous:
        return asyncio.run(run())
    with sync_client(server) as client:
        return instrument_instructor(client).create(**REQUEST | more)


# --- instructor -------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.usefixtures("openai_spans")
def test_the_events_of_instructor_stand_under_the_span_of_the_request(
    server: ScriptedOpenAI, emitted: Emitted, asynchronous: bool
) -> None:
    server.script(Say(BAD), Say(GOOD))
    with emitted.tracer.start_as_current_span("request"):
        assert ask(server, asynchronous=asynchronous).quote == FOUND
    assert emitted.parents() == ["chat scripted", "chat scripted"]
    assert len({event.span_id for event in emitted.events}) == 2
    assert responses(emitted) == [ID, ID]


def test_without_spans_of_requests_they_stand_under_the_active_span(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    server.script(Say(GOOD))
    with emitted.tracer.start_as_current_span("request"):
        ask(server)
    assert emitted.parents() == ["request"]
    assert responses(emitted) == [ID]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_an_answer_that_was_asked_for_again_is_a_reask(
    server: ScriptedOpenAI, emitted: Emitted, asynchronous: bool
) -> None:
    server.script(Say(BAD), Say(BAD), Say(GOOD))
    ask(server, asynchronous=asynchronous)
    assert emitted.counted("groundtypes.reasks") == 2
    reasks = [(span.attributes or {}).get("groundtypes.reask") for span in emitted.spans]
    assert reasks == [None, True, True]


def test_the_next_call_is_no_reask(server: ScriptedOpenAI, emitted: Emitted) -> None:
    server.script(Say(BAD), Say(GOOD))
    with pytest.raises(Exception, match="quote_altered"):
        ask(server, max_retries=0)
    ask(server)
    assert emitted.counted("groundtypes.reasks") == 0


def test_stored_answers_that_are_validated_one_by_one_are_no_reasks(emitted: Emitted) -> None:
    for data in (BAD, BAD, GOOD):
        audit(Answer, data, context=CONTEXT)
        with suppress(ValidationError):
            Answer.model_validate(data, context=CONTEXT)
    assert emitted.counted("groundtypes.reasks") == 0


def _validate(data: Any) -> None:
    Answer.model_validate(data, context=CONTEXT)


def _verify(data: Any) -> None:
    verify(Answer, data, context=CONTEXT)


def _audit(data: Any) -> None:
    audit(Answer, data, context=CONTEXT)


def _averify(data: Any) -> None:
    asyncio.run(averify(Answer, data, context=CONTEXT))


def _aaudit(data: Any) -> None:
    asyncio.run(aaudit(Answer, data, context=CONTEXT))


@pytest.mark.parametrize("judge", [_validate, _verify, _audit, _averify, _aaudit])
def test_the_next_answer_under_a_span_of_an_llm_is_a_reask(
    emitted: Emitted, judge: Callable[[Any], None]
) -> None:
    for _ in range(2):
        operation = {"gen_ai.operation.name": "chat"}
        with emitted.tracer.start_as_current_span("request", attributes=operation):
            for data in (BAD, BAD, GOOD, GOOD):
                with suppress(ValidationError):
                    judge(data)
    reasks = [
        (span.attributes or {}).get("groundtypes.reask")
        for span in emitted.spans
        if span.name != "request"
    ]
    assert reasks == [None, True, True, None] * 2
    assert emitted.counted("groundtypes.reasks") == 4


def test_many_answers_under_a_span_of_an_llm_are_no_reasks(emitted: Emitted) -> None:
    operation = {"gen_ai.operation.name": "chat"}
    with emitted.tracer.start_as_current_span("request", attributes=operation):
        for _ in range(2):
            audit_many(Answer, [BAD, GOOD], context=[CONTEXT, CONTEXT])
    assert emitted.counted("groundtypes.reasks") == 0


def test_after_the_call_nothing_names_its_response(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    server.script(Say(GOOD))
    ask(server)
    verify(Answer, GOOD, context=CONTEXT)
    assert responses(emitted) == [ID, None]


def test_calls_in_several_threads_and_tasks_are_not_mixed_up(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    server.script(*[Say(GOOD)] * 8)

    async def main() -> None:
        async with async_client(server) as client:
            instrument_instructor(client)
            calls = [client.create(**REQUEST) for _ in range(4)]
            await asyncio.gather(*calls, *(asyncio.to_thread(ask, server) for _ in range(4)))

    asyncio.run(main())
    assert responses(emitted) == [ID] * 8
    assert emitted.counted("groundtypes.reasks") == 0


def test_a_client_may_be_instrumented_twice_and_outlives_telemetry(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    server.script(Say(GOOD), Say(GOOD))
    with sync_client(server) as client:
        assert instrument_instructor(instrument_instructor(client)) is client
        client.create(**REQUEST)
        uninstrument()
        client.create(**REQUEST)
    assert len(emitted.events) == 1


@pytest.mark.parametrize("recorded_first", [True, False])
def test_a_client_may_be_recorded_too(
    server: ScriptedOpenAI, emitted: Emitted, recorded_first: bool
) -> None:
    server.script(Say(BAD), Say(GOOD))
    with sync_client(server) as client:
        if not recorded_first:
            instrument_instructor(client)
        with record(client) as recording:
            instrument_instructor(client)
            client.create(**REQUEST)
    assert [len(call.attempts) for call in recording] == [2]
    assert responses(emitted) == [ID, ID]


def test_only_clients_of_instructor_can_be_instrumented() -> None:
    with pytest.raises(ContextError, match="instructor"):
        instrument_instructor(object())


class Fact(Grounded):
    quote: Quote


class Facts(Grounded):
    facts: list[Fact]
    summary: str


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_stream_of_partial_answers_is_told_of_once_it_is_whole(
    server: ScriptedOpenAI, emitted: Emitted, asynchronous: bool
) -> None:
    server.script(Say({"facts": [{"quote": FOUND}] * 3, "summary": "long " * 20}))
    request = REQUEST | {"response_model": Facts, "max_retries": 0}

    async def run() -> int:
        async with async_client(server) as client:
            return len([part async for part in client.create_partial(**request)])

    if asynchronous:
        chunks = asyncio.run(run())
    else:
        with sync_client(server) as client:
            chunks = len(list(client.create_partial(**request)))
    assert chunks > 10
    assert [span.name for span in emitted.spans] == ["validate Facts"]
    assert len(emitted.events) == 3


def test_a_part_of_a_stream_that_ends_it_is_told_of(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    facts = [{"quote": FOUND}, {"quote": BAD["quote"]}]
    server.script(Say({"facts": facts, "summary": "long " * 20}))
    request = REQUEST | {"response_model": Facts, "max_retries": 0}
    with sync_client(server) as client, pytest.raises(Exception, match="quote_altered"):
        list(client.create_partial(**request))
    assert ("Quoted", "fail", "quote_altered") in emitted.verdicts()


# --- pydantic-ai ------------------------------------------------------------------------------


@pytest.mark.parametrize("output", [ToolOutput, NativeOutput, PromptedOutput])
def test_the_events_of_pydantic_ai_stand_under_the_call_of_the_agent(
    server: ScriptedOpenAI, emitted: Emitted, output: Any
) -> None:
    server.script(Say(BAD), Say(GOOD))

    async def run() -> Any:
        async with AsyncOpenAI(base_url=server.base_url, api_key="-", max_retries=0) as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
            agent = Agent(model, output_type=output(Answer), validation_context=CONTEXT, retries=1)
            agent.instrument = InstrumentationSettings(tracer_provider=emitted.tracers)
            return (await agent.run("When was the tower finished?")).output

    assert asyncio.run(run()).quote == FOUND
    assert emitted.parents() == ["chat scripted", "chat scripted"]
    assert len({event.span_id for event in emitted.events}) == 2
    assert responses(emitted) == [ID, ID]
    assert emitted.counted("groundtypes.reasks") == 1


@pytest.mark.parametrize("output", [ToolOutput, NativeOutput])
def test_a_stream_of_pydantic_ai_is_told_of_once_it_is_whole(
    server: ScriptedOpenAI, emitted: Emitted, output: Any
) -> None:
    server.script(Say(GOOD))

    async def run() -> int:
        async with AsyncOpenAI(base_url=server.base_url, api_key="-", max_retries=0) as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
            agent = Agent(model, output_type=output(Answer), validation_context=CONTEXT)
            agent.instrument = InstrumentationSettings(tracer_provider=emitted.tracers)
            async with agent.run_stream("When was the tower finished?") as result:
                return len([part async for part in result.stream_output(debounce_by=None)])

    assert asyncio.run(run()) > 1
    assert [span.name for span in emitted.spans].count("validate Answer") == 1
    assert emitted.verdicts() == [("Quoted", "pass", None)]
    assert emitted.parents() == ["invoke_agent agent"]
    assert emitted.counted("groundtypes.faults") == 0


# --- OpenAI's client --------------------------------------------------------------------------


@pytest.mark.usefixtures("openai_spans")
def test_a_completion_that_is_named_is_the_parent(server: ScriptedOpenAI, emitted: Emitted) -> None:
    server.script(Say(GOOD), Say(GOOD))
    with sync_client(server) as client, emitted.tracer.start_as_current_span("request"):
        openai: Any = client.client
        for _ in range(2):
            completion = openai.chat.completions.create(model="scripted", messages=MESSAGES)
            with for_response(completion):
                text = completion.choices[0].message.content
                verify(Answer, text, context=CONTEXT)
                verify(Answer, text, context={**CONTEXT, "response_id": "another"})
    assert emitted.parents() == ["chat scripted", "request"] * 2
    assert responses(emitted) == [ID, "another"] * 2


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("chatcmpl-1", "chatcmpl-1"),
        ({"id": "chatcmpl-1"}, "chatcmpl-1"),
        (type("Completion", (), {"id": "chatcmpl-1"})(), "chatcmpl-1"),
        ({"id": 7}, None),
        ({}, None),
        (None, None),
        ("", None),
        ("x" * 1_000, "x" * 127 + "…"),
    ],
    ids=["id", "mapping", "object", "number", "no id", "nothing", "empty", "long"],
)
def test_a_response_is_its_id_or_has_one(
    emitted: Emitted, response: Any, expected: str | None
) -> None:
    with for_response(response):
        verify(Answer, GOOD, context=CONTEXT)
    verify(Answer, GOOD, context=CONTEXT)
    assert responses(emitted) == [expected, None]


def test_an_id_in_the_context_is_no_reference_and_changes_no_answer(emitted: Emitted) -> None:
    class Plain(BaseModel):
        quote: Quote

    context = {**CONTEXT, "response_id": "chatcmpl-2"}
    assert verify(Plain, {"quote": FOUND}, context=context).quote == FOUND
    assert responses(emitted) == ["chatcmpl-2"]
