"""What a run prints: the first faults, the share of each kind, and what people say."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from groundtypes.cli.printed_results import print_job_result
from groundtypes.cli.terminal import PlainConsole
from groundtypes.dataset import JobResult, RunCounts
from groundtypes.row_files.line_faults import LineFault
from tests.command_line import row, write_rows

GOOD = row()
BAD = row("lies on the Rhine")


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def printed(columns: int, *faults: LineFault) -> list[str]:
    """Return the lines that a terminal of this width shows, without the styles of a table."""
    file = io.StringIO()
    console = PlainConsole(file=file, force_terminal=True, width=columns)
    counts = RunCounts(rows=3, clean=1, rejected=2)
    counts.kinds.count("quote_in_other_reference", 2)
    counts.people.update({"rejected unsupported": 2, "clean unsupported": 1})
    print_job_result(console, "folder/rows.jsonl", JobResult(counts, 1.0, {}), faults, {})
    return re.sub(r"\x1b\[(?:0|1|3)m", "", file.getvalue()).split("\n")


def fault(**texts: Any) -> LineFault:
    return LineFault(7, "citations.0.quote", "quote_altered", **{"message": "Wrong.", **texts})


@pytest.mark.parametrize("columns", [36, 40, 80])
def test_no_line_is_longer_than_the_terminal(columns: int) -> None:
    long = "word " * 200
    lines = printed(columns, fault(message=long, said=long, evidence="京 " * 100, reference="r"))
    assert max(map(len, lines)) <= columns
    assert sum("word" in line for line in lines) in ((2,) if columns < 60 else range(15, 30))
    text = " ".join(" ".join(lines).split())
    assert "precision 100.0%" in text and "recall 66.7%" in text


def test_a_narrow_terminal_has_a_line_each_for_place_fault_message_and_reference() -> None:
    lines = printed(40, fault(said="the Rhine", evidence="the Seine", reference="paris"))
    at = lines.index("rows.jsonl:7:")
    assert [line.strip() for line in lines[at + 1 : at + 5]] == [
        "citations.0.quote: quote_altered",
        "Wrong.",
        'answer: "the Rhine"',
        'reference paris: "the Seine"',
    ]


def test_what_the_message_says_is_not_said_again() -> None:
    given = fault(message='It says: "the Seine".', evidence="the Seine", said="the Seine")
    assert not [line for line in printed(80, given) if line.startswith(("  answer", "  reference"))]


def test_the_texts_of_a_fault_are_printed_without_what_a_terminal_obeys() -> None:
    hostile = "\x1b[31m\x07[bold]x[/bold]\u202e\nnext"
    given = LineFault(1, hostile, hostile, hostile, hostile + "1", hostile, hostile + "2")
    for columns in (40, 80):
        text = "\n".join(printed(columns, given))
        assert not [mark for mark in ("\x1b", "\x07", "\u202e", "\nnext") if mark in text]
        assert "[bold]" in text


def test_the_part_of_the_answer_and_the_words_of_the_reference_are_shown(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row("Seine")])
    lines = [line.strip() for line in check(rows).stdout.splitlines()]
    assert lines[1] == f"{rows}:1: citations.0.quote: quote_too_short"
    assert lines[3] == 'answer: "Seine"'


def labelled(*labels: Any) -> list[dict[str, Any]]:
    return [row("lies on the Rhine" if bad else "lies on the Seine", people_say=label)
            for bad, label in labels]  # fmt: skip


def test_what_people_say_is_compared_with_what_is_rejected(tmp_path: Path) -> None:
    pairs = [(True, "contradiction"), (True, "neutral"), (True, True), (False, "supported"),
             (False, 0), (False, 1), (False, None), (False, "perhaps")]  # fmt: skip
    rows = write_rows(tmp_path / "rows.jsonl", [*labelled(*pairs), b"{"])
    result = check(rows, "--json", tmp_path / "summary.json", "--workers", 2, "--batch", 1)
    assert "People agree on 4 of 6 rows (66.7%).\n" in result.stdout
    assert "Of 3 rejected rows, people call 2 unsupported: precision 66.7%\n" in result.stdout
    assert "Of 3 rows that people call unsupported, 2 are rejected: recall 66.7%" in result.stdout
    assert "Left out: 1 labels" in result.stdout
    agreement = json.loads((tmp_path / "summary.json").read_bytes())["agreement"]
    assert (agreement["rows"], agreement["agreed"], agreement["left_out"]) == (6, 4, 1)


def test_a_row_that_was_not_judged_agrees_with_nobody(tmp_path: Path) -> None:
    counts = RunCounts()
    counts.people.update({"unjudged unsupported": 2})
    assert counts.agreement["rows"] == 0
    assert counts.agreement["left_out"] == 2
    assert counts.agreement["precision"] is counts.agreement["agreement"] is None


def test_labels_may_have_another_key_which_some_row_must_have(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row(verdict="no"), row(verdict="yes")])
    assert "People agree on 1 of 2 rows" in check(rows, "--label", "verdict").stdout
    assert "People" not in check(rows).stdout
    wrong = check(rows, "--label", "verdicts")
    assert wrong.exit_code == 2 and "--label" in wrong.stderr


def test_counts_of_labels_and_kinds_are_read_back() -> None:
    counts = RunCounts()
    counts.people.update({"rejected unsupported": 2})
    counts.kinds.count("refused")
    again = RunCounts.from_dict(json.loads(json.dumps(counts.to_dict())))
    again.merge(counts)
    assert again.people["rejected unsupported"] == 4
    assert again.kinds["refused"] == 2
