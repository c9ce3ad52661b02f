"""Results of a batch are judged with their references, and the faulty ones are asked again."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import model_validator

from groundtypes.dataset import CheckedBatch, build_dataset, check_batch
from groundtypes.errors import DatasetError
from groundtypes.integrations.recordings import read_calls
from tests.command_line import run
from tests.dataset.samples import Answer, contents, facts, read, row, write


def request(number: int) -> dict[str, Any]:
    given = row(number)
    body = {
        "model": "scripted",
        "temperature": 0,
        "messages": [{"role": "user", "content": given["question"]}],
    }
    return {
        "custom_id": given["id"], "method": "POST", "url": "/v1/chat/completions", "body": body,
    }  # fmt: skip


def result(name: str, answer: Any, *, tool: bool = False) -> dict[str, Any]:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tool:
        call = {"id": "c", "type": "function", "function": {"name": "Answer", "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body = {
        "object": "chat.completion",
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "batch_req", "custom_id": name, "response": response, "error": None}


def refused(name: str) -> dict[str, Any]:
    response = {"status_code": 429, "request_id": "r", "body": {"error": {"message": "slow"}}}
    return {"id": "batch_req", "custom_id": name, "response": response, "error": None}


class Rounds:
    """A folder in which one round follows the other."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.rows = write(folder / "rows.jsonl", [row(number) for number in range(count)])
        self.requests = write(folder / "requests.0.jsonl", [request(n) for n in range(count)])
        self.earlier: Path | None = None
        self.number = 0

    def go(self, results: list[Any], model: Any = Answer, **options: Any) -> CheckedBatch:
        self.number += 1
        calls = self.folder / f"calls.{self.number}.jsonl"
        reasks = self.folder / f"requests.{self.number}.jsonl"
        checked = check_batch(
            model,
            write(self.folder / f"results.{self.number}.jsonl", results),
            requests=self.requests,
            rows=self.rows,
            recordings=calls,
            reasks=reasks,
            earlier=self.earlier,
            **options,
        )
        self.requests, self.earlier = reasks, calls
        return checked


def test_an_answer_whose_references_two_rows_name_is_not_judged(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 3)
    write(rounds.rows, [row(0), row(0), row(1), row(1, references="Another text."), row(2)])
    checked = rounds.go([result(f"row-{n}", facts(n, True)) for n in range(3)])
    assert (checked.passed, checked.reasked) == (2, 0)
    assert checked.problems.keys() == {"row-1"}
    assert "two rows" in checked.problems["row-1"]


@pytest.mark.parametrize("tool", [False, True], ids=["text", "tool call"])
def test_faulty_answers_are_asked_again_until_they_pass(tmp_path: Path, tool: bool) -> None:
    rounds = Rounds(tmp_path, 6)
    # Results come in any order.
    first = [result(f"row-{n}", facts(n, n % 2 == 0), tool=tool) for n in reversed(range(6))]
    checked = rounds.go(first)
    assert (checked.passed, checked.faulty, checked.reasked) == (3, 3, 3)
    again = read(rounds.requests)
    assert {asked["custom_id"] for asked in again} == {"row-1", "row-3", "row-5"}
    for asked in again:
        assert asked.keys() == {"custom_id", "method", "url", "body"}
        assert asked["body"]["temperature"] == 0
        roles = [message["role"] for message in asked["body"]["messages"]]
        assert roles == ["user", "assistant", "user"]
        assert "quote_altered" in asked["body"]["messages"][-1]["content"]
    second = [result("row-1", facts(1, True)), result("row-3", facts(3, False)),
              result("row-5", facts(5, True))]  # fmt: skip
    checked = rounds.go(second)
    assert (checked.passed, checked.faulty, checked.reasked) == (2, 1, 1)
    checked = rounds.go([result("row-3", facts(3, False))])
    assert (checked.faulty, checked.reasked) == (1, 0)  # it has had its three attempts
    assert rounds.earlier is not None
    calls = {call.id: call for call in read_calls(rounds.earlier)}
    assert len(calls) == 6
    assert [a.ok for a in calls["row-1"].attempts] == [False, True]
    assert [a.ok for a in calls["row-3"].attempts] == [False] * 3
    assert [len(a.messages) for a in calls["row-3"].attempts] == [1, 2, 2]
    built = build_dataset(Answer, rounds.earlier, tmp_path / "data")
    counts = built.manifest["counts"]
    assert counts["supervised train"] + counts["supervised test"] == 5
    assert counts["preference train"] + counts["preference test"] == 2


