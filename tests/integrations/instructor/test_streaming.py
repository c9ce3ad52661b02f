"""Streams: what is unfinished is shown unjudged, and what is finished is judged whole."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import ValidationError

from groundtypes import Span, verify
from tests.integrations.instructor.clients import (
    BAD,
    CONTEXT,
    FOUND,
    GOOD,
    MESSAGES,
    MODES,
    Answer,
    async_client,
    sync_client,
)
from tests.scripted_openai import Say, ScriptedOpenAI

REQUEST: dict[str, Any] = {
    "model": "scripted",
    "response_model": Answer,
    "messages": MESSAGES,
    "context": CONTEXT,
    "max_retries": 1,
}
SPAN = Span("tower", 0, len(FOUND))


def several(*answers: dict[str, Any], fenced: bool) -> Say:
    return Say({"tasks": list(answers)}, fenced=fenced)


@pytest.mark.parametrize("mode", MODES)
def test_each_item_of_an_iterable_has_its_span(server: ScriptedOpenAI, mode: str) -> None:
    server.script(several(GOOD, GOOD, fenced=mode == "MD_JSON"))
    with sync_client(server, mode) as client:
        answers = list(client.create_iterable(**REQUEST))
    assert [answer.quote.span for answer in answers] == [SPAN, SPAN]


@pytest.mark.parametrize("mode", MODES)
def test_an_iterable_ends_at_its_first_faulty_item(server: ScriptedOpenAI, mode: str) -> None:
    server.script(several(GOOD, BAD, GOOD, fenced=mode == "MD_JSON"))
    seen: list[Answer] = []
    with sync_client(server, mode) as client, pytest.raises(ValidationError) as raised:
        seen.extend(client.create_iterable(**REQUEST))
    assert [answer.quote for answer in seen] == [FOUND]
    assert [fault["type"] for fault in raised.value.errors()] == ["quote_altered"]


@pytest.mark.parametrize("mode", MODES)
def test_a_partial_grows_into_a_whole_answer_with_its_span(
    server: ScriptedOpenAI, mode: str
) -> None:
    server.script(Say(GOOD, fenced=mode == "MD_JSON"))
    with sync_client(server, mode) as client:
        partials = list(client.create_partial(**REQUEST))
    assert any(partial.quote not in {None, FOUND} for partial in partials)
    assert partials[-1].quote == FOUND
    assert partials[-1].quote.span == SPAN


@pytest.mark.parametrize("mode", MODES)
def test_a_faulty_partial_is_reasked_by_a_sync_client(server: ScriptedOpenAI, mode: str) -> None:
    fenced = mode == "MD_JSON"
    server.script(Say(BAD, fenced=fenced), Say(GOOD, fenced=fenced))
    with sync_client(server, mode) as client:
        last = list(client.create_partial(**REQUEST))[-1]
    assert last.quote.span == SPAN
    assert "type=quote_altered" in server.sent_back()
    assert FOUND in server.sent_back()


@pytest.mark.parametrize("kind", ["create_partial", "create_iterable"])
@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
def test_an_async_stream_gives_spans(server: ScriptedOpenAI, mode: str, kind: str) -> None:
    server.script(Say(GOOD) if kind == "create_partial" else several(GOOD, fenced=False))

    async def last() -> Answer:
        async with async_client(server, mode) as client:
            answers = [answer async for answer in getattr(client, kind)(**REQUEST)]
        answer: Answer = answers[-1]
        return answer

    assert asyncio.run(last()).quote.span == SPAN


@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
def test_an_async_partial_that_ends_faulty_raises_and_is_not_reasked(
    server: ScriptedOpenAI, mode: str
) -> None:
    server.script(Say(BAD))

    async def consume() -> None:
        async with async_client(server, mode) as client:
            async for _ in client.create_partial(**REQUEST):
                pass

    with pytest.raises(ValidationError) as raised:
        asyncio.run(consume())
    assert [fault["type"] for fault in raised.value.errors()] == ["quote_altered"]
    assert len(server.requests) == 1


@pytest.mark.parametrize("mode", ["TOOLS", "JSON_SCHEMA"])
def test_a_partial_that_is_cut_off_ends_unchecked(server: ScriptedOpenAI, mode: str) -> None:
    cut_off = json.dumps(BAD)[:-3]
    server.script(Say(cut_off, finish_reason="length"))
    with sync_client(server, mode) as client:
        last = list(client.create_partial(**REQUEST))[-1]
    assert last.quote
    with pytest.raises(ValidationError, match="quote_"):
        verify(Answer, last, context=CONTEXT)
