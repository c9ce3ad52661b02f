"""One run at a time writes to a folder."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from groundtypes.dataset.io.files import mistake_of
from groundtypes.errors import DatasetError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["locked"]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file that names this process; it is removed at the end.

    The system gives a lock back when its process ends, however it ends, so that the file of a
    killed run stops nobody. On a file system without locks, a process that is alive counts.

    Raises:
        DatasetError: Another process holds it; the message names that.
    """
    handle = _held(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def _held(path: Path) -> int:
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise mistake_of(error, f"write {path}") from error
        try:
            _take(handle, path)
            # Whoever had it before may have removed the file between our opening and locking it.
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                os.ftruncate(handle, 0)
                os.pwrite(handle, str(os.getpid()).encode(), 0)
                return handle
        except OSError as error:
            os.close(handle)
            raise mistake_of(error, f"write {path}") from error
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _take(handle: int, path: Path) -> None:
    owner = os.pread(handle, 20, 0).decode(errors="replace").strip()
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _taken(owner, path) from error
        except OSError:
            pass  # a file system without locks
        else:
            return
    if owner.isdecimal() and int(owner) != os.getpid() and _alive(int(owner)):
        raise _taken(owner, path)


def _taken(owner: str, path: Path) -> DatasetError:
    return DatasetError(
        f"Another run (process {owner or 'unknown'}) is writing to {path.parent}. Wait for it, or "
        "name another folder."
    )


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
