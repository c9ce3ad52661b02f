"""What is wrong with an input, a key or a model's name is said in one line that says what to do."""

import gzip
import json
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.command_line import read_rows, row, run, write_rows

ROWS = [row(), row()]


def one_line(stderr: bytes) -> str:
    [line] = stderr.decode().strip().splitlines()
    return line


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *product(("check", "claims"), ("rows.TSV", "packed", "rows.gz")),
        *product(("dataset", "report"), ("rows.csv", "rows.TSV", "rows.parquet", "packed")),
    ],
)
def test_another_format_is_refused_in_one_line_that_says_how(
    tmp_path: Path, command: str, name: str
) -> None:
    content = json.dumps(row()).encode()
    packed = gzip.compress(content) if name in ("packed", "rows.gz") else b"a,b\n1,2\n"
    (tmp_path / name).write_bytes(b"PAR1" + content if name.endswith("parquet") else packed)
    more = {"dataset": ["--output", "data"], "claims": ["--llm", "openai/x"]}.get(command, [])
    result = run(command, name, *more, cwd=tmp_path, env={"OPENAI_API_KEY": "x"})
    assert result.returncode == 2
    assert "JSON Lines" in one_line(result.stderr)


@pytest.mark.parametrize("option", ["--references", "--answer", "--question"])
@pytest.mark.parametrize("command", ["check", "dataset"])
def test_a_key_that_no_row_has_names_those_that_the_rows_have_once(
    tmp_path: Path, command: str, option: str
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [{**row(), "question": "q"}] * 3)
    more = ["--output", "data"] if command == "dataset" else []
    result = run(command, rows, option, "passages", *more, cwd=tmp_path)
    assert result.returncode == 2
    line = one_line(result.stderr)
    assert f"({option})" in line
    assert all(repr(key) in line for key in ("passages", "references", "citations"))


def test_a_key_that_some_rows_have_breaks_the_others(tmp_path: Path) -> None:
    other = {**row(), "passages": {"a": "b"}}
    rows = write_rows(tmp_path / "rows.jsonl", [row(), other])
    result = run("check", rows, "--references", "passages", "--rejected", "r", cwd=tmp_path)
    assert result.returncode == 1
    assert len(read_rows(tmp_path / "r")) == 2


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["./own.py:Own", "{folder}/own.py:Own", "folder/own.py:Own.Inner"])
def test_a_model_is_named_by_its_file(tmp_path: Path, name: str, workers: int) -> None:
    source = (
        "from groundtypes.models import CitedAnswer\n"
        "class Own(CitedAnswer):\n"
        "    class Inner(CitedAnswer): pass\n"
    )
    (tmp_path / "folder").mkdir()
    for folder in (tmp_path, tmp_path / "folder"):
        (folder / "own.py").write_text(source)
    rows = write_rows(tmp_path / "rows.jsonl", ROWS)
    model = name.format(folder=tmp_path / "folder")
    result = run("check", rows, "--model", model, "--workers", workers, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "name", ["json.py:Own", "./missing.py:Own", "./own.py:Missing", "./own.py"]
)
def test_a_file_that_holds_no_such_model_is_a_mistake(tmp_path: Path, name: str) -> None:
    for file in ("json.py", "own.py"):
        (tmp_path / file).write_text("class Own: pass\n")
    rows = write_rows(tmp_path / "rows.jsonl", ROWS)
    result = run("check", rows, "--model", name, cwd=tmp_path)
    assert result.returncode == 2
    assert one_line(result.stderr)


def test_rows_of_a_pipe_are_json_lines(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no /dev/stdin")
    content = write_rows(tmp_path / "rows.jsonl", ROWS).read_bytes()
    assert run("check", "-", cwd=tmp_path, stdin=content).returncode == 0
