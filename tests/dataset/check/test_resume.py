"""An interrupted run leaves whole files, and going on gives what an uninterrupted run gives."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundtypes.batch.loading import load_model
from groundtypes.dataset import CheckOptions, Job
from groundtypes.dataset.check import job
from groundtypes.errors import DatasetError
from groundtypes.row_files import run_files
from tests.command_line import command, environment, read_rows, row, run, write_rows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

MODEL = ("--model", "tests.cli.models:Interrupted")
OUTPUTS = ("--clean", "clean.jsonl", "--rejected", "rejected.jsonl", "--json", "summary.json")
STATE = "clean.jsonl.partial.state"


def lines(signals: dict[int, str]) -> list[Any]:
    """Return 120 rows of every kind, some of which send a signal to the process."""
    rows: list[Any] = []
    for number in range(120):
        if number % 7 == 3:
            rows.append(b"broken \xff" + str(number).encode())
        elif number % 5 == 2:
            rows.append(row("words that are nowhere", id=number))
        else:
            rows.append(row(id=number))
    for number, name in signals.items():
        rows[number] = row(id=number, note=f"signal {name}")
    return rows


def outputs(folder: Path) -> dict[str, bytes]:
    """Return the rows written and the counts, which must not depend on interruptions."""
    found = {name: (folder / name).read_bytes() for name in ("clean.jsonl", "rejected.jsonl")}
    summary = json.loads((folder / "summary.json").read_bytes())
    counts = {key: summary[key] for key in summary if key not in ("seconds", "written")}
    return {**found, "summary": json.dumps(counts).encode()}


def expected(folder: Path, rows: Path) -> dict[str, bytes]:
    """Return the outputs of a run that nothing interrupts."""
    folder.mkdir()
    assert run("check", rows, *MODEL, *OUTPUTS, cwd=folder).returncode == 1
    return outputs(folder)


@pytest.mark.parametrize("batch", [1, 8, 50])
@pytest.mark.parametrize(("name", "code"), [("SIGKILL", -9), ("SIGTERM", 143), ("SIGINT", 130)])
def test_a_run_that_is_killed_goes_on_to_the_same_bytes(
    tmp_path: Path, name: str, code: int, batch: int
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", lines({60: name}))
    whole = expected(tmp_path / "whole", rows)
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "signal").touch()
    options = ("check", rows, *MODEL, *OUTPUTS, "--batch", batch)
    killed = run(*options, cwd=folder)
    assert killed.returncode == code, killed.stderr
    assert not (folder / "clean.jsonl").exists()
    if name != "SIGKILL":
        assert b"--resume" in killed.stderr
        assert b"Traceback" not in killed.stderr
    for partial in folder.glob("*.partial"):
        content = partial.read_bytes()
        assert not content or content.endswith(b"\n")
        read_rows(partial)
    (folder / "signal").unlink()
    assert run(*options, "--resume", cwd=folder).returncode == 1
    assert outputs(folder) == whole
    assert {path.name for path in folder.iterdir()} == {
        "clean.jsonl", "rejected.jsonl", "summary.json",
    }  # fmt: skip


def test_a_run_can_be_killed_again_and_again(tmp_path: Path) -> None:
    places = {10: "SIGKILL", 11: "SIGINT", 45: "SIGKILL", 90: "SIGINT", 118: "SIGKILL"}
    rows = write_rows(tmp_path / "rows.jsonl", lines(places))
    whole = expected(tmp_path / "whole", rows)
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "signal").touch()
    options = ("check", rows, *MODEL, *OUTPUTS, "--batch", 4, "--resume")
    for _ in places:
        assert run(*options, cwd=folder).returncode in (-9, 130)
    (folder / "signal").unlink()
    assert run(*options, cwd=folder).returncode == 1
    assert outputs(folder) == whole


def test_standard_input_is_given_again_from_its_start(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", lines({60: "SIGKILL"}))
    whole = expected(tmp_path / "whole", rows)
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "signal").touch()
    options = ("check", "-", *MODEL, *OUTPUTS, "--batch", 8)
    assert run(*options, cwd=folder, stdin=rows.read_bytes()).returncode == -9
    (folder / "signal").unlink()
    other = run(*options, "--resume", cwd=folder, stdin=b"x" + rows.read_bytes())
    assert other.returncode == 2
    assert run(*options, "--resume", cwd=folder, stdin=rows.read_bytes()).returncode == 1
    assert outputs(folder) == whole


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    """A folder in which a run was killed after 56 of 120 lines."""
    write_rows(tmp_path / "rows.jsonl", lines({60: "SIGKILL"}))
    (tmp_path / "signal").touch()
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--batch", 8, cwd=tmp_path)
    assert result.returncode == -9
    (tmp_path / "signal").unlink()
    assert json.loads((tmp_path / STATE).read_bytes())["number"] == 56
    return tmp_path


def test_what_stands_behind_the_last_whole_batch_is_cut_off(interrupted: Path) -> None:
    whole = expected(interrupted / "whole", interrupted / "rows.jsonl")
    for name in ("clean.jsonl", "rejected.jsonl"):
        with (interrupted / f"{name}.partial").open("ab") as file:
            file.write(b'{"half a li')
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--resume", cwd=interrupted)
    assert result.returncode == 1
    assert outputs(interrupted) == whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["rows.jsonl", *MODEL, *OUTPUTS], "--resume", id="neither way named"),
        pytest.param(["other.jsonl", *MODEL, *OUTPUTS, "--resume"], "other.jsonl", id="input"),
        pytest.param(["-", *MODEL, *OUTPUTS, "--resume"], "input", id="standard input"),
        pytest.param(["rows.jsonl", *OUTPUTS, "--resume"], "CitedAnswer", id="model"),
        pytest.param(
            ["rows.jsonl", *MODEL, *OUTPUTS, "--resume", "--answer", "x"], "--answer", id="key"
        ),
        pytest.param(
            ["rows.jsonl", *MODEL, "--clean", "clean.jsonl", "--resume"], "--rejected", id="outputs"
        ),
        pytest.param(
            ["rows.jsonl", *MODEL, "--rejected", "rejected.jsonl", "--resume"], "state",
            id="other first output",
        ),
    ],
)  # fmt: skip
def test_another_run_is_not_taken_for_the_interrupted_one(
    interrupted: Path, arguments: list[str], said: str
) -> None:
    write_rows(interrupted / "other.jsonl", lines({}))
    before = {path.name: path.read_bytes() for path in interrupted.iterdir()}
    result = run("check", *arguments, cwd=interrupted)
    assert result.returncode == 2
    assert said in result.stderr.decode()
    assert {path.name: path.read_bytes() for path in interrupted.iterdir()} == before


@pytest.mark.parametrize("change", ["longer", "same size"])
def test_a_changed_input_is_not_continued(interrupted: Path, change: str) -> None:
    content = (interrupted / "rows.jsonl").read_bytes()
    changed = content + b"\n" if change == "longer" else content.replace(b"Paris", b"Perth", 1)
    (interrupted / "rows.jsonl").write_bytes(changed)
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--resume", cwd=interrupted)
    assert result.returncode == 2
    assert b"input" in result.stderr


_CHANGED = """
from typing import Annotated
from groundtypes import Grounded, Quoted

