"""`groundtypes calibrate` from outside: what it reads, what it writes, how it exits."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes import Calibration
from groundtypes.backends.operating_point import engine_id
from groundtypes.cli.app import app
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.testing import ScriptedNLI
from tests.calibration.rows import engine, overlapping, separated
from tests.command_line import write_rows


class _English(ScriptedNLI):
    languages = ("en",)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engines: dict[str, Any] = {"bundled": engine(), "large": _English(engine().rule)}
    monkeypatch.setattr("groundtypes.judges._named_engines", BoundedCache[str, Any](2))
    monkeypatch.setattr("groundtypes.judges.nli_by_name", engines.__getitem__)
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", separated())


def call(*arguments: object, judge: str = "bundled") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["calibrate", *map(str, arguments), "--judge", judge])


def test_the_calibration_and_the_figures_are_written(tmp_path: Path) -> None:
    result = call("rows.jsonl", "-o", "own.json", "--json", "figures.json")
    assert result.exit_code == 0, result.stderr
    found = Calibration.load(tmp_path / "own.json")
    assert 0.4 < found.threshold < 0.6
    assert found.engine == engine_id(engine())
    assert f"{found.threshold:.3f}" in result.stdout
    assert "20 supported, 20 unsupported" in result.stdout
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert figures["roc_auc"] == 1.0
    assert figures["wrongly_accepted"] == []


def test_a_goal_chooses_the_threshold(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "more.jsonl", overlapping())
    thresholds = []
    for number, options in enumerate(([], ["--precision", 0.9], ["--recall", 0.95])):
        result = call(rows, *options, "-o", f"{number}.json", "--quiet")
        assert (result.exit_code, result.stdout) == (0, "")
        thresholds.append(Calibration.load(tmp_path / f"{number}.json").threshold)
    plain, precise, complete = thresholds
    assert complete < plain < precise


def test_a_risk_gives_a_band_and_says_what_too_few_labels_lack(tmp_path: Path) -> None:
    many = write_rows(tmp_path / "many.jsonl", separated(90))
    result = call(many, "--risk", 0.05, "--json", "figures.json")
    assert result.exit_code == 0, result.stderr
    band = Calibration.load(tmp_path / "calibration.json").band
    assert band is not None
    assert (band.low, band.high) == (0.396667, 0.6)
    assert "Risk at most 0.05, with probability 0.95" in result.stdout
    assert "Nothing is" not in result.stdout
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert figures["review"]["accepted"]["decided"] == 90
    few = call("rows.jsonl", "--risk", 0.05, "--overwrite")
    assert "that takes 72 labelled texts below the threshold, and there are 20" in few.stdout
    strict = call("rows.jsonl", "--risk", 0.3, "--delta", 0.2, "--overwrite")
    assert "Nothing is" not in strict.stdout


_MISTAKES: dict[str, tuple[list[object], str]] = {
    "no file": (["none.jsonl"], "none.jsonl"),
    "an empty file": (["empty.jsonl"], "at least 10"),
    "a broken row": (["broken.jsonl"], "Row 1"),
    "two goals": (["rows.jsonl", "--precision", 0.9, "--recall", 0.9], "--precision or --recall"),
    "a risk of zero": (["rows.jsonl", "--risk", 0], "--risk"),
    "a goal above one": (["rows.jsonl", "--recall", 3], "--recall"),
    "a column that no row has": (["rows.jsonl", "--label", "gold"], "'gold'"),
    "the input as output": (["rows.jsonl", "-o", "rows.jsonl", "--overwrite"], "same file"),
    "an output that exists": (["rows.jsonl", "--json", "empty.jsonl"], "--json exists"),
}


@pytest.mark.parametrize(("arguments", "told"), _MISTAKES.values(), ids=_MISTAKES.keys())
def test_a_mistake_is_one_line_and_nothing_is_written(
    tmp_path: Path, arguments: list[Any], told: str
) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "broken.jsonl").write_bytes(b"{oops\n")
    result = call(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "calibration.json").exists()


def test_an_output_is_replaced_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text("{}", encoding="utf-8")
    assert call("rows.jsonl").exit_code == 2
    assert path.read_text(encoding="utf-8") == "{}"
    assert call("rows.jsonl", "--overwrite").exit_code == 0
    assert json.loads(path.read_bytes())["format"] == "groundtypes calibration 1"


def test_columns_and_left_out_rows_are_told(tmp_path: Path) -> None:
    rows = [{"claim": row.pop("text"), "gold": row.pop("label"), **row} for row in separated()]
    rows.append({"claim": "x", "gold": None})
    path = write_rows(tmp_path / "named.jsonl", rows)
    result = call(path, "--text", "claim", "--label", "gold")
    assert result.exit_code == 0, result.stderr
    assert "left out: 1 without a label" in result.stdout


def test_a_row_that_cannot_be_judged_is_left_out_and_named(tmp_path: Path) -> None:
    german = "Die Brücke wurde im Jahr 1932 nicht eröffnet und niemand hat sie gesehen."
    rows = [*separated(), {"text": german, "references": ["The tower."], "label": True}]
    path = write_rows(tmp_path / "languages.jsonl", rows)
    result = call(path, judge="large")
    assert result.exit_code == 1, result.stderr
    assert "1 that could not be judged" in " ".join(result.stdout.split())
    assert "line 41: " in result.stderr
    assert (tmp_path / "calibration.json").exists()
    raised = call(path, "--on-mistake", "raise", "--overwrite", judge="large")
    assert raised.exit_code == 2
