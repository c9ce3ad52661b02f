"""Every attempt of every call is kept, and the client works as if nobody listened."""

import asyncio
import contextlib
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from instructor.core.exceptions import InstructorRetryException

from groundtypes import Mistake
from groundtypes.errors import MissingReferencesError, RecordingError
from groundtypes.integrations.recordings import RecordedCall, Recording, read_calls, record
from tests.integrations.instructor.clients import (
    BAD,
    CONTEXT,
    FOUND,
    GOOD,
    MESSAGES,
    MODES,
    TOWER,
    Answer,
    async_client,
    sync_client,
)
from tests.scripted_openai import Exchange, Fail, Say, ScriptedOpenAI

REQUEST: dict[str, Any] = {
    "model": "scripted",
    "response_model": Answer,
    "messages": MESSAGES,
    "max_retries": 2,
}


def ask(server: ScriptedOpenAI, mode: str, *, asynchronous: bool, **options: Any) -> Recording:
    """Return the recording of one call, however it ends."""
    request = {**REQUEST, "context": CONTEXT, **options}

    async def run() -> Recording:
        async with async_client(server, mode) as client:
            with record(client) as recording:
                with contextlib.suppress(InstructorRetryException):
                    await client.create(**request)
                return recording

    if asynchronous:
        return asyncio.run(run())
    with sync_client(server, mode) as client, record(client) as recording:
        with contextlib.suppress(InstructorRetryException):
            client.create(**request)
        return recording


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("mode", MODES)
def test_a_failed_attempt_and_its_repair_are_kept(
    server: ScriptedOpenAI, mode: str, asynchronous: bool
) -> None:
    fenced = mode == "MD_JSON"
    server.script(Say(BAD, fenced=fenced), Say(GOOD, fenced=fenced))
    (call,) = ask(server, mode, asynchronous=asynchronous)
    assert call.ok
    assert call.llm == "scripted"
    assert call.response_model == "tests.integrations.instructor.clients:Answer"
    assert call.references is not None
    assert call.references["tower"] == TOWER
    first, second = call.attempts
    assert (first.ok, second.ok) == (False, True)
    assert json.loads(first.answer or "") == BAD
    assert json.loads(second.answer or "") == GOOD
    assert second.value == {"year": 1889, "quote": FOUND}
    (fault,) = first.faults
    assert (fault.check, fault.slug, fault.loc) == ("Quoted", "quote_altered", ("quote",))
    assert fault.span is not None
    assert fault.span.reference == "tower"
    assert first.usage == {"input": 10, "output": 5}
    assert call.usage == {"input": 20, "output": 10}
    assert call.prompt[-1]["content"].startswith("When was the tower finished?")
    # The re-ask brings what failed and what was said of it, and nothing twice.
    assert len(second.messages) == 2
    assert FOUND in json.dumps(second.messages[-1])


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_call_that_never_passes_is_kept_with_all_its_attempts(
    server: ScriptedOpenAI, asynchronous: bool
) -> None:
    server.script(Say(BAD), Say("no JSON"), Say({"year": "1889", "quote": FOUND}))
    (call,) = ask(server, "JSON", asynchronous=asynchronous)
    assert not call.ok
    assert [attempt.ok for attempt in call.attempts] == [False] * 3
    assert [{fault.slug for fault in attempt.faults} for attempt in call.attempts] == [
        {"quote_altered"},
        {"json_invalid"},
        {"int_type"},
    ]
    assert call.attempts[1].answer == "no JSON"


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_an_outage_is_an_attempt_with_an_error_and_no_fault(
    server: ScriptedOpenAI, asynchronous: bool
) -> None:
    server.script(Say(BAD), Fail(500))
    (call,) = ask(server, "TOOLS", asynchronous=asynchronous)
    first, second = call.attempts
    assert first.faults
    assert not second.faults
    assert second.answer is None
    assert second.error is not None
    assert "InternalServerError" in second.error


def test_an_output_that_was_cut_off_is_kept(server: ScriptedOpenAI) -> None:
    server.script(Say(BAD, finish_reason="length"))
    with sync_client(server) as client, record(client) as recording:
        with pytest.raises(Exception, match="incomplete"):
            client.create(**REQUEST, context=CONTEXT)
        (attempt,) = next(iter(recording)).attempts
    assert attempt.error is not None
    assert attempt.completion["choices"][0]["finish_reason"] == "length"