class Answer(Grounded):
    quote: {}
"""


@pytest.mark.parametrize(
    "quote", ["str", "Annotated[str, Quoted(min_words=5)]", "Annotated[str, Quoted()] | None"]
)
def test_a_model_that_was_changed_is_not_continued(tmp_path: Path, quote: str) -> None:
    rows = [{"references": "It is tall.", "quote": "It is tall"}] * 9
    write_rows(tmp_path / "rows.jsonl", rows)
    interrupting = """
    def model_post_init(self, context):
        if len(READ) == 5:
            raise KeyboardInterrupt
        READ.append(None)

READ = []
"""
    same = _CHANGED.format("Annotated[str, Quoted()]")
    options = ("check", "rows.jsonl", "--model", "m.py:Answer", "--clean", "clean.jsonl")
    (tmp_path / "m.py").write_text(same + interrupting)
    assert run(*options, "--batch", 1, cwd=tmp_path).returncode == 130
    assert json.loads((tmp_path / STATE).read_bytes())["number"] > 0
    (tmp_path / "m.py").write_text(_CHANGED.format(quote))
    changed = run(*options, "--resume", cwd=tmp_path)
    assert changed.returncode == 2
    assert b"model content" in changed.stderr
    (tmp_path / "m.py").write_text(f"# What the file says beside the model may change.\n{same}")
    assert run(*options, "--resume", cwd=tmp_path).returncode == 0
    assert len(read_rows(tmp_path / "clean.jsonl")) == 9


def test_what_a_model_checks_is_the_same_in_every_process() -> None:
    program = """
from dataclasses import dataclass, field
from typing import Annotated
from groundtypes import Check, Grounded
from groundtypes.dataset import CheckOptions

