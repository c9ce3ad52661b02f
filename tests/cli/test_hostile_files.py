"""Whatever the files and names are, a command ends with one line, and with the right exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from groundtypes.cli.app import app
from tests.command_line import environment, row, run_python, write_rows

LONG = "n" * 300
#: The file system takes this name, but not one with a suffix.
NEARLY_LONG = "n" * 252


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with rows, a link that leads to itself, and files with equal columns."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", [row()])
    for name in ("loop", "loop.py"):
        (tmp_path / name).symlink_to(name)
    (tmp_path / "equal.csv").write_text("answer,context,answer\na,b,c\n")
    (tmp_path / "labels.csv").write_text("text,label,references,label\na,1,b,0\n")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("check {long}", "too long"),
        ("check rows.jsonl --clean {long}", "too long"),
        ("check rows.jsonl --clean {nearly}", "too long"),
        ("check rows.jsonl --json {nearly}", "too long"),
        ("check rows.jsonl --model {long}.py:X", "too long"),
        ("report rows.jsonl --output {long}", "too long"),
        ("dataset rows.jsonl --output {long}", "too long"),
        ("calibrate rows.jsonl --output {long}", "too long"),
        ("evaluate {long}", "too long"),
        ("evaluate rows.jsonl --rows {long}", "too long"),
        ("check loop", "symbolic links"),
        ("check rows.jsonl --clean loop", "usable path"),
        ("check rows.jsonl --model loop.py:X", "no file"),
        ("report loop", "symbolic links"),
        ("evaluate loop", "usable path"),
        ("dataset rows.jsonl --output loop/x", "symbolic links"),
        ("batch loop --requests loop --rows loop --recordings a --reasks b", "symbolic links"),
        ("evaluate equal.csv", "two columns with the name 'answer'"),
        ("calibrate labels.csv", "two columns with the name 'label'"),
        ("check rows.jsonl --answer a --references a", "both name"),
        ("evaluate rows.jsonl --answer a --context a", "both name"),
        ("calibrate rows.jsonl --text a --label a", "different columns"),
        ("check rows.jsonl --clean rows.jsonl/x", "folder"),
        ("dataset rows.jsonl --output rows.jsonl/x", "Not a directory"),
        ("check .", "directory"),
        ("check rows.jsonl --json .", "not a regular file"),
        ("check rows.jsonl --model .x:Y", "Cannot import"),
        ("check rows.jsonl --model a..b:Y", "Cannot import"),
        ("dataset rows.jsonl --output o --seed 99999999999999999999", "below 2**64"),
        ("dataset rows.jsonl --output o --test nan", "--test"),
        ("check rows.jsonl --estimate --call-seconds inf", "--call-seconds"),
    ],
)
def test_a_mistake_is_one_line(arguments: str, words: str) -> None:
    names = {"long": LONG, "nearly": NEARLY_LONG}
    result = call(*arguments.format(**names).split())
    assert result.exit_code == 2, result.exception
    [line] = result.stderr.splitlines()
    assert words in line


@pytest.mark.parametrize(
    ("source", "option"),
    [
        ("z.partial.lock", "--clean"),
        ("z.partial", "--clean"),
        ("z.partial.state", "--clean"),
        ("z.partial.state.new", "--clean"),
        ("z.new", "--json"),
    ],
)
def test_an_input_with_the_name_of_a_working_file_is_refused_and_kept(
    folder: Path, source: str, option: str
) -> None:
    content = write_rows(folder / source, [row()]).read_bytes()
    result = call("check", source, option, "z")
    assert result.exit_code == 2
    assert "the same file" in result.stderr
    assert (folder / source).read_bytes() == content


@pytest.mark.parametrize("name", [".groundtypes.lock", ".groundtypes/rows.jsonl", "rejected.jsonl"])
def test_an_input_that_a_data_set_would_replace_is_refused_and_kept(
    folder: Path, name: str
) -> None:
    source = folder / "data" / name
    source.parent.mkdir(parents=True)
    content = write_rows(source, [row()]).read_bytes()
    result = call("dataset", str(source), "--output", "data")
    assert result.exit_code == 2
    assert source.read_bytes() == content


@pytest.mark.parametrize("option", ["--clean", "--json", "--write-baseline"])
def test_the_file_of_the_model_is_not_replaced(folder: Path, option: str) -> None:
    file = folder / f"{folder.name}.py"
    content = file.write_text("from groundtypes.models import CitedAnswer")
    model = f"{file}:CitedAnswer"
    result = call("check", "rows.jsonl", "--model", model, option, file.name, "--overwrite")
    assert result.exit_code == 2
    assert "the same file" in result.stderr
    assert len(file.read_text()) == content


def test_a_baseline_is_not_replaced_by_the_run_that_reads_it(folder: Path) -> None:
    write_rows(folder / "old", [{"row": 1, "id": None, "scores": {}}])
    result = call("evaluate", "rows.jsonl", "--compare", "old", "--rows", "old", "--overwrite")
    assert result.exit_code == 2
    assert "the same file" in result.stderr


def test_a_finished_run_is_continued_by_saying_so(folder: Path) -> None:
    options = ("check", "rows.jsonl", "--clean", "clean.jsonl", "--json", "counts.json", "--resume")
    assert call(*options).exit_code == 0
    again = call(*options)
    assert again.exit_code == 0
    assert "finished already" in again.stderr
    # Of rows that were changed since then, nothing is finished.
    later = (folder / "clean.jsonl").stat().st_mtime + 10
    os.utime(folder / "rows.jsonl", (later, later))
    changed = call(*options)
    assert changed.exit_code == 2
    assert "--overwrite" in changed.stderr


def test_a_finished_data_set_is_continued_by_saying_so(folder: Path) -> None:
    write_rows(folder / "rows.jsonl", [row(question="Where?")])
    options = ("dataset", "rows.jsonl", "--output", "data", "--resume")
    assert call(*options).exit_code == 0
    again = call(*options)
    assert again.exit_code == 0
    assert "finished already" in again.stderr


@pytest.mark.parametrize("columns", ["0", "1", "5"])
def test_a_narrow_terminal_gets_the_whole_table(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = call("check", "rows.jsonl")
    assert result.exit_code == 0
    assert "could" not in result.stderr
    assert "clean" in result.stdout


def test_a_working_folder_that_was_removed_is_no_mistake(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    script = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); from groundtypes."
    script += "__main__ import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", script, "check", str(folder / "rows.jsonl")],
        env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr


SHADOW = "open({executed!r}, 'a').write(__name__)\n"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("way", ["module", "script"])
def test_no_file_beside_the_data_passes_for_a_package(folder: Path, way: str, workers: int) -> None:
    executed = folder / "executed"
    for name in ("rapidfuzz", "filelock", "typer", "rich", "numpy"):
        (folder / f"{name}.py").write_text(SHADOW.format(executed=str(executed)))
    if workers > 1:  # what a worker imports before it knows the paths of its parent
        (folder / "selectors.py").write_text(SHADOW.format(executed=str(executed)))
    arguments = ("check", "rows.jsonl", "--workers", str(workers))
    if way == "module":
        result = run_python(*arguments, cwd=folder)
    else:
        script = folder.parent / "groundtypes-script.py"
        script.write_text(
            "from groundtypes.__main__ import main\nif __name__ == '__main__':\n    main()\n"
        )
        result = subprocess.run(
            [sys.executable, str(script), *arguments],
            cwd=folder, env=environment(), capture_output=True, check=False,
        )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert not executed.exists()


def test_a_model_of_the_working_folder_finds_what_lies_beside_it(folder: Path) -> None:
    (folder / "beside.py").write_text("from groundtypes.models import CitedAnswer\n")
    (folder / "own.py").write_text("from beside import CitedAnswer\n")
    for name in ("own:CitedAnswer", "own.py:CitedAnswer"):
        result = run_python("check", "rows.jsonl", "--model", name, "--workers", "2", cwd=folder)
        assert result.returncode == 0, result.stderr
