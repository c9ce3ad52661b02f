"""Lines in batches, judged here or in processes of their own; the batches stay in order."""

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from groundtypes.dataset.check.row_auditor import Judged, Sifter, Sifting
from groundtypes.dataset.io.counts import Tally
from groundtypes.dataset.io.lines import Line, LineReader, Mark
from groundtypes.errors import DatasetError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

__all__ = ["Batch", "sifted_batches"]

#: A batch ends early at this many bytes of input, so that long rows do not add up.
_BATCH_BYTES: Final = 16 * 2**20
#: Batches that wait for a worker or for their turn, for each worker.
_AHEAD: Final = 2


@dataclass(slots=True)
class Batch:
    """What became of a batch of lines, and where the reader stood after it.

    `lines` has the new lines of each output that is written, by its role.
    """

    mark: Mark
    lines: dict[str, list[Iterable[bytes]]]
    tally: Tally = field(default_factory=Tally)
    broken: list[tuple[int, str]] = field(default_factory=list)

    def take(self, judged: Judged) -> None:
        """Add one line."""
        if judged.error is not None:
            self.broken.append((judged.number, judged.error))
        if judged.audit is None:
            self.tally.add_broken()
        else:
            self.tally.add(judged.audit)
        for role, lines in self.lines.items():
            lines.append(_LINES[role](judged))


#: The line of each role. What is made on demand is made here: it holds whole answers until then,
#: and does not travel.
_LINES: Final[Mapping[str, Callable[[Judged], Iterable[bytes]]]] = {
    "clean": lambda judged: judged.clean,
    "rejected": lambda judged: judged.rejected,
    "audits": lambda judged: tuple(judged.audited),
}


@contextmanager
def sifted_batches(
    reader: LineReader, sifting: Sifting, roles: Iterable[str], count: int, workers: int
) -> Iterator[Iterator[Batch]]:
    """Give the batches of `count` lines, judged, in their order, with the lines of the roles.

    Raises:
        Mistake: A batch cannot be judged, or what judges cannot be sent to another process.
    """
    if workers <= 1:
        here = _Work(sifting.sifter(), tuple(roles))
        yield (here.batch(lines, mark) for lines, mark in _batches(reader, count))
        return
    # Imported where they are used: nobody who has no workers waits for them.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    try:
        pickled = pickle.dumps(sifting)
    except Exception as error:
        raise DatasetError(
            f"Several workers need a model that can be imported by its name: {error}"
        ) from error
    context = multiprocessing.get_context("spawn")  # a fork would copy threads that hold locks
    numbers = context.Value("i", 0)
    pool = ProcessPoolExecutor(workers, context, _start, (pickled, tuple(roles), numbers, workers))
    try:
        here = _Work(sifting.sifter(), tuple(roles))
        yield _pooled(pool, here, reader, count, workers)
    except BrokenProcessPool as error:
        raise DatasetError(
            "A worker process has died, perhaps for want of memory. Go on with --resume and "
            "fewer workers."
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pooled(
    pool: "ProcessPoolExecutor", here: "_Work", reader: LineReader, count: int, workers: int
) -> Iterator[Batch]:
    waiting: deque[Future[Batch] | Batch] = deque()
    for lines, mark in _batches(reader, count):
        if any(line.spool is not None for line in lines):
            # A line that is too long for the memory does not travel either.
            waiting.append(here.batch(lines, mark))
        else:
            waiting.append(pool.submit(_work, lines, mark))
        if len(waiting) >= workers * _AHEAD:
            yield _result(waiting.popleft())
    while waiting:
        yield _result(waiting.popleft())


def _result(waiting: "Future[Batch] | Batch") -> Batch:
    return waiting if isinstance(waiting, Batch) else waiting.result()


@dataclass(frozen=True, slots=True)
class _Work:
    """Who judges in a process, and which lines are wanted."""

    sifter: Sifter
    roles: tuple[str, ...]

    def batch(self, lines: Iterable[Line], mark: Mark) -> Batch:
        batch = Batch(mark, {role: [] for role in self.roles})
        for judged in self.sifter.judge(lines):
            batch.take(judged)
        return batch


def _batches(reader: LineReader, count: int) -> Iterator[tuple[list[Line], Mark]]:
    batch: list[Line] = []
    size = 0
    for line in reader:
        batch.append(line)
        size += len(line.data)
        if len(batch) >= count or size >= _BATCH_BYTES:
            yield batch, reader.mark
            batch, size = [], 0
    if batch:
        yield batch, reader.mark


# --- in a worker ----------------------------------------------------------------------------

_own: _Work | None = None


def _start(pickled: bytes, roles: tuple[str, ...], numbers: Any, workers: int) -> None:
    """Make a worker ready: it ends with its parent, and has processors of its own."""
    global _own  # noqa: PLW0603 # one for each process is what a worker is
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "sched_setaffinity"):
        with numbers.get_lock():
            number = numbers.value
            numbers.value += 1
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, processors[number % workers :: workers] or processors)
    sifting: Sifting = pickle.loads(pickled)  # noqa: S301 # our own parent has pickled it
    _own = _Work(sifting.sifter(), roles)


def _end_with_parent() -> None:
    import multiprocessing  # noqa: PLC0415

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(lines: list[Line], mark: Mark) -> Batch:
    if _own is None:
        raise DatasetError("A worker was not made ready.")
    return _own.batch(lines, mark)
