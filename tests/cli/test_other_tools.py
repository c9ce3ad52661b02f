"""Files of Ragas, DeepEval and TruLens are checked without any option."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import read_rows, row, write_rows

TEXTS = ["The tower is 330 metres tall.", 'It wasn\'t "finished" before 1889.']
ANSWERS = ["The tower is 330 metres tall.", "The tower is 450 metres tall."]
RAGAS = [
    {"user_input": "How tall?", "retrieved_contexts": TEXTS, "response": answer, "reference": "9 m"}
    for answer in ANSWERS
]
DEEPEVAL = [
    {
        "input": "How tall?", "actual_output": answer, "expected_output": "9 m",
        "retrieval_context": TEXTS, "context": None, "name": None,
    }
    for answer in ANSWERS
]  # fmt: skip
TRULENS = [
    {"input": "How tall?", "output": answer, "contexts": TEXTS, "Groundedness": float("nan")}
    for answer in ANSWERS
]


def _csv(path: Path, rows: list[dict[str, Any]], written: Callable[[list[str]], str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for each in rows:
            writer.writerow(
                {
                    name: written(value) if isinstance(value, list) else value
                    for name, value in each.items()
                }
            )
    return path


def _numpy(texts: list[str]) -> str:
    return "[" + "\n ".join(map(repr, texts)) + "]"


def _deepeval(path: Path) -> Path:
    path.write_text(json.dumps(DEEPEVAL, indent=4), encoding="utf-8")
    return path


def _parquet(path: Path) -> Path:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(TRULENS), path)
    return path


FILES: dict[str, Callable[[Path], Path]] = {
    "Ragas, JSON Lines": lambda folder: write_rows(folder / "rows.jsonl", RAGAS),
    "Ragas, CSV of Python": lambda folder: _csv(folder / "rows.csv", RAGAS, str),
    "Ragas, CSV of pandas": lambda folder: _csv(folder / "rows.csv", RAGAS, _numpy),
    "DeepEval, JSON": lambda folder: _deepeval(folder / "rows.json"),
    "TruLens, CSV": lambda folder: _csv(folder / "rows.csv", TRULENS, json.dumps),
    "TruLens, Parquet": lambda folder: _parquet(folder / "rows.parquet"),
}


def check(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["check", *map(str, arguments)])


@pytest.mark.parametrize("written", FILES.values(), ids=FILES)
def test_a_file_of_another_tool_is_checked(tmp_path: Path, written: Callable[[Path], Path]) -> None:
    rows, clean, summary = written(tmp_path), tmp_path / "clean", tmp_path / "summary"
    result = check(rows, "--clean", clean, "--json", summary)
    assert result.exit_code == 1, result.output
    assert f"{rows.name}:2: answer: " in result.output
    assert "330 metres" in result.output
    assert "Answers of plain text: 2. Their model is groundtypes.models:EntailedAnswer" in (
        result.output
    )
    [kept] = read_rows(clean)
    assert ANSWERS[0] in kept.values()
    assert TEXTS in kept.values()
    counts = json.loads(summary.read_text(encoding="utf-8"))
    assert (counts["clean"], counts["rejected"], counts["broken"]) == (1, 1, 0)
    assert counts["models"] == {"groundtypes.models:EntailedAnswer": 2}


def test_each_row_gets_the_model_of_its_form(tmp_path: Path) -> None:
    cited = {key: value for key, value in row().items() if key != "references"}
    texts = ["", "  ", '{"answer": "cut', "Paris is the capital of France."]
    rows = [row(), *({**row(), "answer": cited} for _ in range(2))]
    rows += [{"references": row()["references"], "response": text} for text in texts]
    summary = tmp_path / "summary"
    check(write_rows(tmp_path / "rows.jsonl", rows), "--json", summary, "--workers", 2)
    counts = json.loads(summary.read_text(encoding="utf-8"))
    assert counts["models"] == {
        "groundtypes.models:CitedAnswer": 6,
        "groundtypes.models:EntailedAnswer": 1,
    }
    assert (counts["clean"], counts["rejected"]) == (4, 3)


def test_a_named_model_reads_plain_text_too(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", RAGAS)
    result = check(rows, "--model", "groundtypes.models:CitedAnswer")
    assert result.exit_code == 1
    assert "Answers of plain text" not in result.output
    assert "json_invalid" in result.output


def test_an_interrupted_run_over_a_table_goes_on(tmp_path: Path) -> None:
    rows = _csv(tmp_path / "rows.csv", RAGAS, str)
    rows.write_text(rows.read_text("utf-8") + "one cell\n" + "a,b,It is.,c\n", "utf-8")
    stopped = check(rows, "--audits", tmp_path / "a", "--batch", 1, "--strict")
    assert stopped.exit_code == 2
    assert "Line 3 is broken" in stopped.output
    assert check(rows, "--audits", tmp_path / "a", "--batch", 1, "--resume").exit_code == 1
    assert check(rows, "--audits", tmp_path / "b", "--batch", 1).exit_code == 1
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_broken_row_of_a_table_breaks_no_other(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("contexts,context,answer\na,a,It is.,x\nIt is tall.,It is wide.,It is tall.\n")
    result = check(rows)
    assert result.exit_code == 1
    assert "line 1: not an object but a text: its number of cells differs" in result.output
    assert "line 2: the keys 'context' and 'contexts' hold different values for" in result.output


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_an_estimate_of_a_table_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PAR1")
    result = check(tmp_path / name, "--estimate")
    assert result.exit_code == 2
    assert "JSON Lines" in result.output
