"""Recorded calls in a JSON Lines file that several threads and processes may append to."""

import contextlib
import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from filelock import FileLock
from pydantic_core import from_json, to_json

from groundtypes.errors import RecordingError
from groundtypes.integrations.recordings.calls import RecordedCall
from groundtypes.row_files.json_lines import LINE_LIMIT, TOO_LONG


def call_line(call: RecordedCall) -> bytes:
    """Return the call as one line, with its end."""
    return to_json(call.to_dict(), inf_nan_mode="strings", serialize_unknown=True) + b"\n"


def append_call(path: Path, call: RecordedCall) -> None:
    """Append a call: the whole line is there, or nothing of it.

    Raises:
        RecordingError: It cannot be written, such as on a full disk.
    """
    line = call_line(call)
    lock_path = path.with_name(path.name + ".lock")
    try:
        with FileLock(lock_path, poll_interval=0.01), path.open("a+b", buffering=0) as file:
            _append(file, line)
            with contextlib.suppress(OSError):  # Windows does not remove an open file
                lock_path.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RecordingError(f"Cannot write the recording {path}: {reason}.") from error


def _append(file: FileIO, line: bytes) -> None:
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            line = b"\n" + line  # what a killed process left is a line of its own
    view = memoryview(line)
    try:
        while view:
            view = view[file.write(view) :]
    except OSError:
        with contextlib.suppress(OSError):
            file.truncate(size)
        raise


def read_calls(path: str | os.PathLike[str]) -> Iterator[RecordedCall]:
    """Yield the calls of a file, in its order, one at a time.

    Raises:
        RecordingError: The file cannot be read, or a line of it holds no call; it says which.
    """
    try:
        with Path(path).open("rb") as file:
            lines = iter(lambda: file.readline(LINE_LIMIT + 1), b"")
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _call(line, f"Line {number} of {path}")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RecordingError(f"Cannot read the recording {path}: {reason}.") from error


def _call(line: bytes, place: str) -> RecordedCall:
    if len(line) > LINE_LIMIT:
        raise RecordingError(f"{place}: {TOO_LONG}")
    try:
        return RecordedCall.from_dict(from_json(line))
    except ValueError as error:
        raise RecordingError(f"{place}: not JSON: {error}") from error
    except RecordingError as error:
        raise RecordingError(f"{place}: {error}") from error
