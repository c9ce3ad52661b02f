"""The faults of a run for other programs: SARIF, JUnit, GitHub's annotations, and JSON."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from groundtypes.cli.formats import Format, formatted
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.line_faults import LineFault
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
    assert (len(suite.findall("*/failure")), len(suite.findall("*/error"))) == (2, 1)


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


def test_a_share_that_is_no_binary_fraction_is_reached(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD] * 7 + [BAD] * 93)
    assert check(rows, "--fail-under", 0.07, "--quiet").exit_code == 0


def test_what_a_program_reads_is_printed_with_quiet_too(rows: str) -> None:
    log = json.loads(check(rows, "--format", "sarif", "--quiet").stdout)
    assert len(log["runs"][0]["results"]) == 3


def test_names_and_spaces_are_kept() -> None:
    fault = LineFault(1, "(answer)", "slug", "330\u00a0metres\tand\u200b more")
    assert formatted("github", "a\u00a0b", [fault], RunCounts()) == (
        "::error file=a b,line=1,title=slug::(answer): 330 metres and more"
    )
    log = json.loads(formatted("sarif", "a:b.jsonl", [fault], RunCounts()))
    [result] = log["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "a%3Ab.jsonl"


@pytest.mark.parametrize("form", ["sarif", "junit", "json"])
def test_files_are_the_same_in_every_encoding(form: Format) -> None:
    fault = LineFault(1, "(answer)", "slug", "京 é \U0001f600 \ud800")
    text = formatted(form, "rows.jsonl", [fault], RunCounts())
    assert text.isascii()
    if form == "junit":
        assert "京 é \U0001f600" in (ET.fromstring(text)[0][0][0].get("message") or "")  # noqa: S314 # our own
    else:
        assert "京 é \U0001f600" in json.dumps(json.loads(text), ensure_ascii=False)


def test_a_run_in_a_cluster_has_no_format_that_would_lack_its_faults(rows: str) -> None:
    result = check(rows, "--engine", "ray", "--format", "sarif")
    assert result.exit_code == 2
    assert "--rejected FILE" in result.stderr
    assert not result.stdout
