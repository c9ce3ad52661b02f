"""All lines of a file processed, here or in worker processes; an interrupted run can go on.

The input is read line by line, batches of lines are processed, `RunFiles` appends what became of
them to the outputs and records after each batch how far the run has come.
"""

import os
import pickle
import signal
import stat
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from groundtypes.dataset.check.row_auditor import ProcessorFactory, RowProcessor
from groundtypes.errors import DatasetError
from groundtypes.references.row_keys import REFERENCES
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.files import (
    check_readable,
    file_errors,
    open_json_lines,
    replace_file,
    resolved,
)
from groundtypes.row_files.json_lines import Line, LineReader, Position, json_bytes
from groundtypes.row_files.line_faults import LineFault, line_faults
from groundtypes.row_files.run_files import Checkpoint, RunFiles
from groundtypes.row_files.table_files import open_rows

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

#: A batch ends early at this many bytes of input, so that long rows do not add up.
_BATCH_BYTES: Final = 16 * 2**20
#: Batches in flight per worker.
_IN_FLIGHT: Final = 2


@dataclass(slots=True)
class Batch:
    """What became of a batch of lines; `position` is the one after the last of them.

    `outputs` has the new lines of each output, by name, `broken` the numbers of broken lines with
    their errors, and `faults` the faults of all lines, those of broken ones included.
    """

    position: Position
    outputs: dict[str, list[bytes]]
    counts: RunCounts = field(default_factory=RunCounts)
    broken: list[tuple[int, str]] = field(default_factory=list)
    faults: list[LineFault] = field(default_factory=list)


@contextmanager
def processed_batches(
    reader: LineReader, factory: ProcessorFactory, outputs: Iterable[str], size: int, workers: int
) -> Iterator[Iterator[Batch]]:
    """Yield an iterator over the processed batches, in order."""
    batches = read_batches(reader, size)
    outputs = tuple(outputs)
    if workers <= 1:
        processor = factory.processor(outputs)
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
            yield _pooled(pool, batches, workers)
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
    """Have new processes search for modules where this one does, and not in the working folder."""
    # Until they know the paths of this process, Python would search that folder first.
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
) -> Iterator[Batch]:
    waiting: deque[Future[Batch]] = deque()
    for lines, position in batches:
        waiting.append(pool.submit(_process_in_worker, lines, position))
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
            batch.faults.append(LineFault.not_judged(result.number, result.error))
        if result.audit is None:
            batch.counts.add_broken()
        else:
            batch.counts.add(result.audit, repaired=result.repaired, label=result.label)
            if result.model is not None:
                batch.counts.models.count(result.model)
            batch.faults += line_faults(result.number, result.audit, result.name)
        for output in result.outputs.keys() & batch.outputs.keys():
            batch.outputs[output].append(result.outputs[output])
    return batch


# --- in a worker process --------------------------------------------------------------------

#: The processor of the lines, and the outputs that it makes.
_worker: tuple[RowProcessor, tuple[str, ...]] | None = None


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
    _worker = factory.processor(outputs), outputs


def _end_with_parent() -> None:
    import multiprocessing  # noqa: PLC0415

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _process_in_worker(lines: list[Line], position: Position) -> Batch:
    assert _worker is not None  # noqa: S101 # the pool calls `_start` first
    processor, outputs = _worker
    return process_batch(processor, outputs, lines, position)


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a run has counted and written; `seconds` includes those of the run that it continued.

    `size` and `digest` are the bytes of the input and their hash (32 hexadecimal digits of
    BLAKE2b).
    """

    counts: RunCounts
    seconds: float
    written: Mapping[str, Path]
    size: int = 0
    digest: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the summary file holds them."""
        return {
            **self.counts.to_dict(),
            "seconds": round(self.seconds, 3),
            "input": {"bytes": self.size, "blake2b": self.digest},
            "written": {output: str(path) for output, path in self.written.items()},
        }


