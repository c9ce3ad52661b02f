"""The command line as a whole: its version, its extra, and what it imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from groundtypes import __version__
from groundtypes.cli import report
from groundtypes.report import LIMIT
from tests.command_line import environment, row, run, write_rows


def test_the_version_is_printed(tmp_path: Path) -> None:
    result = run("--version", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, f"groundtypes {__version__}\n".encode())


@pytest.mark.parametrize("missing", ["typer", "rich"])
@pytest.mark.parametrize("arguments", [[], ["--help"], ["check", "rows.jsonl"]], ids=str)
def test_without_its_extra_the_command_line_says_what_to_install(
    tmp_path: Path, missing: str, arguments: list[str]
) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = {arguments!r}\n"
        "from groundtypes.__main__ import main; main()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.count(b"\n") == 1
    assert b"pip install 'groundtypes[cli]'" in result.stderr


def _imported(folder: Path, *arguments: str) -> set[str]:
    """Return the modules of the library that a command has imported when it ends."""
    script = (
        f"import atexit, sys; sys.argv[1:] = {arguments!r}\n"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
        "from groundtypes.__main__ import main; main()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    return {name for name in result.stderr.decode().split() if name.startswith("groundtypes")}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["dataset", "--help"]])
def test_the_help_imports_nothing_of_the_library_beside_the_command_line(
    tmp_path: Path, arguments: list[str]
) -> None:
    imported = _imported(tmp_path, *arguments)
    assert {name for name in imported if not name.startswith("groundtypes.cli")} == {
        "groundtypes",
        "groundtypes.__main__",
        "groundtypes.backends",
        "groundtypes.backends.by_name",
        "groundtypes.errors",
        "groundtypes.text",
        "groundtypes.text.fault_messages",
        "groundtypes.text.message_excerpts",
    }


def test_checking_rows_imports_nothing_of_the_other_commands(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [row()])
    imported = _imported(tmp_path, "check", "rows.jsonl")
    assert "groundtypes.dataset.check.job" in imported
    others = ("build", "evaluate")
    packages = (*(f"groundtypes.dataset.{name}" for name in others), "groundtypes.evaluation")
    assert not [name for name in imported if name.startswith(packages)]


def test_the_default_limit_is_that_of_the_library() -> None:
    assert report.report.__kwdefaults__ is not None
    assert report.report.__kwdefaults__["limit"] == LIMIT
