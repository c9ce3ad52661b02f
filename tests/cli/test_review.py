"""`groundtypes check --review`: rows that a person should look at are kept apart and counted."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes import Judges
from groundtypes.backends.operating_point import ReviewBand
from groundtypes.cli.app import app
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.dataset import CheckOptions, Job, RunCounts, audited_rows
from groundtypes.report import Report
from groundtypes.row_files.answer_rows import Keys
from groundtypes.testing import ScriptedNLI
from tests.backends.test_operating_point import calibration
from tests.calibration.rows import GUIDE, engine
from tests.cli.models import Statement
from tests.command_line import read_rows, write_rows

SCORES = (0.95, 0.7, 0.1, 0.4, 0.9)


class OtherNLI(ScriptedNLI):
    """Another engine."""


def scored(number: int, score: float, **more: Any) -> dict[str, Any]:
    answer = {"answer": f"The tower scores {score:.2f} here."}
    return {"id": f"row {number}", "references": {"guide": GUIDE}, "answer": answer, **more}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engines: dict[str, Any] = {"bundled": engine(), "large": OtherNLI(engine().rule)}
    monkeypatch.setattr("groundtypes.judges._named_engines", BoundedCache[str, Any](2))
    monkeypatch.setattr("groundtypes.judges.nli_by_name", engines.__getitem__)
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", [scored(n, score) for n, score in enumerate(SCORES)])
    band = ReviewBand(low=0.3, high=0.8, risk=0.05, delta=0.05)
    calibration(0.5, engine(), band=band).save(tmp_path / "band.json")
    calibration(0.5, engine()).save(tmp_path / "plain.json")


def check(*arguments: object, judge: str = "bundled", band: str = "band.json") -> Result:
    options = ["--model", "tests.cli.models:Statement", "--judge", judge, "--calibration", band]
    return CliRunner().invoke(app, ["check", "rows.jsonl", *options, *map(str, arguments)])


@pytest.mark.parametrize("option", ["--clean", "--json", "--write-baseline"])
def test_the_calibration_is_not_replaced(tmp_path: Path, option: str) -> None:
    content = (tmp_path / "band.json").read_bytes()
    result = check(option, "band.json", "--overwrite")
    assert result.exit_code == 2
    assert "the same file" in result.stderr
    assert (tmp_path / "band.json").read_bytes() == content


def test_each_row_is_in_one_file_and_those_to_review_say_why(tmp_path: Path) -> None:
    files = ["--clean", "clean.jsonl", "--rejected", "rejected.jsonl", "--review", "review.jsonl"]
    result = check(*files, "--json", "summary.json")
    assert result.exit_code == 1, result.output
    clean, rejected, review = (
        read_rows(tmp_path / f"{name}.jsonl") for name in ("clean", "rejected", "review")
    )
    assert [row["id"] for row in clean] == ["row 0", "row 4"]
    assert [row["line"] for row in rejected] == [3]
    assert [(row["line"], row["id"], row["score"], row["decision"]) for row in review] == [
        (2, "row 1", 0.7, "review"),
        (4, "row 3", 0.4, "review"),
    ]
    assert review[0]["why"] == "answer: The score 0.700 of Entailed neither accepts nor rejects it."
    assert review[0]["row"] == scored(1, 0.7)
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert (summary["rows"], summary["clean"], summary["rejected"], summary["review"]) == (
        5, 2, 1, 2,
    )  # fmt: skip
    assert "to review" in result.stdout
    # What is in doubt is counted as no fault.
    assert summary["verdicts"]["Entailed"] == {"holds": 2, "review": 2, "not_entailed": 1}
    assert summary["kinds"] == {"not_entailed": 1}
    assert RunCounts.from_dict(summary).review == 2


def test_without_a_file_to_review_no_row_is_lost(tmp_path: Path) -> None:
    result = check("--clean", "clean.jsonl", "--rejected", "rejected.jsonl")
    rejected = read_rows(tmp_path / "rejected.jsonl")
    assert [(row["line"], row.get("decision")) for row in rejected] == [
        (2, "review"),
        (3, None),
        (4, "review"),
    ]
    assert "--review" not in result.stdout
    assert "add --review FILE" in check().stdout


def test_a_calibration_without_a_band_leaves_nothing_to_review(tmp_path: Path) -> None:
    result = check("--review", "review.jsonl", "--json", "summary.json", band="plain.json")
    assert result.exit_code == 1
    assert read_rows(tmp_path / "review.jsonl") == []
    assert json.loads((tmp_path / "summary.json").read_bytes())["review"] == 0
    assert "to review" not in result.stdout


def test_a_row_that_cannot_be_judged_is_to_be_reviewed_and_counted_as_unjudged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class English(ScriptedNLI):
        languages = ("en",)

    english = English(engine().rule)
    monkeypatch.setattr("groundtypes.judges.nli_by_name", lambda _: english)
    monkeypatch.setattr("groundtypes.judges._named_engines", BoundedCache[str, Any](2))
    band = ReviewBand(low=0.3, high=0.8, risk=0.05, delta=0.05)
    calibration(0.5, english, band=band).save(tmp_path / "english.json")
    german = {"answer": "Der Turm ist sehr hoch, und er steht seit vielen Jahren am Ufer."}
    write_rows(tmp_path / "rows.jsonl", [scored(0, 0.95), scored(1, 0.9) | {"answer": german}])
    files = ["--review", "review.jsonl", "--rejected", "rejected.jsonl", "--json", "summary.json"]
    assert check(*files, band="english.json").exit_code == 1
    summary = json.loads((tmp_path / "summary.json").read_bytes())
    assert (summary["clean"], summary["review"], summary["unjudged"]) == (1, 0, 1)
    [row] = read_rows(tmp_path / "review.jsonl")
    assert (row["line"], row["id"], row["score"], row["judged"]) == (2, "row 1", None, False)
    assert row["why"] == row["error"] != ""
    assert read_rows(tmp_path / "rejected.jsonl") == []


def test_the_exit_code_counts_clean_rows_alone() -> None:
    assert check("--fail-under", 0.4, "--quiet").exit_code == 0
    assert check("--fail-under", 0.41, "--quiet").exit_code == 1


def test_a_calibration_of_another_engine_is_a_mistake_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    for judge, band in (("large", "band.json"), ("bundled", "none.json")):
        result = check("--review", "review.jsonl", judge=judge, band=band)
        assert result.exit_code == 2, result.output
    assert not (tmp_path / "review.jsonl").exists()


def test_an_interrupted_run_is_not_continued_with_another_band(tmp_path: Path) -> None:
    def identity(path: str) -> Any:
        judges = Judges(nli=engine(), calibration=tmp_path / path)
        return CheckOptions(dict, "dict", judges=judges).identity

    assert identity("band.json") == identity("band.json") != identity("plain.json")


@pytest.mark.parametrize("form", ["sarif", "github", "junit", "json"])
def test_other_programs_are_told_apart_what_is_in_doubt(form: str) -> None:
    printed = check("--format", form).stdout
    if form == "sarif":
        results = json.loads(printed)["runs"][0]["results"]
        found = sorted((each["level"], each["ruleId"]) for each in results)
        assert found == [("error", "not_entailed"), ("note", "review"), ("note", "review")]
    elif form == "github":
        kinds = [line.split(" ")[0] for line in printed.splitlines()]
        assert sorted(kinds) == ["::error", "::notice", "::notice"]
    elif form == "junit":
        suite = ET.fromstring(printed)[0]  # noqa: S314 # our own
        assert (suite.get("failures"), suite.get("skipped")) == ("1", "2")
        assert (len(suite.findall("*/failure")), len(suite.findall("*/skipped"))) == (1, 2)
    else:
        summary = json.loads(printed)
        assert summary["review"] == 2
        assert [each["slug"] for each in summary["faults"]] == ["review", "not_entailed", "review"]


def test_several_workers_and_another_size_of_batch_write_the_same(tmp_path: Path) -> None:
    def written(name: str, **options: Any) -> bytes:
        judges = Judges(nli=engine(), calibration=tmp_path / "band.json")
        found = CheckOptions(Statement, "Statement", Keys(), "raise", judges)
        path = tmp_path / name
        Job(options=found, source=tmp_path / "rows.jsonl", review=path, **options).run()
        return path.read_bytes()

    assert written("one", batch=1) == written("two", batch=2) == written("all") != b""


def test_the_report_shows_the_state(tmp_path: Path) -> None:
    check("--review", "review.jsonl", "--audits", "audits.jsonl", "--rejected", "rejected.jsonl")
    for name, states in (
        ("review", {"review": 2}),
        ("rejected", {"faulty": 1}),
        ("audits", {"ok": 2, "review": 2, "faulty": 1}),
    ):
        report = Report(audited_rows([tmp_path / f"{name}.jsonl"], Keys()))
        assert report.summary.states == states


def test_a_baseline_accepts_no_row_that_a_person_should_look_at(tmp_path: Path) -> None:
    assert check("--write-baseline", "baseline.json", "--quiet").exit_code == 1
    found = check("--baseline", "baseline.json", "--format", "json")
    assert json.loads(found.stdout)["baseline"] == {"old": 1, "new": 2, "gone": 0}
    assert found.exit_code == 1