def _reader_at(stream: BinaryIO, checkpoint: Checkpoint) -> LineReader:
    """Return a reader of the lines after those that an earlier run has read."""
    reader = LineReader(stream)
    if checkpoint.offset:
        reader.skip(Position(checkpoint.offset, checkpoint.number, checkpoint.digest))
    return reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to process and where to write; `source` is `None` for standard input.

    `options` make the processor of the lines, such as `CheckOptions`. Lines go to `clean` or
    `rejected`, or to `review` where a person should look at them and there is such a file, and all
    of them, with their verdicts, to `audits`; `summary` gets the counts. With
    several `workers`, batches of `batch` lines are processed in processes of their own. A `strict`
    run stops at the first broken line. With `tables`, the keys of rows, a table is read, too.
    """

    options: ProcessorFactory
    source: Path | None
    clean: Path | None = None
    rejected: Path | None = None
    review: Path | None = None
    audits: Path | None = None
    summary: Path | None = None
    batch: int = 256
    workers: int = 1
    strict: bool = False
    resume: bool = False
    overwrite: bool = False
    tables: Keys | None = None

    @property
    def outputs(self) -> dict[str, Path]:
        """The files that rows are written to, by the name of the output."""
        outputs = {"clean": self.clean, "rejected": self.rejected, "audits": self.audits}
        outputs["review"] = self.review
        return {output: path for output, path in outputs.items() if path is not None}

    def run(self, progress: Progress = Progress()) -> JobResult:  # noqa: B008 # without state
        """Process every line, write the outputs, and return what was counted.

        Raises:
            Mistake: The files, the model or, in a strict run, a line are not what they should
                be; what was written stays for `resume`.
        """
        self.check_options()
        with ExitStack() as stack:
            stream, size = _open_input(self.source, self.tables, stack)
            files = RunFiles(
                self.outputs,
                self.identity(size),
                sources=() if self.source is None else (self.source,),
                reports={} if self.summary is None else {"summary": self.summary},
                resume=self.resume,
                overwrite=self.overwrite,
            )
            if files.checkpoint.finished:
                with file_errors("read the input"):
                    _reader_at(stream, files.checkpoint)
            else:
                with files.opened(), file_errors("read the input"):
                    self._process(stream, size, files, progress)
        return self.publish(files)

    def check_options(self) -> None:
        """Refuse a model or options before a file is opened.

        Raises:
            DatasetError: The model cannot be used, or there is no file to continue.
        """
        self.options.processor(self.outputs)
        if self.resume and not self.outputs:
            raise DatasetError(
                "`resume=True` needs `clean`, `rejected` or `audits`: only files can be continued."
            )

    def identity(self, size: int | None) -> dict[str, Any]:
        """Return what the outputs depend on, for an input of a size in bytes."""
        return {
            "input": "-" if self.source is None else str(resolved(self.source)),
            "input size": None if self.source is None else size,
            **self.options.identity,
            **{output: path.name for output, path in self.outputs.items()},
        }

    def _process(
        self, stream: BinaryIO, size: int | None, files: RunFiles, progress: Progress
    ) -> None:
        """Process all lines after the checkpoint, batch by batch."""
        checkpoint = files.checkpoint
        began = time.monotonic() - checkpoint.seconds
        counts = RunCounts.from_dict(checkpoint.counts)
        reader = _reader_at(stream, checkpoint)

        def commit(position: Position, *, finished: bool = False) -> None:
            checkpoint.counts = counts.to_dict()
            checkpoint.seconds = time.monotonic() - began
            files.commit(position, finished=finished)

        progress.started(size, reader.offset)
        commit(reader.position)
        with processed_batches(
            reader, self.options, self.outputs, self.batch, self.workers
        ) as batches:
            for batch in batches:
                for number, reason in batch.broken:
                    if self.strict:
                        raise DatasetError(f"Line {number} is broken: {reason}")
                    progress.broken(number, reason)
                for fault in batch.faults:
                    progress.fault(fault)
                counts.merge(batch.counts)
                for output, lines in batch.outputs.items():
                    files.write(output, lines)
                commit(batch.position)
                progress.advanced(batch.position.offset, counts)
        commit(reader.position, finished=True)  # after the blank lines at the end, too

    def publish(self, files: RunFiles) -> JobResult:
        """Give the outputs their names and write the summary; safe to be repeated."""
        files.publish()
        checkpoint = files.checkpoint
        result = JobResult(
            RunCounts.from_dict(checkpoint.counts),
            checkpoint.seconds,
            self.outputs,
            checkpoint.offset,
            checkpoint.digest,
        )
        if self.summary is not None:
            replace_file(self.summary, json_bytes(result.to_dict(), indent=2) + b"\n")
        files.close()
        return result


def _open_input(
    source: Path | None, tables: Keys | None, stack: ExitStack
) -> tuple[BinaryIO, int | None]:
    """Return the input and its size in bytes, if it is a regular file."""
    if source is None:
        if sys.stdin is None:
            raise DatasetError("Cannot read standard input: it is closed.")
        stream: BinaryIO = sys.stdin.buffer
        check_readable(stream, "standard input")
    elif tables is None:
        stream = stack.enter_context(open_json_lines(source))
    else:
        names = REFERENCES.names if tables.references is None else (tables.references,)
        stream = stack.enter_context(open_rows(source, names))
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream in memory
        return stream, None
    return stream, status.st_size if stat.S_ISREG(status.st_mode) else None
