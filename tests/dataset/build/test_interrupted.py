"""A data set that was interrupted goes on to the same bytes, and two runs do not mix."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundtypes.dataset import build_dataset
from groundtypes.dataset.build import data_set as build
from groundtypes.dataset.build import example_index
from groundtypes.errors import DatasetError
from groundtypes.row_files import files
from tests.command_line import command, environment, run
from tests.dataset.samples import Answer, contents, read, row, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

MODEL = ("--model", "tests.dataset.samples:Interrupted")


def lines(signals: dict[int, str]) -> list[Any]:
    """Return rows of every kind, some of which send a signal to the process."""
    rows: list[Any] = []
    for number in range(120):
        if number % 11 == 3:
            rows.append(b"broken \xff" + str(number).encode())
        elif number % 10 == 7:
            rows.append(row(number - 1, id=f"again-{number}"))
        else:
            rows.append(row(number, good=number % 5 != 2))
    for number, name in signals.items():
        given = row(number)
        given["answer"]["note"] = f"signal {name}"
        rows[number] = given
    return rows


def expected(folder: Path, rows: Path, *more: str) -> dict[str, bytes]:
    """Return what a run writes that nothing interrupts."""
    folder.mkdir()
    done = run("dataset", rows, "--output", "out", *MODEL, *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    return contents(folder / "out")


@pytest.mark.parametrize("batch", [1, 50])
@pytest.mark.parametrize(("name", "code"), [("SIGKILL", -9), ("SIGTERM", 143), ("SIGINT", 130)])
def test_a_run_that_is_killed_goes_on_to_the_same_bytes(
    tmp_path: Path, name: str, code: int, batch: int
) -> None:
    rows = write(tmp_path / "rows.jsonl", lines({60: name}))
    whole = expected(tmp_path / "whole", rows)
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "signal").touch()
    options = ("dataset", rows, "--output", "out", *MODEL, "--batch", batch)
    killed = run(*options, cwd=folder)
    assert killed.returncode == code, killed.stderr
    assert b"Traceback" not in killed.stderr
    (folder / "signal").unlink()
    again = run(*options, cwd=folder)
    assert again.returncode == 2
    assert b"--resume" in again.stderr
    done = run(*options, "--resume", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert contents(folder / "out") == whole


@pytest.mark.parametrize(
    "place", ["_write", "_publish", "rename", "replace_file", "locked", "split"]
)
def test_a_run_that_dies_after_judging_does_the_rest_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    rows = write(tmp_path / "rows.jsonl", lines({}))
    build_dataset(Answer, rows, tmp_path / "whole")
    calls = 0

    def dying(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if place == "rename" and calls < 3:
            return rename(*args)
        raise KeyboardInterrupt

    rename = files.rename
    # Nothing else stops a process between two steps at will.
    with monkeypatch.context() as patch:
        if place in ("_write", "_publish"):
            patch.setattr(build._Build, place, dying)
        elif place == "split":
            patch.setattr(example_index.ExampleIndex, "split", dying)
        else:
            patch.setattr(build, place, dying)
        with pytest.raises(KeyboardInterrupt):
            build_dataset(Answer, rows, tmp_path / "out")
    build_dataset(Answer, rows, tmp_path / "out", resume=True)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("is_file", [True, False])
def test_a_run_that_dies_after_judging_does_not_go_on_with_other_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_file: bool
) -> None:
    def source(*numbers: int) -> Any:
        rows = [row(number) for number in numbers]
        return write(tmp_path / "rows.jsonl", rows) if is_file else iter(rows)

    def dying(*_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(build._Build, "_publish", dying)
        with pytest.raises(KeyboardInterrupt):
            build_dataset(Answer, source(1, 2), tmp_path / "out")
    with pytest.raises(DatasetError, match="not the one that was read"):
        build_dataset(Answer, source(1, 3), tmp_path / "out", resume=True)
    built = build_dataset(Answer, source(1, 2), tmp_path / "out", resume=True)
    assert built.manifest["counts"]["clean"] == 2


def test_an_interrupted_run_is_not_continued_as_another(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows.jsonl", lines({60: "SIGKILL"}))
    (tmp_path / "signal").touch()
    options = ("dataset", rows, "--output", "out", *MODEL, "--batch", 8)
    assert run(*options, cwd=tmp_path).returncode == -9
    (tmp_path / "signal").unlink()
    before = contents(tmp_path / "out")
    del before[".groundtypes.lock"]  # left by the killed run; whoever comes next removes it
    other = run(*options, "--resume", "--policy", "snap", cwd=tmp_path)
    assert other.returncode == 2
    assert b"policy was 'reject' and is 'snap'" in other.stderr
    rows.write_bytes(rows.read_bytes() + b"\n")
    changed = run(*options, "--resume", cwd=tmp_path)
    assert changed.returncode == 2
    assert b"input" in changed.stderr
    assert contents(tmp_path / "out") == before


def test_workers_write_the_same_bytes_and_can_be_killed_too(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows.jsonl", lines({60: "SIGKILL"}))
    whole = expected(tmp_path / "whole", rows)
    folder = tmp_path / "killed"
    folder.mkdir()
    options = ("dataset", rows, "--output", "out", *MODEL, "--batch", 8, "--workers", 2)
    (folder / "signal").touch()
    killed = run(*options, cwd=folder)
    assert killed.returncode == 2
    assert b"worker" in killed.stderr
    assert b"Traceback" not in killed.stderr
    (folder / "signal").unlink()
    assert run(*options, "--resume", cwd=folder).returncode == 0
    assert contents(folder / "out") == whole


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the children in /proc")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    options = ("--batch", 1, "--workers", 2)
    parent = subprocess.Popen(
        command("dataset", "-", "--output", "out", *MODEL, *options),
        cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert parent.stdin is not None
    parent.stdin.write(b"".join(json.dumps(row(n)).encode() + b"\n" for n in range(12)))
    parent.stdin.flush()
    listed = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    state = tmp_path / "out" / ".groundtypes" / "examples.jsonl.partial.state"
    # The first state comes before any row is judged, the second from the workers.
    while not state.exists() or json.loads(state.read_bytes())["number"] == 0:
        assert parent.poll() is None
    children = listed.read_text().split()
    assert len(children) >= 2
    parent.kill()
    parent.wait(60)
    parent.stdin.close()
    while any(_running(child) for child in children):
        pass


def _running(process: str) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    first = subprocess.Popen(
        command("dataset", "-", "--output", "out", *MODEL, "--batch", 1),
        cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert first.stdin is not None
    try:
        first.stdin.write(json.dumps(row(1)).encode() + b"\n")
        first.stdin.flush()
        state = tmp_path / "out" / ".groundtypes" / "examples.jsonl.partial.state"
        while not state.exists():
            assert first.poll() is None
        for way in ("--resume", "--overwrite"):
            second = run("dataset", "-", "--output", "out", *MODEL, way, cwd=tmp_path)
            assert second.returncode == 2
            assert f"process {first.pid}".encode() in second.stderr
    finally:
        first.stdin.close()
        assert first.wait(60) == 0
    assert not (tmp_path / "out" / ".groundtypes.lock").exists()
    assert len(read(tmp_path / "out" / "supervised" / "train.jsonl")) == 1


def test_the_lock_of_a_run_that_was_killed_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / ".groundtypes.lock").write_text("1")
    build_dataset(Answer, [row(1)], tmp_path)
    assert not (tmp_path / ".groundtypes.lock").exists()


def test_a_folder_that_is_read_only_is_a_mistake(tmp_path: Path) -> None:
    # Root may write everywhere, but nobody into /proc.
    with pytest.raises(DatasetError, match="Cannot write"):
        build_dataset(Answer, [row(1)], "/proc/groundtypes")
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(DatasetError, match="Cannot write"):
        build_dataset(Answer, [row(1)], file)


def test_a_disk_that_is_full_is_a_mistake_and_the_run_can_go_on(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows.jsonl", [row(number) for number in range(300)])
    whole = expected(tmp_path / "whole", rows)
    options = ("dataset", rows, "--output", "out", *MODEL, "--batch", 8)
    full = run(*options, cwd=tmp_path, file_size=20_000)
    assert full.returncode == 2, full.stderr
    assert b"Cannot write" in full.stderr
    assert b"Traceback" not in full.stderr
    assert run(*options, "--resume", cwd=tmp_path).returncode == 0
    assert contents(tmp_path / "out") == whole


def test_the_work_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    build_dataset(Answer, [row(1)], tmp_path)
    assert not list(tmp_path.glob(".*"))


def test_a_kill_in_the_last_clean_up_leaves_a_set_that_resume_finds_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = write(tmp_path / "rows.jsonl", lines({}))
    whole = build_dataset(Answer, rows, tmp_path / "whole")

    def killed(path: Path, **_: Any) -> None:
        if path.name.startswith(".groundtypes") and path.exists():
            next(file for file in path.rglob("*") if file.is_file()).unlink()
            raise KeyboardInterrupt

    folder = tmp_path / "killed"
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            build_dataset(Answer, rows, folder)
    again = build_dataset(Answer, rows, folder, resume=True)
    assert again.manifest == json.loads((folder / "manifest.json").read_text())
    assert again.counts.clean == whole.counts.clean
    assert contents(folder) == contents(tmp_path / "whole")
    assert not list(folder.glob(".groundtypes*"))


def test_a_finished_set_is_resumed_only_with_the_same_input_and_options(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows.jsonl", [row(1)])
    build_dataset(Answer, rows, tmp_path / "data")
    with pytest.raises(DatasetError, match="seed"):
        build_dataset(Answer, rows, tmp_path / "data", seed=1, resume=True)
    other = write(tmp_path / "other.jsonl", [row(2)])
    with pytest.raises(DatasetError, match="already"):
        build_dataset(Answer, other, tmp_path / "data", resume=True)