def _boom(answer: Any) -> Any:
    if "year 1" in str(answer):
        raise KeyError(answer)
    return answer


class Failing(Answer):
    """A model whose own code fails on an answer."""

    _fail = model_validator(mode="before")(_boom)


def test_an_answer_that_cannot_be_judged_is_a_problem_and_is_not_asked_again(
    tmp_path: Path,
) -> None:
    results = [result(f"row-{n}", facts(n, n != 2)) for n in range(3)]
    with pytest.raises(DatasetError, match="KeyError"):
        Rounds(tmp_path, 3).go(results, Failing, overwrite=True)
    checked = Rounds(tmp_path, 3).go(results, Failing, on_mistake="keep", overwrite=True)
    assert (checked.passed, checked.faulty, checked.unjudged, checked.reasked) == (1, 1, 1, 1)
    assert "KeyError" in checked.problems["row-1"]


def test_what_the_provider_did_not_answer_is_asked_as_before(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 4)
    empty = result("row-2", "x")
    empty["response"]["body"]["choices"] = []
    failed = {"id": "b", "custom_id": "row-1", "response": None, "error": {"code": "expired"}}
    checked = rounds.go([refused("row-0"), failed, empty])
    assert (checked.failed, checked.reasked) == (4, 4)
    assert checked.problems.keys() == {"row-0", "row-1", "row-2", "row-3"}
    assert checked.problems["row-3"] == "no result"
    assert sorted(read(rounds.requests), key=lambda asked: str(asked["custom_id"])) == [
        request(number) for number in range(4)
    ]


def test_results_that_belong_to_nothing_are_named(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 2)
    rounds.rows.write_text(json.dumps(row(0)) + "\n")
    checked = rounds.go(
        [b"no JSON", {"id": "x"}, result("row-0", facts(0, True)), result("row-0", "twice"),
         result("row-1", facts(1, True)), result("nobody", facts(1, True))]
    )  # fmt: skip
    assert checked.passed == 1
    assert checked.problems.keys() == {"line 1", "line 2", "line 4", "row-1", "nobody"}


def test_an_answer_without_json_is_faulty(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 1)
    assert rounds.go([result("row-0", "I cannot say.")]).faulty == 1
    assert "json_invalid" in read(rounds.requests)[0]["body"]["messages"][-1]["content"]


def test_files_that_are_there_are_replaced_only_when_told(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 1)
    paths: dict[str, Any] = {
        "requests": rounds.requests, "rows": rounds.rows,
        "recordings": tmp_path / "calls.jsonl", "reasks": tmp_path / "reasks.jsonl",
    }  # fmt: skip
    results = write(tmp_path / "results.jsonl", [result("row-0", facts(0, True))])
    check_batch(Answer, results, **paths)
    before = contents(tmp_path)
    with pytest.raises(DatasetError, match="overwrite=True"):
        check_batch(Answer, results, **paths)
    with pytest.raises(DatasetError, match="input"):
        check_batch(Answer, results, **{**paths, "reasks": rounds.requests}, overwrite=True)
    check_batch(Answer, results, **paths, overwrite=True)
    assert contents(tmp_path) == before
    with pytest.raises(DatasetError, match="none"):
        check_batch(Answer, tmp_path / "none", **paths, overwrite=True)


def test_the_command_does_the_same(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, 2)
    write(tmp_path / "results.jsonl", [result(f"row-{n}", facts(n, n > 0)) for n in range(2)])
    done = run(
        "batch", "results.jsonl", "--requests", rounds.requests, "--rows", rounds.rows,
        "--recordings", "calls.jsonl", "--reasks", "again.jsonl",
        "--model", "tests.dataset.samples:Answer", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert done.stdout.decode().startswith("1 passed, 1 faulty, 0 unanswered; 1 requests")
    assert len(read(tmp_path / "again.jsonl")) == 1
