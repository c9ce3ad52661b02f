"""The command from outside: what it writes, what it prints, how it exits."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import (
    QUOTE,
    REFERENCE,
    environment,
    read_rows,
    row,
    run,
    run_python,
    write_rows,
)

GOOD = row()
TYPOGRAPHY = row("LIES on\nthe  Seine")
BAD = row("lies on the Rhine", id=7)
NO_REFERENCES = {"answer": "a", "citations": []}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def check(*arguments: object, stdin: bytes | None = None) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["check", *map(str, arguments)], input=stdin)


def test_clean_rows_hold_the_words_of_the_reference(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, TYPOGRAPHY, {**GOOD, "id": 3}])
    result = check(rows, "--clean", "clean.jsonl")
    assert result.exit_code == 0, result.output
    clean = read_rows(tmp_path / "clean.jsonl")
    assert [found["citations"][0]["quote"] for found in clean] == [QUOTE] * 3
    assert [found["references"] for found in clean] == [GOOD["references"]] * 3
    assert clean[2]["id"] == 3


def test_an_answer_under_a_key_is_replaced_there(tmp_path: Path) -> None:
    answer = {key: TYPOGRAPHY[key] for key in ("answer", "citations")}
    given = {"id": 1, "references": [REFERENCE], "answer": json.dumps(answer), "note": "n"}
    rows = write_rows(tmp_path / "rows.jsonl", [given])
    assert check(rows, "--clean", "clean.jsonl").exit_code == 0
    (clean,) = read_rows(tmp_path / "clean.jsonl")
    assert list(clean) == ["id", "references", "answer", "note"]
    assert clean["answer"]["citations"][0]["quote"] == QUOTE


def test_rejected_rows_keep_the_whole_input_and_every_verdict(tmp_path: Path) -> None:
    spelled = (
        b'{"x": 1.50, "big": 123456789012345678901234567890.0, ' + json.dumps(BAD)[1:].encode()
    )
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, spelled])
    result = check(rows, "--rejected", "rejected.jsonl")
    assert result.exit_code == 1
    (line,) = (tmp_path / "rejected.jsonl").read_bytes().splitlines()
    assert spelled in line
    entry = json.loads(line)
    assert entry["line"] == 2
    assert "error" not in entry
    (verdict,) = entry["verdicts"]
    assert verdict["loc"] == ["citations", 0, "quote"]
    assert verdict["slug"] == "quote_altered"


def test_a_fault_of_the_schema_is_a_verdict_too(tmp_path: Path) -> None:
    rows = write_rows(
        tmp_path / "rows.jsonl", [{"references": [REFERENCE], "answer": {"answer": "a"}}]
    )
    assert check(rows, "--rejected", "rejected.jsonl").exit_code == 1
    (entry,) = read_rows(tmp_path / "rejected.jsonl")
    assert [(found["loc"], found["slug"]) for found in entry["verdicts"]] == [
        (["citations"], "missing")
    ]


def test_plain_text_in_the_place_of_an_object_is_a_fault_of_the_text(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{"references": [REFERENCE], "answer": "a"}])
    named = ("--model", "groundtypes.models:CitedAnswer", "--rejected", "rejected.jsonl")
    assert check(rows, *named).exit_code == 1
    (entry,) = read_rows(tmp_path / "rejected.jsonl")
    assert [(found["loc"], found["slug"]) for found in entry["verdicts"]] == [([], "json_invalid")]


def test_an_answer_in_a_fenced_block_is_read(tmp_path: Path) -> None:
    answer = {"answer": "a", "citations": [{"statement": "s", "quote": QUOTE}]}
    fenced = f"```json\n{json.dumps(answer)}\n```"
    rows = write_rows(tmp_path / "rows.jsonl", [{"references": [REFERENCE], "answer": fenced}])
    assert check(rows, "--clean", "clean.jsonl").exit_code == 0
    (entry,) = read_rows(tmp_path / "clean.jsonl")
    assert entry["answer"]["citations"][0]["quote"] == QUOTE


def test_a_broken_line_is_named_and_kept_and_stops_nothing(tmp_path: Path) -> None:
    lines = [GOOD, b"{not json", b"", NO_REFERENCES, b'{"a": "\xff"}', b"\x00", GOOD]
    rows = write_rows(tmp_path / "rows.jsonl", lines)
    result = check(rows, "--rejected", "rejected.jsonl", "--clean", "clean.jsonl", "--json", "s")
    assert result.exit_code == 1
    for number in (2, 4, 5, 6):
        assert f"line {number}: " in result.stderr
    entries = read_rows(tmp_path / "rejected.jsonl")
    assert [entry["line"] for entry in entries] == [2, 4, 5, 6]
    assert all(entry["error"] and entry["verdicts"] == [] for entry in entries)
    assert entries[0]["raw"] == "{not json"
    assert entries[1]["row"] == NO_REFERENCES
    assert entries[2]["raw_base64"] == "eyJhIjogIv8ifQ=="
    assert entries[3]["raw"] == "\x00"
    assert len(read_rows(tmp_path / "clean.jsonl")) == 2
    summary = json.loads((tmp_path / "s").read_bytes())
    assert (summary["rows"], summary["clean"], summary["rejected"], summary["broken"]) == (
        6, 2, 0, 4,
    )  # fmt: skip


def test_rows_without_a_line_end_and_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(
        b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n" + json.dumps(GOOD).encode()
    )
    assert check(rows).exit_code == 0


def test_no_rows_are_no_fault(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [])
    assert check(rows, "--clean", "clean.jsonl").exit_code == 0
    assert (tmp_path / "clean.jsonl").read_bytes() == b""


def test_an_empty_collection_of_references_makes_every_quote_a_fault(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{**GOOD, "references": []}])
    assert check(rows, "--rejected", "rejected.jsonl").exit_code == 1
    (entry,) = read_rows(tmp_path / "rejected.jsonl")
    assert [verdict["slug"] for verdict in entry["verdicts"]] == ["quote_not_found"]


@pytest.mark.parametrize(
    ("named", "slug"),
    [
        (None, None),
        ("paris", None),
        ("rome", "quote_in_other_reference"),
        ("x", "reference_unknown"),
    ],
)
def test_a_citation_that_names_a_reference_must_quote_it(
    tmp_path: Path, named: str | None, slug: str | None
) -> None:
    citation = {"statement": "s", "quote": QUOTE, "reference": named}
    references = {"paris": REFERENCE, "rome": "Rome is the capital of Italy."}
    given = {"references": references, "answer": "a", "citations": [citation]}
    rows = write_rows(tmp_path / "rows.jsonl", [given])
    result = check(rows, "--rejected", "rejected.jsonl")
    assert result.exit_code == (0 if slug is None else 1)
    entries = read_rows(tmp_path / "rejected.jsonl")
    assert [verdict["slug"] for entry in entries for verdict in entry["verdicts"]] == [
        slug for slug in [slug] if slug
    ]


def test_strict_stops_at_the_first_broken_line_and_names_it(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD, b"{", GOOD])
    result = check(rows, "--strict", "--clean", "clean.jsonl")
    assert result.exit_code == 2
    assert "Line 3" in result.stderr
    assert not (tmp_path / "clean.jsonl").exists()


def test_a_strict_run_can_go_on_without_strict(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, GOOD, b"{", GOOD])
    options = (rows, "--clean", "clean.jsonl", "--batch", 2)
    assert check(*options, "--strict").exit_code == 2
    assert check(*options, "--resume").exit_code == 1
    assert len(read_rows(tmp_path / "clean.jsonl")) == 3


def test_strict_says_nothing_about_faults(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [BAD])
    assert check(rows, "--strict").exit_code == 1


@pytest.mark.parametrize("batch", [1, 2, 3, 256])
def test_the_batch_changes_nothing_that_is_written(tmp_path: Path, batch: int) -> None:
    lines = [GOOD, b"{", BAD, TYPOGRAPHY, NO_REFERENCES, BAD, GOOD]
    rows = write_rows(tmp_path / "rows.jsonl", lines)
    check(rows, "--clean", "c1", "--rejected", "r1")
    check(rows, "--clean", "c2", "--rejected", "r2", "--batch", batch)
    assert (tmp_path / "c1").read_bytes() == (tmp_path / "c2").read_bytes()
    assert (tmp_path / "r1").read_bytes() == (tmp_path / "r2").read_bytes()


def test_the_summary_counts_verdicts_fields_and_how_quotes_were_found(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, TYPOGRAPHY, BAD, BAD, b"{"])
    result = check(rows, "--json", "summary.json")
    summary = json.loads((tmp_path / "summary.json").read_bytes())
    assert summary["verdicts"] == {"Quoted": {"holds": 2, "quote_altered": 2}}
    assert summary["fields"] == {"citations.*.quote": 2}
    assert summary["labels"] == {"Quoted": {"exact": 1, "normalised": 1}}
    assert summary["kinds"] == {"quote_altered": 2}
    for shown in ("Rows by kind of fault", "quote_altered", "40.0%"):
        assert shown in result.stdout


def test_quiet_prints_nothing_but_mistakes(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, b"{"])
    assert check(rows, "--quiet").output == ""
    assert check("missing.jsonl", "--quiet").output != ""


MODEL = "tests.cli.models:"


@pytest.mark.parametrize(
    ("model", "parts"),
    [
        ("Fact", {"quote": QUOTE}),
        ("Dated", {"day": "2026-01-31", "quote": QUOTE}),
        ("Dated", {"answer": {"day": "2026-01-31", "quote": QUOTE}}),
        ("Asked", {"question": "why?", "quote": QUOTE}),
        ("Renamed", {"Quote": QUOTE}),
        ("Facts", {"answer": [{"quote": QUOTE}]}),
        ("FactDict", {"quote": QUOTE}),
        ("FactClass", {"answer": json.dumps({"quote": QUOTE})}),
    ],
)
def test_any_model_reads_again_what_it_has_written(
    tmp_path: Path, model: str, parts: dict[str, Any]
) -> None:
    given = {"references": [REFERENCE], **parts}
    rows = write_rows(tmp_path / "rows.jsonl", [given])
    result = check(rows, "--model", MODEL + model, "--clean", "clean.jsonl")
    assert result.exit_code == 0, result.output
    (clean,) = read_rows(tmp_path / "clean.jsonl")
    expected = given if not isinstance(given.get("answer"), str) else None
    assert expected is None or clean == expected
    again = check("clean.jsonl", "--model", MODEL + model, "--clean", "again.jsonl")
    assert again.exit_code == 0
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "clean.jsonl").read_bytes()


def test_a_model_without_checks_is_named_as_one(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{"references": [REFERENCE], "quote": "q"}])
    result = check(rows, "--model", MODEL + "Unchecked")
    assert result.exit_code == 0
    assert "No verdicts" in result.stdout


def test_an_answer_that_cannot_be_written_is_rejected_with_the_reason(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{"references": [REFERENCE], "quote": QUOTE}])
    result = check(rows, "--model", MODEL + "Unwritable", "--rejected", "rejected.jsonl")
    assert result.exit_code == 1
    (entry,) = read_rows(tmp_path / "rejected.jsonl")
    assert "not for JSON" in entry["error"]
    assert [verdict["ok"] for verdict in entry["verdicts"]] == [True]


def test_a_model_whose_own_code_fails_is_a_mistake_that_names_the_line(tmp_path: Path) -> None:
    parts = {"references": [REFERENCE], "quote": QUOTE}
    rows = write_rows(tmp_path / "rows.jsonl", [parts, {**parts, "note": "boom"}, parts])
    for option in (("--on-mistake", "raise"), ("--strict",)):
        result = check(rows, "--model", MODEL + "Buggy", "--clean", "clean.jsonl", *option)
        assert result.exit_code == 2
        assert "Line 2" in result.stderr
        assert "KeyError" in result.stderr
        assert list(tmp_path.iterdir()) == [rows]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_row_that_cannot_be_judged_is_rejected_with_the_reason(
    tmp_path: Path, workers: str
) -> None:
    parts = {"references": [REFERENCE], "quote": QUOTE}
    rows = write_rows(tmp_path / "rows.jsonl", [parts, {**parts, "note": "boom"}, parts])
    files = ("--clean", "clean.jsonl", "--rejected", "rejected.jsonl", "--json", "counts.json")
    result = check(
        rows, "--model", MODEL + "Buggy", *files, "--audits", "audits.jsonl", "--workers", workers
    )
    assert result.exit_code == 1, result.output
    assert "line 2: the model raised KeyError" in result.stderr
    assert "could not be judged" in result.stdout
    assert len(read_rows(tmp_path / "clean.jsonl")) == 2
    (rejected,) = read_rows(tmp_path / "rejected.jsonl")
    assert (rejected["line"], rejected["verdicts"], rejected["judged"]) == (2, [], False)
    assert "KeyError" in rejected["error"]
    audits = read_rows(tmp_path / "audits.jsonl")
    assert ["judged" in line for line in audits] == [False, True, False]
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert [counts[name] for name in ("rows", "clean", "rejected", "unjudged", "broken")] == [
        *(3, 2, 0, 1, 0)
    ]


def test_a_run_that_a_row_has_stopped_goes_on_where_mistakes_are_kept(tmp_path: Path) -> None:
    parts = {"references": [REFERENCE], "quote": QUOTE}
    rows = write_rows(tmp_path / "rows.jsonl", [parts, {**parts, "note": "boom"}, parts])
    options = (rows, "--model", MODEL + "Buggy", "--clean", "clean.jsonl", "--batch", "1")
    assert check(*options, "--on-mistake", "raise").exit_code == 2
    assert check(*options, "--resume").exit_code == 1
    assert len(read_rows(tmp_path / "clean.jsonl")) == 2


@pytest.mark.parametrize(
    ("model", "words"),
    [
        pytest.param("CitedAnswer", "package.module:Name", id="no colon"),
        pytest.param(":Answer", "package.module:Name", id="no module"),
        pytest.param("no_such_module:Answer", "ModuleNotFoundError", id="no such module"),
        pytest.param("groundtypes.models:Nothing", "Nothing", id="no such name"),
        pytest.param(MODEL + "NOT_A_MODEL", "int", id="a number"),
        pytest.param("json:dumps", "function", id="a function"),
        pytest.param("failing:Answer", "ZeroDivisionError", id="a module that fails"),
        pytest.param("leaving:Answer", "SystemExit", id="a module that exits"),
        pytest.param("wrong:Answer", "SyntaxError", id="a module with a syntax error"),
        pytest.param("threading:Thread", "cannot be used", id="a class Pydantic does not know"),
    ],
)
def test_a_bad_model_is_a_mistake_in_one_sentence(tmp_path: Path, model: str, words: str) -> None:
    (tmp_path / "failing.py").write_text("1 / 0\n")
    (tmp_path / "leaving.py").write_text("raise SystemExit(0)\n")
    (tmp_path / "wrong.py").write_text("def\n")
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    result = check(rows, "--model", model)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_model_in_the_working_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "own_answers.py").write_text("from groundtypes.models import CitedAnswer as Own\n")
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    assert check(rows, "--model", "own_answers:Own").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["missing.jsonl"], "missing.jsonl", id="no input"),
        pytest.param(["."], "directory", id="the input is a folder"),
        pytest.param(["rows.jsonl", "--clean", "rows.jsonl"], "same file", id="over the input"),
        pytest.param(["rows.jsonl", "--clean", "./rows.jsonl"], "same", id="over it by a detour"),
        pytest.param(["rows.jsonl", "--rejected", "link.jsonl"], "same", id="over it by a link"),
        pytest.param(["rows.jsonl", "--clean", "hard.jsonl"], "same", id="over it by a hard link"),
        pytest.param(["rows.jsonl", "--clean", "a", "--rejected", "a"], "same", id="same outputs"),
        pytest.param(["rows.jsonl", "--clean", "a", "--json", "./a"], "same", id="same summary"),
        pytest.param(
            ["rows.jsonl", "--clean", "a", "--rejected", "a.partial"], "same", id="partial name"
        ),
        pytest.param(["rows.jsonl", "--clean", "no/a"], "does not exist", id="no folder"),
        pytest.param(["rows.jsonl", "--clean", "."], "not a regular file", id="a folder"),
        pytest.param(["rows.jsonl", "--clean", "/dev/null"], "not a regular file", id="a device"),
        pytest.param(["rows.jsonl", "--clean", "there"], "--overwrite", id="there already"),
        pytest.param(["rows.jsonl", "--json", "there"], "--overwrite", id="summary there already"),
        pytest.param(["rows.jsonl", "--resume"], "--rejected or --audits", id="nothing to resume"),
    ],
)
def test_a_mistake_about_files_is_reported_before_anything_is_written(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    (tmp_path / "link.jsonl").symlink_to("rows.jsonl")
    (tmp_path / "hard.jsonl").hardlink_to(rows)
    (tmp_path / "there").write_text("precious")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    result = check(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr.lower() or words in result.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="root and Windows may write everywhere"
)
def test_a_folder_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    (tmp_path / "locked").mkdir(mode=0o500)
    result = check(rows, "--clean", "locked/clean.jsonl")
    assert result.exit_code == 2
    assert "locked" in result.stderr


def test_overwrite_replaces_outputs(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    for name in ("clean.jsonl", "summary.json"):
        (tmp_path / name).write_text("old")
    options = (rows, "--clean", "clean.jsonl", "--json", "summary.json", "--overwrite")
    assert check(*options).exit_code == 0
    assert len(read_rows(tmp_path / "clean.jsonl")) == 1
    assert json.loads((tmp_path / "summary.json").read_bytes())["clean"] == 1


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.jsonl").symlink_to("folder/clean.jsonl")
    assert check(rows, "--clean", "link.jsonl").exit_code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len(read_rows(tmp_path / "folder" / "clean.jsonl")) == 1


def test_nothing_but_the_outputs_is_left(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, BAD])
    check(rows, "--clean", "c", "--rejected", "r", "--json", "s")
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl", "c", "r", "s"}


HOSTILE = "\x1b[31m\x1b]0;owned\x07[bold]loud[/bold] :boom: \u202egnp\r\x9b2J\ud800"


def test_hostile_text_never_reaches_the_terminal_raw(tmp_path: Path) -> None:
    given = {**row(), HOSTILE: 1, "note": 1}
    (tmp_path / "forbidding.py").write_text(
        "from groundtypes.models import CitedAnswer\n"
        "class Answer(CitedAnswer, extra='forbid'): pass\n"
    )
    twice = json.dumps(HOSTILE)
    broken = f"{{{twice}: 1, {twice}: 2}}".encode()
    rows = write_rows(tmp_path / "rows.jsonl", [given, broken])
    result = run("check", rows, "--model", "forbidding:Answer", "--clean", "\x1b[1mc", cwd=tmp_path)
    assert result.returncode == 1
    shown = (result.stdout + result.stderr).decode()
    assert "\\x1b[31m" in shown
    assert "[bold]loud[/bold]" in shown
    assert not {"\x1b", "\x07", "\x9b", "\r", "\u202e"} & set(shown)


def test_a_terminal_that_knows_ascii_only_is_no_mistake(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{**GOOD, "é": 1}, '{"é": 1, "é": 2}'.encode()])
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    result = run_python("check", rows, cwd=tmp_path, env=ascii_only)
    assert result.returncode == 1
    assert result.stderr.isascii()


@pytest.mark.parametrize("rows", [[GOOD], [GOOD, BAD], []], ids=["clean", "rejected", "empty"])
def test_standard_input_is_read_like_a_file(tmp_path: Path, rows: list[Any]) -> None:
    path = write_rows(tmp_path / "rows.jsonl", rows)
    result = run(
        "check", "-", "--clean", "c", "--rejected", "r", cwd=tmp_path, stdin=path.read_bytes()
    )
    assert result.returncode == (1 if BAD in rows else 0)
    assert len(read_rows(tmp_path / "c")) == rows.count(GOOD)
    assert b"Rows" in result.stdout
    assert result.stderr == b""


@pytest.mark.parametrize(("answer", "code"), [(GOOD, 0), (BAD, 1)], ids=["clean", "rejected"])
def test_a_closed_pipe_after_the_command_is_no_mistake(
    tmp_path: Path, answer: dict[str, Any], code: int
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, answer])
    reading, writing = os.pipe()
    os.close(reading)
    result = run_python("check", rows, cwd=tmp_path, stdout=writing)
    os.close(writing)
    assert (result.returncode, result.stderr) == (code, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_output_is_a_mistake(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD])
    with Path("/dev/full").open("wb") as full:
        result = run_python("check", rows, cwd=tmp_path, stdout=full)
    assert result.returncode == 2
    assert result.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of file sizes")
def test_a_full_disk_is_a_mistake_and_the_run_can_go_on(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{**GOOD, "id": n} for n in range(300)])
    options = ("check", rows, "--clean", "clean.jsonl", "--batch", 10)
    result = run(*options, cwd=tmp_path, file_size=20_000)
    assert result.returncode == 2
    assert b"clean.jsonl" in result.stderr
    assert b"Traceback" not in result.stderr
    assert not (tmp_path / "clean.jsonl").exists()
    assert run(*options, "--resume", cwd=tmp_path).returncode == 0
    assert [found["id"] for found in read_rows(tmp_path / "clean.jsonl")] == list(range(300))


def test_a_line_of_fifty_megabytes_is_one_row(tmp_path: Path) -> None:
    long = json.dumps({**GOOD, "references": {"paris": REFERENCE + " word" * 10_000_000}}).encode()
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, b"x" * 50_000_000, long, GOOD])
    result = check(rows, "--rejected", "rejected.jsonl", "--json", "summary.json")
    summary = json.loads((tmp_path / "summary.json").read_bytes())
    assert (summary["clean"], summary["broken"]) == (3, 1)
    assert result.exit_code == 1
    (entry,) = read_rows(tmp_path / "rejected.jsonl")
    assert entry["raw"] == "x" * 50_000_000


def test_the_models_need_no_extra(tmp_path: Path) -> None:
    script = "import sys, groundtypes.models; print({'typer', 'rich'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment(), capture_output=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert result.stdout.strip() == b"set()"


def test_the_first_faults_are_printed(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [GOOD, *[BAD] * 7])
    shown = check(rows)
    assert "The first faults (5 of 7; --show 0 shows all):" in shown.output
    assert shown.output.count("citations.0.quote: quote_") == 5
    assert f"{rows}:2: citations.0.quote: quote_altered\n" in shown.stdout
    assert 'RIGHT: "lies on the Seine"' in shown.stdout
    assert f"{rows}:1:" not in shown.stdout
    two = check(rows, "--show", 2, "--workers", 2, "--batch", 1)
    assert two.output.count("citations.0.quote: quote_") == 2
    every = check(rows, "--show", 0)
    assert every.output.count("citations.0.quote: quote_") == 7
    assert "The first faults (7 of 7):" in every.output


def test_no_faults_are_printed_where_there_are_none_or_nobody_wants_them(tmp_path: Path) -> None:
    clean = write_rows(tmp_path / "clean.jsonl", [GOOD])
    assert "fault" not in check(clean).output
    rows = write_rows(tmp_path / "rows.jsonl", [BAD])
    assert check(rows, "--quiet").output == ""


def test_faults_are_printed_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    hostile = row("lies on the \x1b[31mRhine\x07 [bold]x[/bold]")
    rows = write_rows(tmp_path / "rows.jsonl", [hostile])
    output = check(rows).output
    assert ":1: citations.0.quote" in output
    assert "\x1b" not in output and "\x07" not in output
    assert r"\x1b[31mRhine\x07 [bold]x[/bold]" in output