def test_a_mistake_is_raised_as_without_a_recording_and_kept(server: ScriptedOpenAI) -> None:
    server.script(Say(GOOD))
    with sync_client(server) as client, record(client) as recording:
        with pytest.raises(InstructorRetryException) as caught:
            client.create(**REQUEST, context=None)
        assert isinstance(caught.value.__cause__, MissingReferencesError)
        (call,) = recording
    assert call.references is None
    assert "MissingReferencesError" in (call.attempts[0].error or "")


def test_the_audits_of_a_call_hold_the_passing_verdicts_too(server: ScriptedOpenAI) -> None:
    server.script(Say(BAD), Say(GOOD))
    (call,) = ask(server, "TOOLS", asynchronous=False)
    first, second = call.audits(Answer)
    assert (first.ok, second.ok) == (False, True)
    assert second.verdicts[0].label == "normalised"


def test_the_file_gives_back_what_was_recorded(server: ScriptedOpenAI, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    server.script(Say(BAD), Say(GOOD), Say(GOOD), Fail(500))
    with sync_client(server) as client, record(client, path) as recording:
        context = {**CONTEXT, "question": "When?", "id": 7}
        client.create(**REQUEST, context=context)
        client.create(**REQUEST, context=CONTEXT)
        with pytest.raises(InstructorRetryException):
            client.create(**REQUEST, context=CONTEXT)
        calls = list(recording)
    read = list(read_calls(path))
    assert [call.to_dict() for call in read] == [call.to_dict() for call in calls]
    assert [call.attempts[0].faults for call in read] == [c.attempts[0].faults for c in calls]
    assert (read[0].question, read[0].id) == ("When?", "7")
    assert [audit.ok for audit in read[0].audits(Answer)] == [False, True]


class Echo:
    """A reply that quotes the number that it was asked with; the first time it gets it wrong."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        number = body["messages"][0]["content"]
        good = len(body["messages"]) > 1
        quote = f"number {number} stands here" if good else f"number {number} stood there"
        Say({"year": int(number), "quote": quote}).send(exchange, body)


def numbered(number: int) -> dict[str, Any]:
    return {
        **REQUEST,
        "messages": [{"role": "user", "content": str(number)}],
        "context": {"references": f"The number {number} stands here."},
    }


def assert_nothing_is_mixed(calls: list[RecordedCall], count: int) -> None:
    assert len(calls) == count
    assert {int(call.prompt[0]["content"]) for call in calls} == set(range(count))
    for call in calls:
        number = int(call.prompt[0]["content"])
        assert [attempt.ok for attempt in call.attempts] == [False, True]
        for attempt in call.attempts:
            assert json.loads(attempt.answer or "")["year"] == number
        assert call.references == {"0": f"The number {number} stands here."}


def test_threads_do_not_mix_their_attempts(server: ScriptedOpenAI, tmp_path: Path) -> None:
    server.script(*[Echo()] * 64)
    path = tmp_path / "calls.jsonl"
    with sync_client(server) as client, record(client, path) as recording:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: client.create(**numbered(number)), range(32)))
        assert_nothing_is_mixed(list(recording), 32)
    assert_nothing_is_mixed(list(read_calls(path)), 32)


def test_tasks_do_not_mix_their_attempts(server: ScriptedOpenAI) -> None:
    server.script(*[Echo()] * 64)

    async def run() -> list[RecordedCall]:
        async with async_client(server) as client:
            with record(client) as recording:
                await asyncio.gather(*(client.create(**numbered(n)) for n in range(32)))
                return list(recording)

    assert_nothing_is_mixed(asyncio.run(run()), 32)


def test_a_recording_keeps_the_last_calls_and_counts_the_others(server: ScriptedOpenAI) -> None:
    server.script(*[Say(GOOD)] * 5)
    with sync_client(server) as client, record(client, limit=2) as recording:
        for number in range(5):
            client.create(**REQUEST, context={**CONTEXT, "id": number})
    assert [call.id for call in recording] == ["3", "4"]
    assert recording.dropped == 3


def test_a_client_that_is_no_longer_recorded_is_as_it_was(server: ScriptedOpenAI) -> None:
    server.script(*[Say(GOOD)] * 3)
    with sync_client(server) as client:
        first, second = record(client), record(client)
        client.create(**REQUEST, context=CONTEXT)
        first.stop()
        client.create(**REQUEST, context=CONTEXT)
        second.stop()
        first.stop()
        client.create(**REQUEST, context=CONTEXT)
        assert (len(first), len(second)) == (1, 2)
        assert not any(client.hooks._handlers.values())


def test_the_hooks_of_the_client_and_of_the_call_are_called_as_before(
    server: ScriptedOpenAI,
) -> None:
    server.script(Say(BAD), Say(GOOD))
    seen: list[str] = []
    with sync_client(server) as client, record(client) as recording:
        client.on("parse:error", lambda error: seen.append("client"))
        client.create(**REQUEST, context=CONTEXT)
    assert seen == ["client"]
    assert len(recording) == 1


def test_streams_are_passed_through_and_counted(server: ScriptedOpenAI) -> None:
    server.script(Say(GOOD))
    with sync_client(server) as client, record(client) as recording:
        parts = list(client.create_partial(Answer, MESSAGES, model="scripted", context=CONTEXT))
    assert parts[-1].quote == FOUND
    assert (len(recording), recording.streams) == (0, 1)


def test_nothing_but_a_client_of_instructor_can_be_recorded() -> None:
    with pytest.raises(RecordingError, match="instructor"):
        record(object())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/full")
def test_a_file_that_cannot_be_written_costs_no_answer_and_is_told_at_the_end(
    server: ScriptedOpenAI,
) -> None:
    server.script(Say(GOOD))
    with sync_client(server) as client:
        recording = record(client, "/dev/full")
        answer = client.create(**REQUEST, context=CONTEXT)
        assert answer.quote == FOUND
        assert len(recording) == 1
        with pytest.raises(RecordingError, match="/dev/full"):
            recording.stop()


def test_a_file_in_no_folder_is_told_at_once(server: ScriptedOpenAI, tmp_path: Path) -> None:
    with sync_client(server) as client, pytest.raises(RecordingError, match="none"):
        record(client, tmp_path / "none" / "calls.jsonl")


def test_what_a_killed_process_left_is_named_and_spoils_no_other_line(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    path = tmp_path / "calls.jsonl"
    server.script(Say(GOOD), Say(GOOD))
    with sync_client(server) as client, record(client, path):
        client.create(**REQUEST, context=CONTEXT)
        os.truncate(path, path.stat().st_size - 20)
        client.create(**REQUEST, context=CONTEXT)
    lines = path.read_bytes().splitlines()
    assert len(lines) == 2
    RecordedCall.from_dict(json.loads(lines[1]))
    with pytest.raises(RecordingError, match="Line 1 of"):
        list(read_calls(path))


@pytest.mark.parametrize(
    "line",
    [b"7", b"[]", b"{}", b"\xff", b'{"attempts": 7}', b'{"attempts": [{}]}',
     b'{"attempts": [], "x": 1}',
     b'{"attempts": [], "references": {"a": 1}}', b'{"attempts": [], "question": 1}'],
)  # fmt: skip
def test_a_line_that_holds_no_call_is_a_mistake_that_names_it(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b"\n" + line + b"\n")
    with pytest.raises(RecordingError, match="Line 2 of"):
        list(read_calls(path))


def test_two_recordings_append_to_one_file(server: ScriptedOpenAI, tmp_path: Path) -> None:
    server.script(*[Echo()] * 32)
    path = tmp_path / "calls.jsonl"

    def work(numbers: range) -> None:
        with sync_client(server) as client, record(client, path):
            for number in numbers:
                client.create(**numbered(number))

    threads = [threading.Thread(target=work, args=(range(n, n + 8),)) for n in (0, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_nothing_is_mixed(list(read_calls(path)), 16)


def test_a_mistake_of_the_recording_is_never_a_fault() -> None:
    assert issubclass(RecordingError, Mistake)
    assert not issubclass(RecordingError, ValueError)
