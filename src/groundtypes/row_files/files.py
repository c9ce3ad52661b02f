"""Files that are whole or not there: written under another name, locked, renamed at the end."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from filelock import FileLock, SoftFileLock, Timeout

from groundtypes.errors import DatasetError

__all__ = ["file_errors", "locked", "partial_file", "partial_path", "rename", "replace_file"]

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

    The lock of a process that was killed is free again.

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


@contextlib.contextmanager
def partial_file(
    path: Path, *, length: int | None = None, discard: bool = False
) -> Iterator[BinaryIO]:
    """Open the partial file of an output: a new one, or with `length` one to continue from there.

    What follows `length`, such as half a line of a killed run, is cut off.

    Raises:
        DatasetError: It cannot be opened, is there already (unless `discard`), is shorter than
            `length`, or another process writes it.
    """
    partial = partial_path(path)
    if length is None and not discard and partial.exists():
        raise DatasetError(
            f"An interrupted run left {partial}. Continue it with `resume=True`, or start again "
            "with `overwrite=True`."
        )
    with locked(partial.with_name(partial.name + ".lock"), partial):
        with file_errors(f"write {partial}"):
            if length is None:
                partial.touch()
            file = partial.open("r+b", buffering=_BUFFER)
        try:
            if file.seek(0, os.SEEK_END) < (length or 0):
                raise DatasetError(
                    f"{partial} is shorter than the interrupted run left it. Start again with "
                    "`overwrite=True`."
                )
            file.truncate(length or 0)
            file.seek(length or 0)
            yield file
        finally:
            # What cannot be written any more comes after the last checkpoint, and is written again.
            with contextlib.suppress(OSError):
                file.close()


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
