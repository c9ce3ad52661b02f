"""What cannot be a row is named with its line and kept; the others are written all the same."""

from pathlib import Path
from typing import Any

import pytest

from groundtypes.dataset import Progress, build_dataset
from groundtypes.errors import DatasetError
from tests.command_line import run
from tests.dataset.samples import Answer, call, facts, read, row, write


class BrokenLines(Progress):
    """The broken lines of a run, with their reasons."""

    def __init__(self) -> None:
        self.lines: dict[int, str] = {}

    def broken(self, number: int, reason: str) -> None:
        self.lines[number] = reason


def without(given: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != key}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1, 2]", "not an object"),
        (b"[" * 5000, "nested"),
        (b'{"a": 1, "a": 2}', "twice"),
        (without(row(1), "references"), "no references"),
        (row(1, references=[{"nothing": 1}]), "unreadable references"),
        (without(row(1), "question"), "no question and no messages"),
        (row(1, question=["When?"]), "not text"),
        # The question beside them may be another one.
        (row(1, messages=[{"role": "user", "content": [{"type": "image"}]}]), "not all text"),
        (row(1, messages=[{"from": "human", "value": "When?"}]), "not all text"),
        ({"attempts": "x"}, "references"),
        ({"attempts": [7]}, "not a recorded call"),
        ({**call(1, facts(1, True)).to_dict(), "references": None}, "without references"),
        ({**call(1).to_dict()}, "not all text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_broken_line_is_named_and_kept(tmp_path: Path, bad: Any, said: str) -> None:
    rows = write(tmp_path / "rows.jsonl", [row(5), bad, row(6)])
    progress = BrokenLines()
    built = build_dataset(Answer, rows, tmp_path / "out", progress=progress)
    assert progress.lines.keys() == {2}
    assert said in progress.lines[2]
    (kept,) = read(tmp_path / "out" / "rejected.jsonl")
    assert kept["line"] == 2
    assert said in kept["error"]
    assert "row" in kept or "raw" in kept
    assert built.manifest["counts"]["broken"] == 1
    assert built.manifest["counts"]["supervised train"] == 2


def test_a_row_of_another_schema_is_rejected_with_every_fault(tmp_path: Path) -> None:
    build_dataset(Answer, [row(1, answer={"answer": "other", "facts": 7})], tmp_path)
    (kept,) = read(tmp_path / "rejected.jsonl")
    assert [verdict["slug"] for verdict in kept["verdicts"]] == ["list_type"]


def test_a_row_of_50_mb_is_read_and_the_place_of_a_longer_one_noted(tmp_path: Path) -> None:
    long = row(1, note="x" * 50_000_000)
    longer = b'{"references": "' + b"y" * 70_000_000 + b'"}'
    rows = write(tmp_path / "rows.jsonl", [row(5), long, longer, row(6)])
    built = build_dataset(Answer, rows, tmp_path / "out", workers=2, batch=1)
    assert built.manifest["counts"]["supervised train"] == 3
    (kept,) = read(tmp_path / "out" / "rejected.jsonl")
    assert kept["line"] == 3
    assert kept["error"] == "longer than 64 MiB"
    noted = rows.read_bytes()[kept["offset"] : kept["offset"] + kept["bytes"]]
    assert noted == longer + b"\n"


def test_a_model_whose_module_fails_is_told_in_a_line_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f():\n    raise RuntimeError('no such thing')\nf()\n")
    write(tmp_path / "rows.jsonl", [row(1)])
    done = run("dataset", "rows.jsonl", "--output", "out", "--model", "broken:M", cwd=tmp_path)
    assert done.returncode == 2
    assert b"broken.py:2" in done.stderr
    assert b"RuntimeError: no such thing" in done.stderr
    assert b"Traceback" not in done.stderr


def test_workers_need_a_model_that_can_be_imported(tmp_path: Path) -> None:
    class Local(Answer):
        pass

    with pytest.raises(DatasetError, match="imported"):
        build_dataset(Local, [row(1)], tmp_path, workers=2)


def test_what_is_no_row_is_named_with_its_number(tmp_path: Path) -> None:
    rows: Any = [row(1), "text"]
    with pytest.raises(DatasetError, match="Row 2 is no mapping, but 'text'"):
        build_dataset(Answer, rows, tmp_path)


def test_a_missing_file_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none\.jsonl"):
        build_dataset(Answer, tmp_path / "none.jsonl", tmp_path / "out")


def test_the_input_is_never_a_file_of_the_data_set(tmp_path: Path) -> None:
    build_dataset(Answer, [row(1, good=False)], tmp_path)
    with pytest.raises(DatasetError, match="itself"):
        build_dataset(Answer, tmp_path / "rejected.jsonl", tmp_path, overwrite=True)
    assert len(read(tmp_path / "rejected.jsonl")) == 1


def test_an_empty_input_gives_an_empty_data_set(tmp_path: Path) -> None:
    built = build_dataset(Answer, write(tmp_path / "rows.jsonl", []), tmp_path / "out")
    assert built.manifest["counts"]["rows"] == 0
    assert sorted(built.files) == ["README.md", "manifest.json"]
