"""Links, pipes and devices in the place of files."""

import os
import sys
from pathlib import Path

import pytest

from groundtypes.dataset import CheckOptions, Job, build_dataset
from groundtypes.errors import DatasetError
from groundtypes.models import CitedAnswer
from groundtypes.row_files.files import locked, partial_file, replace_file
from tests.command_line import read_rows, row, run, write_rows
from tests.dataset.samples import Answer
from tests.dataset.samples import row as dataset_row

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def job(source: Path, clean: Path | None = None) -> Job:
    return Job(options=CheckOptions(CitedAnswer, "CitedAnswer"), source=source, clean=clean)


@pytest.mark.parametrize(
    "name",
    [".groundtypes.lock", ".groundtypes", ".groundtypes.finished"],
)
def test_a_link_in_a_data_set_is_not_followed(tmp_path: Path, name: str) -> None:
    target = tmp_path / "target"
    if name == ".groundtypes.lock":
        target.write_text("mine")
    else:
        target.mkdir()
        (target / "mine").write_text("mine")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / name).symlink_to(target)
    with pytest.raises(DatasetError, match="symbolic link"):
        build_dataset(Answer, [dataset_row(1)], folder, overwrite=True)
    assert (target if target.is_file() else target / "mine").read_text() == "mine"


@pytest.mark.parametrize("name", ["c.partial", "c.partial.lock", "c.partial.state.new"])
def test_a_link_in_the_place_of_a_draft_is_not_followed(tmp_path: Path, name: str) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    (tmp_path / name).symlink_to(target)
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    with pytest.raises(DatasetError, match="symbolic link"):
        job(rows, clean=tmp_path / "c").run()
    assert target.read_text() == "mine"


def test_a_link_to_nothing_is_not_followed_either(tmp_path: Path) -> None:
    target = tmp_path / "target"
    for name in ("a.lock", "b.partial", "c.new"):
        (tmp_path / name).symlink_to(target)
    with pytest.raises(DatasetError), locked(tmp_path / "a.lock", tmp_path / "a"):
        pass
    with pytest.raises(DatasetError), partial_file(tmp_path / "b"):
        pass
    with pytest.raises(DatasetError):
        replace_file(tmp_path / "c", b"content")
    assert not target.exists()


def test_an_output_that_is_a_link_stays_one(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    (tmp_path / "link").symlink_to(tmp_path / "clean.jsonl")
    assert run("check", rows, "--clean", "link", cwd=tmp_path).returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert len(read_rows(tmp_path / "clean.jsonl")) == 1


@pytest.mark.parametrize("command", ["check", "evaluate", "report", "dataset", "claims"])
def test_a_device_without_an_end_is_refused(tmp_path: Path, command: str) -> None:
    more = {"dataset": ["--output", "data"], "claims": ["--llm", "openai/x"]}.get(command, [])
    result = run(command, "/dev/zero", *more, cwd=tmp_path, env={"OPENAI_API_KEY": "x"})
    assert result.returncode == 2
    assert len(result.stderr.decode().strip().splitlines()) == 1
    assert b"device" in result.stderr


def test_standard_input_that_is_a_device_is_refused(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as zeros:
        saved = os.dup(0)
        os.dup2(zeros.fileno(), 0)
        try:
            with pytest.raises(DatasetError, match="device"):
                job(Path("/dev/stdin"), clean=tmp_path / "c").run()
        finally:
            os.dup2(saved, 0)
            os.close(saved)


def test_the_empty_device_and_a_pipe_are_read(tmp_path: Path) -> None:
    assert job(Path(os.devnull)).run().counts.rows == 0
    content = write_rows(tmp_path / "rows.jsonl", [row()]).read_bytes()
    result = run("check", "/dev/stdin", "--clean", "c", cwd=tmp_path, stdin=content)
    assert result.returncode == 0
    assert len(read_rows(tmp_path / "c")) == 1


@pytest.mark.parametrize("output", ["folder", "pipe"])
def test_an_output_that_is_no_file_is_refused(tmp_path: Path, output: str) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", [row()])
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DatasetError, match="regular file"):
        job(rows, clean=tmp_path / output).run()
