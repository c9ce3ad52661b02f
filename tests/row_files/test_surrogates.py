"""A lone surrogate, which JSON can write and UTF-8 cannot, ends no run and is in no output."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Figures, Grounded, Judges, NLIScores, Quote, audit
from groundtypes.dataset import build_dataset
from groundtypes.models import CitedAnswer
from groundtypes.row_files.json_lines import BrokenLineError, parse_line
from groundtypes.row_files.table_files import read_table
from groundtypes.testing import ScriptedNLI
from tests.command_line import read_rows, run, write_rows

LONE = "\ud800"
GIVEN: dict[str, Any] = {
    "id": "one",
    "question": "How tall?",
    "references": {"guide": "It is 330 metres tall."},
    "answer": {
        "answer": "330 m",
        "citations": [{"statement": "s", "reference": "guide", "quote": "330 metres tall"}],
    },
}


def rows_with_a_lone_surrogate() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a place, and the row with a lone surrogate there, for every text and every key."""
    text = json.dumps(GIVEN)
    for value in ("one", "How tall?", "It is 330 metres tall.", "330 m", "s", "330 metres tall"):
        yield value, json.loads(text.replace(f'"{value}"', f'"{value}\\ud800"'))
    for key in ("id", "guide", "citations", "quote"):
        yield f"key {key}", json.loads(text.replace(f'"{key}":', f'"{key}\\udfff":'))
    yield "JSON text", {**GIVEN, "answer": json.dumps(GIVEN["answer"]).replace("330 m", LONE)}


ROWS = dict(rows_with_a_lone_surrogate())


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": "\\ud800"}',
        b'{"a": [{"b": "x\\uDFFFy"}]}',
        b'{"a": {"\\udc00": 1}}',
        b'{"\\ud83d": 1}',
        b'{"a": "\\ude00\\ud83d"}',
    ],
)
def test_a_line_with_a_lone_surrogate_is_broken(line: bytes) -> None:
    with pytest.raises(BrokenLineError, match="a lone surrogate"):
        parse_line(line)


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert parse_line(b'{"a": "\\ud83d\\ude00 \\\\ud800"}') == {"a": "\U0001f600 \\ud800"}


def test_a_row_of_a_table_with_a_lone_surrogate_is_broken(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{"a": LONE}, {"a": "b"}])
    assert [row.broken is None for row in read_table(path)] == [False, True]


def test_no_command_ends_and_every_output_is_utf_8(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [*ROWS.values(), GIVEN])
    outputs = ("--clean", "c.jsonl", "--rejected", "r.jsonl", "--audits", "a.jsonl", "--json", "s")
    result = run("check", "rows.jsonl", *outputs, cwd=tmp_path)
    assert result.returncode == 1
    assert len(read_rows(tmp_path / "c.jsonl")) == 1
    assert len(read_rows(tmp_path / "r.jsonl")) == len(ROWS)
    page = ("report", "a.jsonl", "r.jsonl", "-o", "page.html")
    assert run(*page, cwd=tmp_path).returncode == 0
    dataset = ("dataset", "rows.jsonl", "--output", "data", "--policy", "drop-items")
    assert run(*dataset, cwd=tmp_path).returncode == 0
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        path.read_bytes().decode()


@pytest.mark.parametrize("data", ROWS.values(), ids=ROWS.keys())
def test_a_data_set_is_made_of_the_other_rows(tmp_path: Path, data: dict[str, Any]) -> None:
    built = build_dataset(CitedAnswer, [data, GIVEN], tmp_path)
    assert built.counts.clean == 1


class Answer(Grounded, judges=Judges(nli=ScriptedNLI(lambda _: NLIScores(0.0, 1.0, 0.0)))):
    notes: dict[str, str]
    quote: Quote
    text: Annotated[str, Entailed(), Figures()]


@pytest.mark.parametrize("as_json", [True, False])
def test_an_audit_of_such_texts_can_be_written(*, as_json: bool) -> None:
    data = {"notes": {LONE: LONE}, "quote": f"It is {LONE}", "text": f"5 {LONE}."}
    given = json.dumps(data, ensure_ascii=False) if as_json else data
    context = {"references": {LONE: f"It is {LONE} tall."}, "question": LONE}
    report = audit(Answer, given, context=context)
    assert not report.ok
    report.to_json().encode()
    report.to_html().encode()
    json.dumps(report.to_row()).encode()
    str(report.error).encode()
