"""Faults that are accepted: written once, ignored later, and told from new ones."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from groundtypes.cli.baselines import Baseline, fingerprint
from groundtypes.row_files.line_faults import LineFault, row_name
from tests.command_line import read_rows, row, write_rows

HEAD = b'{"format": "groundtypes baseline", "version": 1, '
HEAD += b'"model": "groundtypes.models:CitedAnswer", '
FAULT = b'{"row": "1", "place": "a", "slug": "b"}'
GOOD = row()
BAD = row("lies on the Rhine")
OTHER = row("Seine")


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*rows: Any) -> str:
    return write_rows(Path("rows.jsonl"), rows).name


def accepted(*rows: Any) -> str:
    """Accept the faults of these rows, and return the file."""
    result = check(write(*rows), "--write-baseline", "baseline.json", "--overwrite", "--quiet")
    assert result.exit_code == 0, result.output
    return "baseline.json"


def test_only_new_faults_fail_and_old_ones_are_not_printed() -> None:
    baseline = accepted(GOOD, {**BAD, "id": 1}, OTHER)
    same = check("rows.jsonl", "--baseline", baseline)
    assert same.exit_code == 0
    assert "Faults: 0 new; of the baseline, 2 old and 0 gone." in same.stdout
    assert "rows.jsonl:" not in same.stdout
    moved = write(OTHER, GOOD, GOOD, {**OTHER, "id": 2}, {**BAD, "id": 1})
    result = check(moved, "--baseline", baseline)
    assert result.exit_code == 1
    assert "Faults: 1 new; of the baseline, 2 old and 0 gone." in result.stdout
    assert "The first new faults (1 of 1):\nrows.jsonl:4: " in result.stdout
    assert check(moved, "--baseline", baseline, "--workers", 2, "--batch", 1).exit_code == 1


def test_the_share_of_fail_under_counts_rows_with_old_faults_alone_as_clean() -> None:
    baseline = accepted(BAD)
    rows = write(BAD, OTHER, GOOD, GOOD)
    assert check(rows, "--baseline", baseline, "--fail-under", 0.75).exit_code == 0
    assert check(rows, "--baseline", baseline, "--fail-under", 0.76).exit_code == 1
    assert check(rows, "--fail-under", 0.75).exit_code == 1


def test_faults_that_are_gone_are_counted_and_left_out_of_the_next_baseline() -> None:
    baseline = accepted(BAD, OTHER)
    result = check(write(BAD, GOOD), "--baseline", baseline)
    assert result.exit_code == 0
    assert "0 new; of the baseline, 1 old and 1 gone." in result.stdout
    accepted(BAD, GOOD)
    assert [fault["slug"] for fault in json.loads(Path(baseline).read_bytes())["faults"]] == [
        "quote_altered"
    ]


def test_another_fault_in_the_same_row_is_new() -> None:
    baseline = accepted({**BAD, "id": 7})
    citations = [*BAD["citations"], {"statement": "s", "quote": "lies on the Rhine"}]
    assert check(write({**BAD, "id": 7, "citations": citations}), "--baseline", baseline
                 ).exit_code == 1  # fmt: skip
    assert check(write({**OTHER, "id": 7}), "--baseline", baseline).exit_code == 1
    assert check(write({**BAD, "id": 8}), "--baseline", baseline).exit_code == 1
    assert check(write({**BAD, "id": "7"}), "--baseline", baseline).exit_code == 1
    assert check(write({**BAD, "id": 7, "note": "n"}), "--baseline", baseline).exit_code == 0


def test_two_rows_with_one_id_are_accepted_as_often_as_there_were_faults() -> None:
    baseline = accepted({**BAD, "id": 7})
    result = check(write({**BAD, "id": 7}, {**BAD, "id": 7}), "--baseline", baseline)
    assert result.exit_code == 1
    assert "1 new; of the baseline, 1 old" in result.stdout


@pytest.mark.parametrize("line", [b"{broken", {"answer": "a", "citations": []}])
def test_a_row_that_was_not_judged_is_never_accepted(line: Any) -> None:
    rows = write(line, BAD)
    result = check(rows, "--write-baseline", "baseline.json")
    assert result.exit_code == 1
    assert len(json.loads(Path("baseline.json").read_bytes())["faults"]) == 1
    again = check(rows, "--baseline", "baseline.json")
    assert again.exit_code == 1
    assert "Faults: 1 new; of the baseline, 1 old" in again.stdout


def test_a_row_that_an_engine_cannot_judge_is_never_accepted() -> None:
    arguments = ("--model", "tests.cli.models:Buggy")
    rows = write({"quote": "lies on the Seine", "note": "boom", "references": BAD["references"]})
    result = check(rows, "--write-baseline", "baseline.json", *arguments)
    assert "could not be judged" in result.stdout
    assert result.exit_code == 1
    assert check(rows, "--baseline", "baseline.json", *arguments).exit_code == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": "groundtypes baseline", "version": 2, "model": "m", "faults": []}',
        b'{"format": "groundtypes baseline", "version": 1, "model": "m", "faults": [{}]}',
        b'{"version": "2.1.0", "runs": []}',
        b'{"model": "groundtypes.models:CitedAnswer", "faults": []}',
        HEAD + b'"faults": [%b, %b]}' % (FAULT, FAULT),
        HEAD + b'"faults": [%b]}' % FAULT.replace(b"}", b', "count": 0}'),
    ],
)
def test_a_broken_baseline_is_a_mistake_before_anything_is_judged(content: bytes) -> None:
    Path("baseline.json").write_bytes(content)
    model = ("--model", "groundtypes.models:CitedAnswer")
    result = check(write(GOOD), "--baseline", "baseline.json", "--clean", "clean.jsonl", *model)
    assert result.exit_code == 2
    assert "baseline of the model" not in result.stderr
    assert "--write-baseline" in result.stderr
    assert "baseline.json" in result.stderr and result.stderr.count("\n") == 1
    assert not Path("clean.jsonl").exists()


def test_a_baseline_of_another_model_is_a_mistake() -> None:
    baseline = accepted(BAD)
    result = check("rows.jsonl", "--baseline", baseline, "--model", "tests.cli.models:Fact")
    assert result.exit_code == 2
    assert "groundtypes.models:CitedAnswer" in result.stderr


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--baseline", "none.json"), "none.json"),
        (("--baseline", "old.json", "--write-baseline", "new.json"), "--write-baseline"),
        (("--write-baseline", "old.json"), "--overwrite"),
        (("--write-baseline", "rows.jsonl", "--overwrite"), "--write-baseline"),
        (("--write-baseline", "x", "--clean", "x"), "--clean"),
        (("--baseline", "old.json", "--clean", "old.json", "--overwrite"), "--clean"),
        (("--baseline", "old.json", "--resume", "--clean", "x"), "--resume"),
        (("--baseline", "old.json", "--engine", "ray"), "--engine local"),
    ],
)
def test_options_and_files_that_do_not_go_together_are_mistakes(
    options: tuple[str, ...], named: str
) -> None:
    accepted(BAD)
    before = Path("baseline.json").rename("old.json").read_bytes()
    result = check("rows.jsonl", *options)
    assert result.exit_code == 2, result.output
    assert named in result.stderr
    assert Path("old.json").read_bytes() == before
    assert read_rows(Path("rows.jsonl")) == [BAD]


def test_sarif_has_fingerprints_and_the_state_of_each_fault() -> None:
    baseline = accepted(BAD)
    rows = write(GOOD, OTHER, BAD, BAD, b"{")
    log = json.loads(check(rows, "--baseline", baseline, "--format", "sarif").stdout)
    results = log["runs"][0]["results"]
    lines = [found["locations"][0]["physicalLocation"]["region"]["startLine"] for found in results]
    states = [found["baselineState"] for found in results]
    assert (lines, states) == ([2, 3, 4, 5], ["new", "unchanged", "new", "new"])
    names = [found.get("partialFingerprints", {}).get("groundtypesFault/v1") for found in results]
    assert names[3] is None
    assert names[1][:-1] == names[2][:-1] and (names[1][-2:], names[2][-2:]) == (":1", ":2")
    before = json.loads(check(write(BAD), "--format", "sarif").stdout)["runs"][0]["results"][0]
    assert before["partialFingerprints"]["primaryLocationLineHash"] == names[1]
    assert "baselineState" not in before


def test_other_formats_have_the_new_faults_and_json_has_all() -> None:
    baseline = accepted(BAD)
    options = (write(BAD, OTHER), "--baseline", baseline, "--format")
    [line] = check(*options, "github").stdout.splitlines()
    assert ",line=2," in line
    suite = ET.fromstring(check(*options, "junit").stdout)[0]  # noqa: S314 # our own
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == ["line 2"]
    summary = json.loads(check(*options, "json").stdout)
    assert summary["baseline"] == {"old": 1, "new": 1, "gone": 0}
    assert [fault["state"] for fault in summary["faults"]] == ["unchanged", "new"]


def test_the_file_has_a_fault_a_line_and_does_not_depend_on_the_order_of_rows() -> None:
    baseline = Path(accepted({**BAD, "id": "b"}, {**BAD, "id": "a"}))
    content = baseline.read_bytes()
    assert len(content.splitlines()) == 4
    accepted({**BAD, "id": "a"}, {**BAD, "id": "b"})
    assert baseline.read_bytes() == content


def test_a_row_is_known_by_its_id_else_by_its_content() -> None:
    assert row_name({"id": 7, "a": 1}) == "7"
    assert row_name({"id": "7"}) == '"7"'
    assert row_name({"a": 1, "b": 2}) == row_name({"b": 2, "a": 1})
    names: list[dict[str, Any]] = [
        {"a": 1},
        {"a": 2},
        {"id": None},
        {"id": True},
        {"id": 1.5},
        {"id": "x" * 1000},
    ]
    assert len({row_name(data) for data in names}) == len(names)
    assert max(len(row_name(data)) for data in names) <= 100


def test_hostile_names_are_written_and_read(tmp_path: Path) -> None:
    fault = LineFault(1, "\ud800\x1b\n{}" * 400, "\udfff" * 5000, "m", row='"a"')
    found = Baseline("m")
    found.compared(fault)
    found.write(tmp_path / "b")
    again = Baseline.read(tmp_path / "b", "m")
    assert again.compared(fault).state == "unchanged"
    assert fingerprint(fault)


def test_a_dropped_item_rejects_no_row() -> None:
    found = Baseline("m", {})
    assert found.compared(LineFault(1, "a", "s", "m", row="1", dropped=True)).state == "new"
    assert (found.new, found.rows) == (1, 0)
    accepting = Baseline("m")
    accepting.compared(LineFault(1, "a", "s", "m", row="1", dropped=True))
    assert (accepting.old, accepting.rows) == (1, 0)
