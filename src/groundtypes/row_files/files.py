"""Files that are whole or not there: written under another name, locked, renamed at the end."""

import contextlib
import errno
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from filelock import FileLock, SoftFileLock, Timeout

from groundtypes.errors import DatasetError

_Path = TypeVar("_Path", Path, Path | None)
_BUFFER: Final = 2**20


def partial_path(path: Path) -> Path:
    """Return where an output is written until it is whole."""
    return path.with_name(path.name + ".partial")


def lock_path(path: Path) -> Path:
    """Return the lock file of an output."""
    return path.with_name(path.name + ".partial.lock")


def draft_path(path: Path) -> Path:
    """Return where `replace_file` writes a file first."""
    return path.with_name(path.name + ".new")


@contextlib.contextmanager
def file_errors(action: str) -> Iterator[None]:
    """Raise an error of the operating system as a mistake: "Cannot <action>: <reason>."."""
    try:
        yield
    except OSError as error:
        raise DatasetError(f"Cannot {action}: {error.strerror or type(error).__name__}.") from error


def resolved(path: _Path) -> _Path:
    """Return the path with links resolved, so that a link stays and its target is replaced."""
    try:
        return path if path is None else path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise DatasetError(f"{path} is not a usable path: {error}") from error


def open_input(path: Path) -> BinaryIO:
    """Open a file, or a pipe, that rows are read from."""
    with file_errors(f"read {path}"):
        file = path.open("rb")
    try:
        check_readable(file, str(path))
    except BaseException:
        file.close()
        raise
    return file


def open_regular(path: Path) -> BinaryIO:
    """Open a file that is neither a link nor a device, without waiting for a pipe.

    Raises:
        OSError: It cannot be opened, or is no regular file.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    file = open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb")  # noqa: PTH123, SIM115 # a descriptor, for the caller
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no regular file")
    return file


#: What the first bytes of a file say that it is.
_FORMATS: Final = {
    b"PAR1": "Parquet",
    b"\x1f\x8b": "compressed (gzip)",
    b"PK\x03\x04": "an archive",
}
_SUFFIXES: Final = {".csv": "CSV", ".tsv": "TSV", ".parquet": "Parquet"}


def open_json_lines(path: Path) -> BinaryIO:
    """Open a file of JSON Lines, or a pipe."""
    file = open_input(path)
    kind = _SUFFIXES.get(path.suffix.lower())
    if isinstance(file, io.BufferedReader) and file.seekable():
        start = file.peek(4)
        kind = next((name for mark, name in _FORMATS.items() if start.startswith(mark)), kind)
    if kind is None:
        return file
    file.close()
    raise DatasetError(f"{path} is {kind}, and rows are read as JSON Lines. Convert or unpack it.")


def check_readable(file: BinaryIO, name: str) -> None:
    """Check that what is open is no device without an end, such as `/dev/zero`."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError):  # a stream in memory
        return
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if is_device and not file.isatty() and status.st_rdev != _null_device():
        raise DatasetError(f"Cannot read {name}: it is a device, not a file.")


def _null_device() -> int | None:
    try:
        return Path(os.devnull).stat().st_rdev
    except OSError:
        return None


def _open_own(path: Path, flags: int) -> int:
    """Open a file whose name is ours, such as a draft; a link in its place is not followed."""
    binary = getattr(os, "O_BINARY", 0)
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | binary, 0o666)


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise DatasetError(f"{path} is a symbolic link, which nothing here makes. Remove it.")


@contextlib.contextmanager
def locked(path: Path, output: Path) -> Iterator[None]:
    """Hold the lock file of an output; it names this process, and is removed at the end.

    The lock of a process that was killed is free again.
    """
    _refuse_link(path)
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
            with (
                contextlib.suppress(OSError),  # Windows lets nobody write to a locked file
                open(_open_own(path, os.O_WRONLY | os.O_TRUNC), "w") as file,
            ):
                file.write(str(os.getpid()))
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
    """
    partial = partial_path(path)
    _refuse_link(partial)
    if length is None and not discard and partial.exists():
        raise DatasetError(
            f"An interrupted run left {partial}. Continue it with `resume=True`, or start again "
            "with `overwrite=True`."
        )
    with locked(lock_path(path), partial):
        with file_errors(f"write {partial}"):
            created = os.O_CREAT if length is None else 0
            handle = _open_own(partial, os.O_RDWR | created)
            file = os.fdopen(handle, "r+b", buffering=_BUFFER)
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
    """Give a file another name, durably."""
    with file_errors(f"rename {old} to {new.name}"):
        old.replace(new)
    with contextlib.suppress(OSError):  # some systems do not open folders
        handle = os.open(new.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Write a small file so that it is the old one or the new one at any time."""
    draft = draft_path(path)
    _refuse_link(draft)
    with file_errors(f"write {path}"):
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(_open_own(draft, flags), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
