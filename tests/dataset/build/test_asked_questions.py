"""Questions are asked within a budget, what is answered is kept, and nothing is asked twice."""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Annotated, Any

import instructor
import openai
import pytest
from pydantic import field_validator

from groundtypes import Entailed, Grounded, Judges
from groundtypes.dataset import AskOptions, BuiltDataset, build_dataset
from groundtypes.dataset.build import data_set
from groundtypes.errors import BackendError, DatasetError, MissingJudgeError, Mistake
from groundtypes.integrations.recordings import read_calls
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI
from tests.command_line import run
from tests.dataset.samples import Answer, contents, facts, read, row, write
from tests.integrations.instructor.clients import sync_client
from tests.scripted_openai import Exchange, Fail, Say, ScriptedOpenAI


class Broken(Answer):
    """A model whose judge is missing."""

    @field_validator("facts")
    @classmethod
    def nobody_judges(cls, value: Any) -> Any:
        raise MissingJudgeError("nobody judges")


class Knows:
    """A reply for the number that the question is about; each third one is wrong at first."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        asked = body["messages"][1]["content"]
        number = int(asked.split("the market of ")[1].split()[0])
        good = number % 3 != 0 or len(body["messages"]) > 2
        Say(facts(number, good)).send(exchange, body)


def questions(count: int) -> list[dict[str, Any]]:
    """Return rows without an answer; a reference holds what instructor would fill in."""
    rows = [row(number) for number in range(count)]
    for given in rows:
        del given["answer"]
        given["references"]["trap"] = "{{ question }} {% if %} {{ 7 * 7 }}"
    return rows


def ask(
    server: ScriptedOpenAI,
    rows: list[dict[str, Any]],
    folder: Path,
    *,
    resume: bool = False,
    overwrite: bool = False,
    model: Any = Answer,
    **options: Any,
) -> BuiltDataset:
    with sync_client(server) as made:
        asking = AskOptions(client=made, options={"model": "scripted"}, **options)
        return build_dataset(model, rows, folder, ask=asking, resume=resume, overwrite=overwrite)


def test_questions_become_rows_and_faulty_answers_become_pairs(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    server.script(*[Knows()] * 40)
    built = ask(server, questions(30), tmp_path)
    counts = built.manifest["counts"]
    assert counts["supervised train"] + counts["supervised test"] == 30
    assert counts["preference train"] + counts["preference test"] == 10
    assert built.manifest["asking"] == {
        "answered": 30, "unasked": 0, "requests": 40, "input tokens": 400, "output tokens": 200,
    }  # fmt: skip
    lines = [
        example["line"]
        for split in ("train", "test")
        for example in read(tmp_path / "supervised" / f"{split}.jsonl")
    ]
    assert sorted(lines) == list(range(1, 31))
    # Nothing of a reference was taken for a template.
    assert "{{ question }} {% if %} {{ 7 * 7 }}" in server.requests[0]["messages"][1]["content"]


class Stated(Grounded):
    text: Annotated[str, Entailed()]


def test_the_judges_of_the_build_judge_while_it_asks(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    tall = "The tower is tall."  # which the default engine would let pass
    server.script(Say({"text": tall}), Say({"text": f"{tall} Approved."}))
    engine = ScriptedNLI(lambda pair: ENTAILED if "Approved" in pair.hypothesis else NEUTRAL)
    rows = [{"references": [tall], "question": "How is the tower?"}]
    with sync_client(server) as made:
        asking = AskOptions(client=made, options={"model": "scripted"})
        judges = Judges(nli=engine)
        build_dataset(Stated, rows, tmp_path, ask=asking, judges=judges)
    assert len(server.requests) == 2


def test_no_more_than_the_budget_is_spent_and_the_rest_is_asked_later(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    server.script(*[Knows()] * 40)
    rows = questions(30)
    first = ask(server, rows, tmp_path, max_calls=12, concurrency=3)
    assert len(server.requests) <= 12
    unasked = first.manifest["asking"]["unasked"]
    assert unasked >= 30 - 12
    second = ask(server, rows, tmp_path, overwrite=True)
    assert second.manifest["asking"]["unasked"] == 0
    assert len(server.requests) == 40
    whole = contents(tmp_path)
    assert ask(server, rows, tmp_path, overwrite=True).manifest == second.manifest
    assert contents(tmp_path) == whole


def test_tokens_are_a_budget_too(server: ScriptedOpenAI, tmp_path: Path) -> None:
    server.script(*[Knows()] * 5)
    built = ask(server, [row(1 + 3 * n) for n in range(30)], tmp_path, max_tokens=61, concurrency=1)
    assert built.manifest["asking"]["answered"] == 5


def test_an_outage_stops_and_what_was_answered_is_kept(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    server.script(*[Knows()] * 6, *[Fail(503)] * 5)
    rows = [row(1 + 3 * number) for number in range(20)]
    with pytest.raises(BackendError, match="resume"):
        ask(server, rows, tmp_path, concurrency=1)
    assert len(list(read_calls(tmp_path / "recordings.jsonl"))) == 6
    server.script(*[Knows()] * 14)
    built = ask(server, rows, tmp_path, resume=True)
    assert built.manifest["asking"]["answered"] == 20


def test_a_run_that_has_asked_everything_does_not_go_on_with_other_questions(
    server: ScriptedOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(*_: Any) -> Any:
        raise KeyboardInterrupt

    server.script(Knows())
    with monkeypatch.context() as patch:
        patch.setattr(data_set._Build, "_publish", dying)
        with pytest.raises(KeyboardInterrupt):
            ask(server, [row(1)], tmp_path)
    with pytest.raises(DatasetError, match="not the one that was read"):
        ask(server, [row(4)], tmp_path, resume=True)
    assert ask(server, [row(1)], tmp_path, resume=True).manifest["asking"]["answered"] == 1


def test_a_failure_now_and_then_is_asked_again_later(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    server.script(Knows(), Fail(500), *[Knows()] * 3)
    rows = [row(1 + 3 * number) for number in range(5)]
    built = ask(server, rows, tmp_path, concurrency=1)
    assert built.manifest["asking"]["unasked"] == 1
    server.script(Knows())
    built = ask(server, rows, tmp_path, overwrite=True)
    assert built.manifest["asking"]["unasked"] == 0


def test_a_mistake_is_raised_as_it_is(server: ScriptedOpenAI, tmp_path: Path) -> None:
    server.script(Knows())
    with pytest.raises(Mistake, match="nobody judges"):
        ask(server, [row(1)], tmp_path, model=Broken, concurrency=1)


def test_lines_that_hold_no_question_are_named_and_kept(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    server.script(Knows())
    rows = write(tmp_path / "rows.jsonl", [b"no JSON", b"", row(1), {"question": "When?"}])
    with sync_client(server) as made:
        asking = AskOptions(client=made, options={"model": "scripted"})
        build_dataset(Answer, rows, tmp_path / "out", ask=asking)
    kept = read(tmp_path / "out" / "rejected.jsonl")
    assert [entry["line"] for entry in kept] == [1, 4]
    assert [example["line"] for example in read(tmp_path / "out/supervised/train.jsonl")] == [3]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_the_command_can_be_killed_and_goes_on_to_the_same_bytes(
    server: ScriptedOpenAI, tmp_path: Path, name: str
) -> None:
    rows = write(tmp_path / "rows.jsonl", questions(12))
    model = ("--model", "tests.dataset.samples:Answer", "--concurrency", "1")
    env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "-"}
    options = ("dataset", rows, "--ask", "openai/scripted", *model)
    server.script(*[Knows()] * 16)
    whole = run(*options, "--output", "whole", cwd=tmp_path, env=env)
    assert whole.returncode == 0, whole.stderr
    pid = tmp_path / "pid"

    class Kills(Knows):
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            os.kill(int(pid.read_text()), getattr(signal, name))
            if name == "SIGINT":
                super().send(exchange, body)

    server.script(*[Knows()] * 6, Kills(), *[Knows()] * 20)
    killed = run(
        *options, "--output", "out", cwd=tmp_path, env=env,
        started=lambda number: pid.write_text(str(number)),
    )  # fmt: skip
    assert killed.returncode == (-9 if name == "SIGKILL" else 130), killed.stderr
    done = run(*options, "--output", "out", "--resume", cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    with server._lock:
        left = len(server._replies)
        server._replies.clear()
    # Only the question in flight was asked twice.
    assert 27 - left <= 17


def test_many_questions_at_a_time_are_no_more_than_was_said(
    server: ScriptedOpenAI, tmp_path: Path
) -> None:
    lock = threading.Lock()
    now, most = 0, 0

    class Counts(Knows):
        def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            try:
                super().send(exchange, body)
            finally:
                with lock:
                    now -= 1

    server.script(*[Counts()] * 40)
    ask(server, questions(30), tmp_path, concurrency=4)
    assert 1 <= most <= 4


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"max_retries": -1}, {"client": object()}])
def test_asking_that_means_nothing_is_a_mistake(
    server: ScriptedOpenAI, options: dict[str, Any]
) -> None:
    with sync_client(server) as made, pytest.raises(DatasetError):
        AskOptions(**{"client": made, **options})


def test_an_async_client_is_refused(server: ScriptedOpenAI) -> None:
    made = openai.AsyncOpenAI(base_url=server.base_url, api_key="-")
    with pytest.raises(DatasetError, match="sync"):
        AskOptions(client=instructor.from_openai(made))


def test_the_recording_is_a_recording(server: ScriptedOpenAI, tmp_path: Path) -> None:
    server.script(*[Knows()] * 4)
    ask(server, questions(3), tmp_path)
    calls = list(read_calls(tmp_path / "recordings.jsonl"))
    assert sorted(len(call.attempts) for call in calls) == [1, 1, 2]
    assert json.loads(calls[0].attempts[-1].answer or "")["facts"]


@pytest.mark.parametrize("retries", [0, 2], ids=["no retries", "retries of the client"])
@pytest.mark.parametrize("status", [429, 500])
def test_no_more_requests_leave_than_max_calls_whoever_repeats_them(
    tmp_path: Path, retries: int, status: int
) -> None:
    with ScriptedOpenAI() as server, sync_client(server, max_retries=retries) as made:
        server.script(*[Fail(status, retry_after=0.001)] * 60)
        asking = AskOptions(client=made, options={"model": "m"}, max_calls=7, max_retries=1)
        try:
            built = build_dataset(Answer, questions(30), tmp_path, ask=asking)
        except BackendError:
            assert len(server.requests) <= 7
        else:
            assert len(server.requests) <= 7
            assert built.manifest["asking"]["requests"] == len(server.requests)


def test_the_manifest_tells_the_requests_that_were_sent(tmp_path: Path) -> None:
    with ScriptedOpenAI() as server, sync_client(server, max_retries=1) as made:
        server.script(Knows(), *[Fail(500, retry_after=0.001)] * 2, Knows())
        asking = AskOptions(client=made, options={"model": "m"}, concurrency=1)
        rows = [row(1 + 3 * number) for number in range(3)]
        built = build_dataset(Answer, rows, tmp_path, ask=asking)
        assert built.manifest["asking"]["requests"] == len(server.requests) == 4
    assert (built.manifest["asking"]["answered"], built.manifest["asking"]["unasked"]) == (2, 1)


def test_the_requests_of_an_outage_are_told_by_the_run_that_goes_on(tmp_path: Path) -> None:
    with ScriptedOpenAI() as server:
        server.script(*[Knows()] * 2, *[Fail(503)] * 5)
        rows = [row(1 + 3 * number) for number in range(9)]
        with pytest.raises(BackendError):
            ask(server, rows, tmp_path, concurrency=1)
        server.script(*[Knows()] * 7)
        built = ask(server, rows, tmp_path, concurrency=1, resume=True)
        assert built.manifest["asking"]["requests"] == len(server.requests) == 14


def test_another_endpoint_is_another_llm(tmp_path: Path) -> None:
    rows = [row(1 + 3 * number) for number in range(3)]
    with ScriptedOpenAI() as first, ScriptedOpenAI() as second:
        for server in (first, second):
            server.script(*[Knows()] * 3)
            ask(server, rows, tmp_path, overwrite=True)
            ask(server, rows, tmp_path, overwrite=True)
        assert (len(first.requests), len(second.requests)) == (3, 3)
