"""Output files that are whole or not there: written under another name, renamed at the end."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from groundtypes.errors import DatasetError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be replaced by another run anyway
    fcntl = None  # type: ignore[assignment]

#: Whole lines are kept back up to this many bytes, so that a row is not a write of its own.
_BUFFER: Final = 2**20

__all__ = [
    "PartialFile",
    "check_outputs",
    "mistake_of",
    "partial_path",
    "rename",
    "replace_file",
    "state_path",
]


def partial_path(path: Path) -> Path:
    """Return where the output is written until it is whole."""
    return path.with_name(path.name + ".partial")


def state_path(path: Path) -> Path:
    """Return where a run notes how far it has come, beside its first output."""
    return path.with_name(path.name + ".partial.state")


def mistake_of(error: OSError, doing: str) -> DatasetError:
    """Return the mistake that stands for a refusal of the operating system."""
    return DatasetError(f"Cannot {doing}: {error.strerror or type(error).__name__}.")


def check_outputs(outputs: Mapping[str, Path], source: Path | None) -> None:
    """Check that every output can be a file of its own; `outputs` maps options to paths.

    Raises:
        DatasetError: Two of them, or one and the input, are the same file, or one is no file.
    """
    claims = [("the input", source)] if source is not None else []
    for option, path in outputs.items():
        if not path.parent.is_dir():
            raise DatasetError(f"The folder of {option} does not exist: {path.parent}")
        if path.exists() and not path.is_file():
            raise DatasetError(f"{option} is not a regular file: {path}")
        for name in (path, partial_path(path), state_path(path)):
            for other, claimed in claims:
                if other != option and _same(name, claimed):
                    raise DatasetError(f"{option} and {other} would be the same file: {name}")
            claims.append((option, name))


def _same(one: Path, other: Path) -> bool:
    if one == other:
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False


class PartialFile:
    """An output on its way: locked, and written in whole lines."""

    def __init__(self, path: Path, *, length: int | None, discard: bool) -> None:
        """Open the partial file: a new one, or with `length` one to be continued from there.

        Raises:
            DatasetError: It cannot be opened, is there already (unless `discard`), is shorter
                than `length`, or another process writes it.
        """
        self.path = path
        self.partial = partial_path(path)
        self._file = self._open(must_exist=length is not None, discard=discard)
        try:
            self._lock()
            self._cut(length or 0)
        except BaseException:
            self._file.close()
            raise
        self.length = length or 0
        self._waiting = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What cannot be written at this point is past the last state, and is written again.
        with contextlib.suppress(OSError):
            self._file.close()

    def write(self, pieces: Iterable[bytes]) -> None:
        """Append one line, given in pieces.

        Raises:
            DatasetError: The disk is full, or the like.
        """
        for piece in pieces:
            if len(self._waiting) + len(piece) > _BUFFER:
                self._flush()
            self._waiting += piece

    def sync(self) -> None:
        """Make sure that what was written survives a loss of power."""
        self._flush()
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise mistake_of(error, f"write {self.partial}") from error

    def discard(self) -> None:
        """Remove the file."""
        with contextlib.suppress(OSError):
            self.partial.unlink()

    def _flush(self) -> None:
        view = memoryview(bytes(self._waiting))
        self._waiting.clear()
        try:
            while view:
                written = self._file.write(view)
                self.length += written
                view = view[written:]
        except OSError as error:
            raise mistake_of(error, f"write {self.partial}") from error

    def _open(self, *, must_exist: bool, discard: bool) -> FileIO:
        try:
            if must_exist:
                return self.partial.open("r+b", buffering=0)
            try:
                return self.partial.open("xb", buffering=0)
            except FileExistsError:
                if not discard:
                    raise
                return self.partial.open("r+b", buffering=0)
        except FileExistsError as error:
            raise DatasetError(
                f"An interrupted run left {self.partial}. Continue it with --resume, or start "
                "again with --overwrite."
            ) from error
        except OSError as error:
            raise mistake_of(error, f"write {self.partial}") from error

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError(f"Another run is writing {self.partial}.") from error
        except OSError:
            return  # a file system without locks

    def _cut(self, length: int) -> None:
        if self._file.seek(0, os.SEEK_END) < length:
            raise DatasetError(
                f"{self.partial} is shorter than the interrupted run left it. "
                "Start again with --overwrite."
            )
        self._file.truncate(length)
        self._file.seek(length)


def rename(old: Path, new: Path) -> None:
    """Give a file another name, for good."""
    try:
        old.replace(new)
    except OSError as error:
        raise mistake_of(error, f"rename {old} to {new.name}") from error
    _sync_folder(new.parent)


def replace_file(path: Path, content: bytes) -> None:
    """Write a small file so that it is the old one or the new one at any time.

    Raises:
        DatasetError: It cannot be written.
    """
    draft = path.with_name(path.name + ".new")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise mistake_of(error, f"write {path}") from error


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # some systems do not open folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
