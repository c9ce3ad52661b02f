"""The faults of a run for other programs: SARIF, JUnit, GitHub's annotations, and JSON."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import row, write_rows

GOOD = row()
BAD = row("lies on the Rhine")


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    path = write_rows(tmp_path / "rows, new.jsonl", [GOOD, BAD, GOOD, BAD])
    with path.open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    return path.name


def test_sarif_has_the_file_and_the_line_of_each_fault(rows: str) -> None:
    result = check(rows, "--format", "sarif")
    assert result.exit_code == 1
    log: dict[str, Any] = json.loads(result.stdout)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    found = [
        (
            each["ruleId"],
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            each["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for each in run["results"]
    ]
    assert sorted(found, key=lambda each: each[2]) == [
        ("quote_altered", "rows%2C%20new.jsonl", 2),
        ("quote_altered", "rows%2C%20new.jsonl", 4),
        ("not_judged", "rows%2C%20new.jsonl", 5),
    ]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {"quote_altered", "not_judged"}
    assert all(each["message"]["text"] and each["level"] == "error" for each in run["results"])


def test_github_annotates_the_lines(rows: str) -> None:
    lines = check(rows, "--format", "github").stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(
        "::error file=rows%2C new.jsonl,line=2,title=quote_altered::citations.0.quote: "
    )


def test_junit_counts_all_rows_and_has_those_with_faults(rows: str) -> None:
    suite = ET.fromstring(check(rows, "--format", "junit").stdout)[0]  # noqa: S314 # our own
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "1")
    assert sorted(case.get("name") or "" for case in suite) == ["line 2", "line 4", "line 5"]


def test_json_has_the_counts_and_the_faults(rows: str) -> None:
    summary = json.loads(check(rows, "--format", "json").stdout)
    assert (summary["rows"], summary["clean"], summary["rejected"]) == (5, 2, 2)
    assert {fault["line"] for fault in summary["faults"]} == {2, 4, 5}


@pytest.mark.parametrize("form", ["sarif", "github", "junit", "json"])
def test_hostile_texts_break_no_format(tmp_path: Path, form: str) -> None:
    hostile = row('lies on \0\x1b[31m ]]> " < & % :: \n::error::x\n \ud800 the Rhine')
    rows = write_rows(tmp_path / "rows.jsonl", [hostile])
    result = check(rows, "--format", form)
    assert result.exit_code == 1, result.output
    if form == "junit":
        assert len(ET.fromstring(result.stdout)[0]) == 1  # noqa: S314 # our own
    elif form == "github":
        [line] = result.stdout.splitlines()
        assert line.count("::") >= 2 and "\x1b" not in line
    else:
        json.loads(result.stdout)


def test_a_share_of_clean_rows_may_be_enough(rows: str) -> None:
    assert check(rows, "--fail-under", 0.4, "--quiet").exit_code == 0
    assert check(rows, "--fail-under", 0.41, "--quiet").exit_code == 1
    assert check(rows, "--fail-under", 1.5).exit_code == 2
