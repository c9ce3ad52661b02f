"""`groundtypes report` from outside: what it reads, what it writes, how it exits."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import QUOTE, REFERENCE, environment, read_rows, row, run, write_rows
from tests.report.pages import Page

GOOD = row(id="good")
BAD = row("lies on the Rhine", id="bad")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def call(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)])


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the answers of a page."""
    found: list[dict[str, Any]] = Page(path.read_text(encoding="utf-8")).data["rows"]
    return found


def test_what_check_writes_becomes_a_page(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD, b"{oops"])
    assert call("check", rows, "--audits", "audits.jsonl").exit_code == 1
    result = call("report", "audits.jsonl", "-o", "report.html", "--title", "Rivers")
    assert result.exit_code == 0, result.stderr
    assert "3 answers: 1 broken, 1 faulty, 1 ok" in result.stdout
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.elements["title"] == ["Rivers"]
    found = page.data["rows"]
    assert [(one["id"], one["state"]) for one in found] == [
        ("good", "ok"),
        ("bad", "faulty"),
        ("line 3", "broken"),
    ]
    (verdict,) = found[0]["answer"]["verdicts"]
    assert (verdict["check"], verdict["label"]) == ("Quoted", "exact")
    assert page.data["texts"] == [REFERENCE]


def test_the_clean_and_the_rejected_file_go_on_one_page(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD])
    call("check", rows, "--clean", "clean.jsonl", "--rejected", "rejected.jsonl")
    assert call("report", "clean.jsonl", "rejected.jsonl").exit_code == 0
    found = rows_of(tmp_path / "report.html")
    assert [(one["id"], one["state"]) for one in found] == [("good", "unjudged"), ("bad", "faulty")]


def test_rows_that_nobody_judged_are_not_ok(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD])
    result = call("report", rows)
    assert (result.exit_code, "2 answers: 2 unjudged" in result.stdout) == (0, True)
    assert "check --audits" in result.stdout


def test_every_row_is_kept_with_its_verdicts_and_as_it_was_given(tmp_path: Path) -> None:
    typography = row("LIES on\nthe  Seine")
    given = [GOOD, typography, BAD, {"answer": "no references"}, b"\xff"]
    rows = write_rows(tmp_path / "rows.jsonl", given)
    call("check", rows, "--audits", "audits.jsonl", "--rejected", "rejected.jsonl")
    audits = read_rows(tmp_path / "audits.jsonl")
    assert [one["line"] for one in audits] == [1, 2, 3, 4, 5]
    assert [one.get("row") for one in audits[:4]] == given[:4]
    assert [one["ok"] for found in audits for one in found["verdicts"]] == [True, True, False]
    assert audits[2:] == read_rows(tmp_path / "rejected.jsonl")


def test_an_overlong_line_is_named_among_the_audits_and_not_repeated(tmp_path: Path) -> None:
    long = b'{"answer": "' + b"x" * (65 * 2**20) + b'"}'
    rows = write_rows(tmp_path / "rows.jsonl", [long, GOOD])
    done = run("check", rows, "--audits", "audits.jsonl", "--rejected", "r.jsonl", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    audits = (tmp_path / "audits.jsonl").read_bytes()
    assert len(audits) < 10_000
    assert "MiB" in json.loads(audits.splitlines()[0])["error"]
    (rejected,) = read_rows(tmp_path / "r.jsonl")
    assert (rejected["offset"], rejected["bytes"]) == (0, len(long) + 1)


def test_audits_are_continued_like_the_other_outputs(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD] * 3)
    call("check", rows, "--audits", "whole.jsonl")
    bytes_ = b"".join(rows.read_bytes().splitlines(keepends=True)[:4])
    (tmp_path / "part.jsonl").write_bytes(bytes_ + b"{broken\n")
    stopped = call("check", "part.jsonl", "--audits", "a.jsonl", "--batch", 2, "--strict")
    assert stopped.exit_code == 2
    assert (tmp_path / "a.jsonl.partial").exists()
    resumed = call("check", "part.jsonl", "--audits", "a.jsonl", "--batch", 2, "--resume")
    assert resumed.exit_code == 1, resumed.stderr
    whole = (tmp_path / "whole.jsonl").read_bytes().splitlines()
    assert (tmp_path / "a.jsonl").read_bytes().splitlines()[:4] == whole[:4]


def test_several_workers_keep_the_same_audits(tmp_path: Path) -> None:
    overlong = b'{"answer": "' + b"x" * (65 * 2**20) + b'"}'
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD, b"{oops", overlong, GOOD])
    written = []
    for workers in (1, 2):
        options = ("--batch", 2, "--workers", workers, "--audits", f"{workers}.jsonl")
        done = run("check", rows, *options, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        written.append((tmp_path / f"{workers}.jsonl").read_bytes())
    assert written[0] == written[1]
    assert [json.loads(line)["line"] for line in written[0].splitlines()] == [1, 2, 3, 4, 5]


def test_parts_under_other_keys_are_found_where_the_options_say(tmp_path: Path) -> None:
    answer = {"citations": [{"quote": QUOTE}]}
    given = {"id": 1, "docs": [REFERENCE], "reply": answer, "asked": "Where?", "answer": "old"}
    audited = {"line": 1, "row": given, "verdicts": []}
    write_rows(tmp_path / "a.jsonl", [audited])
    keys = ("--answer", "reply", "--references", "docs", "--question", "asked")
    assert call("report", "a.jsonl", *keys).exit_code == 0
    (found,) = rows_of(tmp_path / "report.html")
    assert found["question"] == "Where?"
    assert [entry[0] for entry in found["references"]] == ["0"]
    assert [field["path"] for field in found["answer"]["fields"]] == ["citations.0.quote"]


def test_the_limit_bounds_what_is_shown_and_not_what_is_counted(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [GOOD] * 5)
    result = call("report", "a.jsonl", "--limit", 2)
    assert "5 answers" in result.stdout and "--limit" in result.stdout
    assert len(rows_of(tmp_path / "report.html")) == 2


def test_an_empty_file_makes_a_page_without_answers(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n\n")
    assert call("report", "a.jsonl").exit_code == 0
    assert rows_of(tmp_path / "report.html") == []


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [GOOD])
    result = call("report", "a.jsonl", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["none.jsonl"], "none.jsonl", id="no such file"),
        pytest.param(["."], "read", id="a folder"),
        pytest.param(["a.jsonl", "-o", "a.jsonl"], "same file", id="over its input"),
        pytest.param(["a.jsonl", "-o", "there"], "--overwrite", id="there already"),
        pytest.param(["a.jsonl", "-o", "no/page.html"], "does not exist", id="no folder"),
        pytest.param(["a.jsonl", "-o", "."], "not a regular file", id="over a folder"),
    ],
)
def test_a_mistake_is_reported_and_nothing_is_written(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    write_rows(tmp_path / "a.jsonl", [GOOD])
    (tmp_path / "there").write_text("precious")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    result = call("report", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_page_is_replaced_when_that_is_asked_for(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [GOOD])
    (tmp_path / "report.html").write_text("old")
    assert call("report", "a.jsonl").exit_code == 2
    assert call("report", "a.jsonl", "--overwrite").exit_code == 0
    assert len(rows_of(tmp_path / "report.html")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes")
def test_an_interrupted_report_leaves_no_page(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows")
    command = [sys.executable, "-m", "groundtypes", "report", "rows"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        # A suite that a shell started in the background ignores Ctrl-C, and so would its children.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 # no threads here
    )
    # Opening returns when the command reads: then it waits for a row.
    with (tmp_path / "rows").open("w"):
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Interrupted" in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]
