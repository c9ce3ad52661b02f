"""Stages of a build: each is a list of tasks, and each task leaves one folder when it has finished.

A task writes its files into a folder of its own, which gets its name when the last file is whole.
What an interruption leaves is therefore finished, with the hash of every file, or made again.
"""

import hashlib
import json
import logging
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, overload

from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import json_bytes

__all__ = ["Call", "Folders", "Runner", "Stages", "Task", "perform", "run_here"]

_RESULT: Final = "result.json"
_log = logging.getLogger(__name__)

#: Takes a new folder to write its files to, and then its arguments; returns plain data.
Task = Callable[..., Any]


class Call(NamedTuple):
    """A task, the folder that it leaves, and its arguments."""

    folder: Path
    task: Task
    arguments: tuple[Any, ...]


class Runner(Protocol):
    """Performs the calls of a stage, wherever there is room, and returns what they return."""

    def __call__(self, calls: Sequence[Call]) -> list[Any]:
        """Return what each call returns, in their order.

        Raises:
            DatasetError: A file cannot be read or written, or a process died again and again.
        """
        ...


def run_here(calls: Sequence[Call]) -> list[Any]:
    """Perform calls in this process, one after the other.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    return [perform(call) for call in calls]


@dataclass(frozen=True, slots=True)
class Folders(Sequence[Path]):
    """The folders that the tasks of a stage leave, in order; sent as one path and a number."""

    stage: Path
    tasks: int

    def __len__(self) -> int:
        return self.tasks

    @overload
    def __getitem__(self, number: int) -> Path: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Path]: ...
    def __getitem__(self, number: int | slice) -> Path | Sequence[Path]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(self.tasks))]
        if not 0 <= number < self.tasks:
            raise IndexError(number)
        return self.stage / f"{number:06}"


class Stages:
    """Runs stages, each of which has a folder of its own with the folders of its tasks."""

    def __init__(self, folder: Path, runner: Runner) -> None:
        """Store the folder of all stages, and what performs the tasks."""
        self.folder = folder
        self._runner = runner
        self.results: dict[str, list[Any]] = {}

    def run(self, name: str, task: Task, arguments: Sequence[tuple[Any, ...]]) -> Folders:
        """Perform a task for each tuple of arguments, and return the folders that they leave.

        What they return is then in `results`, under the name of the stage.

        Raises:
            DatasetError: A file cannot be read or written, or a process died again and again.
        """
        folder = self.folder / name
        with file_errors(f"write {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            for draft in folder.glob("*.*"):  # of an interrupted run
                shutil.rmtree(draft, ignore_errors=True)
        folders = Folders(folder, len(arguments))
        calls = [Call(path, task, given) for path, given in zip(folders, arguments, strict=True)]
        _log.info("%s: %d tasks", name, len(calls))
        self.results[name] = self._runner(calls)
        return folders


def perform(call: Call) -> Any:
    """Perform a call, unless its folder is there, whole, and return what it returns.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    with file_errors(f"write {call.folder}"):
        finished = _finished(call.folder)
        if finished is not None:
            return finished["result"]
        draft = Path(tempfile.mkdtemp(prefix=f"{call.folder.name}.", dir=call.folder.parent))
        try:
            result = call.task(draft, *call.arguments)
            # What does not survive a loss of power is seen by its hash.
            content = {"result": result, "files": _digests(draft)}
            (draft / _RESULT).write_bytes(json_bytes(content))
            shutil.rmtree(call.folder, ignore_errors=True)
            _rename(draft, call.folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return result


def _rename(draft: Path, folder: Path) -> None:
    try:
        draft.rename(folder)
    except OSError:
        # Another process performs the same call, because this one was believed dead.
        if _finished(folder) is None:
            raise


def _finished(folder: Path) -> dict[str, Any] | None:
    """Return what a finished task has recorded, if its files are still those."""
    try:
        content: dict[str, Any] = json.loads((folder / _RESULT).read_bytes())
        return content if content["files"] == _digests(folder) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digests(folder: Path) -> dict[str, str]:
    digests = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path != folder / _RESULT:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
            digests[path.relative_to(folder).as_posix()] = digest.hexdigest()
    return digests
