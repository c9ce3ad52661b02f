"""Files that are whole or not there: written under another name, locked, renamed at the end."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from filelock import FileLock, SoftFileLock, Timeout

from groundtypes.errors import DatasetError

__all__ = [
    "PartialFile",
    "file_errors",
    "locked",
    "partial_path",
    "rename",
    "replace_file",
]

_BUFFER: Final = 2**20


def partial_path(path: Path) -> Path:
    """Return where an output is written until it is whole."""
    return path.with_name(path.name + ".partial")


@contextlib.contextmanager
def file_errors(action: str) -> Iterator[None]:
    """Raise an error of the operating system as a mistake: "Cannot <action>: <reason>.".

    Raises:
        DatasetError: The block raised an `OSError`.
    """
    try:
        yield
    except OSError as error:
        raise DatasetError(f"Cannot {action}: {error.strerror or type(error).__name__}.") from error


@contextlib.contextmanager
def locked(path: Path, output: Path) -> Iterator[None]:
    """Hold the lock file of an output; it names this process, and is removed at the end.

    The lock of a process that was killed holds nobody up.

    Raises:
        DatasetError: Another process holds the lock, or its file cannot be written.
    """
    lock = FileLock(path, timeout=0)
    with file_errors(f"write {path}"):
        try:
            lock.acquire()
        except Timeout as error:
            raise DatasetError(
                f"Another run (process {_lock_holder(path)}) is writing {output}. Wait for it, or "
                "write elsewhere."
            ) from error
    try:
        # Where the file system has no locks, filelock itself has written who holds this one.
        if not isinstance(lock, SoftFileLock):
            with contextlib.suppress(OSError):  # Windows lets nobody write to a locked file
                path.write_text(str(os.getpid()))
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
        lock.release()


def _lock_holder(path: Path) -> str:
    try:
        return path.read_text(errors="replace").split()[0]
    except (OSError, IndexError):
        return "unknown"


class PartialFile:
    """An output that is being written: locked, and appended to line by line."""

    def __init__(self, path: Path, *, length: int | None = None, discard: bool = False) -> None:
        """Open the partial file: a new one, or with `length` one to be continued from there.

        Raises:
            DatasetError: It cannot be opened, is there already (unless `discard`), is shorter
                than `length`, or another process writes it.
        """
        self.path = path
        self.partial = partial_path(path)
        if length is None and not discard and self.partial.exists():
            raise DatasetError(
                f"An interrupted run left {self.partial}. Continue it with `resume=True`, or start "
                "again with `overwrite=True`."
            )
        with contextlib.ExitStack() as stack:
            lock_path = self.partial.with_name(self.partial.name + ".lock")
            stack.enter_context(locked(lock_path, self.partial))
            self._file = self._open(must_exist=length is not None)
            stack.callback(self._close)
            self._truncate(length or 0)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def write(self, lines: Iterable[bytes]) -> None:
        """Append lines, each with its end.

        Raises:
            DatasetError: The disk is full, or the like.
        """
        with file_errors(f"write {self.partial}"):
            self._file.writelines(lines)

    def sync(self) -> int:
        """Make sure that what was written survives a loss of power, and return the file's length.

        Raises:
            DatasetError: The disk is full, or the like.
        """
        with file_errors(f"write {self.partial}"):
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()

    def discard(self) -> None:
        """Remove the file."""
        with contextlib.suppress(OSError):
            self.partial.unlink()

    def _open(self, *, must_exist: bool) -> BinaryIO:
        with file_errors(f"write {self.partial}"):
            if not must_exist:
                self.partial.touch()
            return self.partial.open("r+b", buffering=_BUFFER)

    def _truncate(self, length: int) -> None:
        """Cut off what stands behind `length`, such as half a line of a killed run."""
        if self._file.seek(0, os.SEEK_END) < length:
            raise DatasetError(
                f"{self.partial} is shorter than the interrupted run left it. Start again with "
                "`overwrite=True`."
            )
        self._file.truncate(length)
        self._file.seek(length)

    def _close(self) -> None:
        # What cannot be written any more is behind the last checkpoint, and is written again.
        with contextlib.suppress(OSError):
            self._file.close()


def rename(old: Path, new: Path) -> None:
    """Give a file another name, durably.

    Raises:
        DatasetError: The operating system refuses.
    """
    with file_errors(f"rename {old} to {new.name}"):
        old.replace(new)
    with contextlib.suppress(OSError):  # some systems do not open folders
        handle = os.open(new.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Write a small file so that it is the old one or the new one at any time.

    Raises:
        DatasetError: It cannot be written.
    """
    draft = path.with_name(path.name + ".new")
    with file_errors(f"write {path}"):
        try:
            with draft.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
