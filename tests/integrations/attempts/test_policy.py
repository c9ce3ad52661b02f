"""A client that keeps what is valid when its re-asks are used up, and says what it left out."""

import asyncio
import logging
import warnings
from typing import Any

import openai
import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel

from groundtypes import Grounded, Quote
from groundtypes.errors import ContextError, MissingReferencesError
from groundtypes.integrations.attempts import KeptAnswer, LeftOutWarning, keep_valid_answers
from groundtypes.integrations.recordings import record
from tests.integrations.instructor.clients import (
    CONTEXT,
    FOUND,
    MESSAGES,
    async_client,
    sync_client,
)
from tests.scripted_openai import Fail, Say, ScriptedOpenAI

GOOD, BAD = FOUND, "Nobody has written this"


class Answer(Grounded):
    quotes: list[Quote]


def request(**more: Any) -> dict[str, Any]:
    return {
        "model": "scripted",
        "response_model": Answer,
        "messages": MESSAGES,
        "context": CONTEXT,
        "max_retries": 1,
        **more,
    }


FAULTY = Say({"quotes": [BAD, GOOD]})


def test_the_answer_comes_without_its_faults_and_with_a_warning(server: ScriptedOpenAI) -> None:
    server.script(FAULTY, Say({"quotes": [BAD, BAD]}))
    with sync_client(server) as client:
        assert keep_valid_answers(client) is client
        with pytest.warns(LeftOutWarning, match=r"- quotes\.0 \(quote_not_found\)") as caught:
            answer = client.create(**request())
    assert isinstance(answer, Answer)
    assert answer.quotes == [GOOD]
    assert caught[0].filename == __file__
    assert len(server.requests) == 2


def test_an_asynchronous_client(server: ScriptedOpenAI) -> None:
    server.script(FAULTY, FAULTY)

    async def run() -> Answer:
        async with async_client(server) as client:
            return await keep_valid_answers(client).create(**request())

    with pytest.warns(LeftOutWarning) as caught:
        assert asyncio.run(run()).quotes == [GOOD]
    assert caught[0].filename == __file__


def test_a_good_answer_says_nothing(server: ScriptedOpenAI) -> None:
    server.script(Say({"quotes": [BAD]}), Say({"quotes": [GOOD]}))
    with sync_client(server) as client:
        assert keep_valid_answers(client).create(**request()).quotes == [GOOD]


def test_every_answer_is_reported_even_by_default(server: ScriptedOpenAI) -> None:
    server.script(*[FAULTY] * 3)
    with sync_client(server) as client, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        keep_valid_answers(client)
        for _ in range(3):
            client.create(**request(max_retries=0))
    assert [warning.category for warning in caught] == [LeftOutWarning] * 3


def test_a_report_of_ones_own(server: ScriptedOpenAI) -> None:
    reports: list[KeptAnswer[Any]] = []
    server.script(FAULTY, FAULTY)
    with sync_client(server) as client:
        keep_valid_answers(client, report=reports.append)
        answer, completion = client.create_with_completion(**request())
    [kept] = reports
    assert kept.value is answer
    assert kept.completion is completion
    assert [part.value for part in kept.left_out] == [BAD]


def test_a_report_may_refuse(server: ScriptedOpenAI) -> None:
    class TooLittleError(Exception):
        pass

    def refuse(kept: KeptAnswer[Any]) -> None:
        raise TooLittleError

    server.script(FAULTY, FAULTY)
    with sync_client(server) as client, pytest.raises(TooLittleError):
        keep_valid_answers(client, report=refuse).create(**request())


def test_lists_have_their_completion_too(server: ScriptedOpenAI) -> None:
    class Fact(BaseModel):
        quote: Quote

    reply = Say({"tasks": [{"quote": BAD}, {"quote": GOOD}]})
    server.script(reply, reply)
    with sync_client(server) as client:
        keep_valid_answers(client, report=lambda kept: None)
        made, completion = client.create_with_completion(**request(response_model=list[Fact]))
    assert [fact.quote for fact in made] == [GOOD]
    assert completion.choices


def test_what_cannot_be_kept_stays_the_exception(server: ScriptedOpenAI) -> None:
    class One(Grounded):
        quote: Quote

    server.script(Say({"quote": BAD}), Say({"quote": BAD}))
    with sync_client(server) as client, pytest.raises(InstructorRetryException) as raised:
        keep_valid_answers(client).create(**request(response_model=One))
    assert len(raised.value.failed_attempts or []) == 2
    assert "Nothing is kept: quote cannot be left out." in raised.value.__notes__[0]


def test_an_outage_is_never_hidden(server: ScriptedOpenAI) -> None:
    server.script(FAULTY, Fail(500))
    with sync_client(server) as client, pytest.raises(InstructorRetryException) as raised:
        keep_valid_answers(client).create(**request())
    assert isinstance(raised.value.__cause__, openai.InternalServerError)


def test_a_mistake_is_never_hidden(server: ScriptedOpenAI) -> None:
    server.script(FAULTY)
    with sync_client(server) as client, pytest.raises(InstructorRetryException) as raised:
        keep_valid_answers(client).create(**request(context={}))
    assert isinstance(raised.value.__cause__, MissingReferencesError)


def test_streams_and_plain_replies_are_as_before(server: ScriptedOpenAI) -> None:
    server.script(Say({"quotes": [BAD]}), Say("hello"))
    with sync_client(server) as client:
        keep_valid_answers(client)
        with pytest.raises(InstructorRetryException):
            list(client.create_partial(**request(max_retries=0)))
        assert client.create(**request(response_model=None, context=None)).choices


@pytest.mark.parametrize("recorded_first", [False, True])
def test_recordings_hold_all_attempts(server: ScriptedOpenAI, recorded_first: bool) -> None:
    server.script(FAULTY, FAULTY)
    with sync_client(server) as client:
        if recorded_first:
            recording = record(client)
        keep_valid_answers(client, report=lambda kept: None)
        if not recorded_first:
            recording = record(client)
        assert client.create(**request()).quotes == [GOOD]
    [call] = recording
    assert len(call.attempts) == 2
    assert not any(attempt.ok for attempt in call.attempts)


@pytest.mark.parametrize("report", [None, 5, "print"])
def test_a_report_that_cannot_be_called_is_a_mistake_at_once(
    server: ScriptedOpenAI, report: Any
) -> None:
    with sync_client(server) as client, pytest.raises(ContextError, match="pass a function"):
        keep_valid_answers(client, report=report)


def test_other_things_are_no_clients() -> None:
    with pytest.raises(ContextError, match="str is not an instructor client"):
        keep_valid_answers("client")


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "instructor")