@dataclass(frozen=True)
class Own(Check):
    words: frozenset = frozenset(("a", "b", "c", "d"))
    key: object = field(default_factory=object)
    most: float = float("inf")
    def judge(self, *arguments):
        ...

class Answer(Grounded):
    text: Annotated[str, Own()]

print(CheckOptions(Answer, "m:Answer").identity["model content"])
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", "[0] * 10**6;" * seed + program], check=True,
            env={**environment(), "PYTHONHASHSEED": str(seed)}, capture_output=True,
        ).stdout
        for seed in (1, 2, 3)
    }  # fmt: skip
    assert len(found) == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"{", b"\xff", b'{"format": 99}'])
def test_a_damaged_state_is_a_mistake(interrupted: Path, content: bytes) -> None:
    (interrupted / STATE).write_bytes(content)
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--resume", cwd=interrupted)
    assert result.returncode == 2
    assert STATE.encode() in result.stderr
    assert b"Traceback" not in result.stderr


def test_a_partial_file_that_lost_lines_is_a_mistake(interrupted: Path) -> None:
    os.truncate(interrupted / "clean.jsonl.partial", 10)
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--resume", cwd=interrupted)
    assert result.returncode == 2
    assert b"shorter" in result.stderr


def test_overwrite_starts_again(interrupted: Path) -> None:
    whole = expected(interrupted / "whole", interrupted / "rows.jsonl")
    result = run("check", "rows.jsonl", *MODEL, *OUTPUTS, "--overwrite", cwd=interrupted)
    assert result.returncode == 1
    assert outputs(interrupted) == whole


def test_resume_with_nothing_to_continue_starts(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    options = ("check", rows, "--clean", "clean.jsonl", "--resume")
    assert run(*options, cwd=tmp_path).returncode == 0
    again = run(*options, cwd=tmp_path)
    assert again.returncode == 0
    assert b"finished already" in again.stderr
    assert b"no older than the input" in again.stderr


def test_two_runs_do_not_write_the_same_files(tmp_path: Path) -> None:
    options = ("check", "-", "--clean", "clean.jsonl", "--batch", "1")
    first = subprocess.Popen(
        command(*options), cwd=tmp_path, env=environment(), stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert first.stdin is not None
    line = json.dumps(row()).encode() + b"\n"
    try:
        first.stdin.write(line)
        first.stdin.flush()
        while not (tmp_path / STATE).exists():
            assert first.poll() is None
        for way in ("--resume", "--overwrite"):
            second = run(*options, way, cwd=tmp_path, stdin=line * 2)
            assert second.returncode == 2
            assert b"Another run" in second.stderr
    finally:
        first.stdin.close()
        assert first.wait(60) == 0
    assert len(read_rows(tmp_path / "clean.jsonl")) == 1


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_run_killed_while_it_names_its_files_is_finished_by_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: int
) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", lines({}))
    name = "groundtypes.models:CitedAnswer"
    paths: dict[str, Any] = {
        "clean": tmp_path / "clean.jsonl",
        "rejected": tmp_path / "rejected.jsonl",
        "summary": tmp_path / "summary.json",
    }

    def the_job(*, resume: bool) -> Job:
        options = CheckOptions(load_model(name), name)
        return Job(options=options, source=rows, resume=resume, **paths)

    done = 0

    def dying(old: Path, new: Path) -> None:
        nonlocal done
        if done == renamed:
            raise KeyboardInterrupt
        old.replace(new)
        done += 1

    def dying_at_last(path: Path, content: bytes) -> None:
        raise KeyboardInterrupt

    # Nothing else stops a process between two renames at will.
    with monkeypatch.context() as patch:
        patch.setattr(run_files, "rename", dying)
        patch.setattr(job, "replace_file", dying_at_last)
        with pytest.raises(KeyboardInterrupt):
            the_job(resume=False).run()
    if renamed:
        with pytest.raises(DatasetError, match="exists already"):
            the_job(resume=False).run()
    content = rows.read_bytes()
    rows.write_bytes(content.replace(b"Paris", b"Perth", 1))
    with pytest.raises(DatasetError, match="input"):
        the_job(resume=True).run()
    rows.write_bytes(content)
    outcome = the_job(resume=True).run()
    assert outcome.counts.rows == 120
    assert len(read_rows(paths["clean"])) == outcome.counts.clean
    assert len(read_rows(paths["rejected"])) == 120 - outcome.counts.clean
    assert {path.name for path in tmp_path.iterdir()} == {
        "rows.jsonl", "clean.jsonl", "rejected.jsonl", "summary.json",
    }  # fmt: skip
