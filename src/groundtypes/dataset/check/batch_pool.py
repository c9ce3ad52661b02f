"""Lines in batches, processed here or in worker processes; the batches stay in order."""

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from groundtypes.dataset.check.processing import ProcessorFactory, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.json_lines import Line, LineReader, Position

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

#: A batch ends early at this many bytes of input, so that long rows do not add up.
_BATCH_BYTES: Final = 16 * 2**20
#: Batches in flight per worker.
_IN_FLIGHT: Final = 2


@dataclass(slots=True)
class Batch:
    """What became of a batch of lines; `position` is the one after the last of them.

    `outputs` has the new lines of each output, by name, and `broken` the numbers of broken lines
    with their errors.
    """

    position: Position
    outputs: dict[str, list[bytes]]
    counts: RunCounts = field(default_factory=RunCounts)
    broken: list[tuple[int, str]] = field(default_factory=list)


@contextmanager
def processed_batches(
    reader: LineReader, factory: ProcessorFactory, outputs: Iterable[str], size: int, workers: int
) -> Iterator[Iterator[Batch]]:
    """Yield an iterator over the processed batches, in order.

    A batch has `size` lines of the input, or fewer, and the lines of these outputs.

    Raises:
        Mistake: A batch cannot be processed, or the options cannot be sent to another process.
    """
    first = reader.offset == 0  # else the run goes on with a later part
    batches = read_batches(reader, size)
    outputs = tuple(outputs)
    if workers <= 1:
        processor = factory.processor(outputs, first=first)
        yield (process_batch(processor, outputs, *batch) for batch in batches)
        return
    # Imported where they are used: a run without workers does not wait for them.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    try:
        pickled = pickle.dumps(factory)
    except Exception as error:
        raise DatasetError(
            f"Several workers need a model that can be imported by its name: {error}"
        ) from error
    context = multiprocessing.get_context("spawn")  # a fork would copy threads that hold locks
    with _without_working_folder():  # it starts a process of its own
        started = context.Value("i", 0)
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, _start, (pickled, outputs, started, workers))
    try:
        with _without_working_folder():
            yield _pooled(pool, batches, workers, first=first)
    except BrokenProcessPool as error:
        raise DatasetError(
            "A worker process has died, possibly because it ran out of memory. Continue with "
            "`resume=True` and fewer `workers`."
        ) from error
    except KeyboardInterrupt:
        # A worker may wait for an LLM. What it has not handed back is judged again.
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _without_working_folder() -> Iterator[None]:
    """Have new processes search for modules where this one does, and not in the working folder.

    Until they know the paths of this process, Python would search that folder first.
    """
    name = "PYTHONSAFEPATH"
    earlier = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if earlier is None:
            del os.environ[name]
        else:
            os.environ[name] = earlier


def _pooled(
    pool: "ProcessPoolExecutor",
    batches: Iterable[tuple[list[Line], Position]],
    workers: int,
    *,
    first: bool,
) -> Iterator[Batch]:
    waiting: deque[Future[Batch]] = deque()
    for lines, position in batches:
        waiting.append(pool.submit(_process_in_worker, lines, position, first))
        first = False
        if len(waiting) >= workers * _IN_FLIGHT:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def read_batches(reader: LineReader, size: int) -> Iterator[tuple[list[Line], Position]]:
    """Yield batches of `size` lines, or of fewer long ones, with the position after each."""
    lines: list[Line] = []
    length = 0
    for line in reader:
        lines.append(line)
        length += len(line.data)
        if len(lines) >= size or length >= _BATCH_BYTES:
            yield lines, reader.position
            lines, length = [], 0
    if lines:
        yield lines, reader.position


def process_batch(
    processor: RowProcessor, outputs: tuple[str, ...], lines: Iterable[Line], position: Position
) -> Batch:
    """Return what became of the lines of a batch."""
    batch = Batch(position, {output: [] for output in outputs})
    for result in processor.process(lines):
        if result.error is not None:
            batch.broken.append((result.number, result.error))
        if result.audit is None:
            batch.counts.add_broken()
        else:
            batch.counts.add(result.audit, repaired=result.repaired)
        for output in result.outputs.keys() & batch.outputs.keys():
            batch.outputs[output].append(result.outputs[output])
    return batch


# --- in a worker process --------------------------------------------------------------------

#: The processor of the first lines, that of later ones, and the outputs that they make.
_worker: tuple[RowProcessor, RowProcessor, tuple[str, ...]] | None = None


def _start(pickled: bytes, outputs: tuple[str, ...], started: Any, workers: int) -> None:
    """Prepare a worker: it ends with its parent, and runs on CPU cores of its own."""
    global _worker  # noqa: PLW0603 # a worker process has one
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "sched_setaffinity"):
        with started.get_lock():
            number = started.value
            started.value += 1
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[number % workers :: workers] or cores)
    factory: ProcessorFactory = pickle.loads(pickled)  # noqa: S301 # our own parent has pickled it
    of_first, of_later = (factory.processor(outputs, first=first) for first in (True, False))
    _worker = of_first, of_later, outputs


def _end_with_parent() -> None:
    import multiprocessing  # noqa: PLC0415

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _process_in_worker(lines: list[Line], position: Position, first: bool) -> Batch:  # noqa: FBT001 # what the pool passes
    assert _worker is not None  # noqa: S101 # the pool calls `_start` first
    of_first, of_later, outputs = _worker
    return process_batch(of_first if first else of_later, outputs, lines, position)
