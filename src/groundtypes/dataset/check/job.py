"""Processes all lines of a file; an interrupted run can be resumed.

The input is read line by line, `pool` processes batches of lines, `RunFiles` appends what became
of them to the outputs and records after each batch how far the run has come.
"""

import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from groundtypes.dataset.check.batch_pool import processed_batches
from groundtypes.dataset.check.processing import ProcessorFactory
from groundtypes.errors import DatasetError
from groundtypes.row_files.counts import RunCounts
from groundtypes.row_files.files import (
    check_readable,
    file_errors,
    open_json_lines,
    replace_file,
    resolved,
)
from groundtypes.row_files.json_lines import LineReader, Position, json_bytes
from groundtypes.row_files.progress import Progress
from groundtypes.row_files.run_files import RunFiles


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to process and where to write; `source` is `None` for standard input.

    `options` make the processor of the lines, such as `CheckOptions`. Lines go to `clean` or
    `rejected`, and all of them, with their verdicts, to `audits`; `summary` gets the counts. With
    several `workers`, batches of `batch` lines are processed in processes of their own. A `strict`
    run stops at the first broken line.
    """

    options: ProcessorFactory
    source: Path | None
    clean: Path | None = None
    rejected: Path | None = None
    audits: Path | None = None
    summary: Path | None = None
    batch: int = 256
    workers: int = 1
    strict: bool = False
    resume: bool = False
    overwrite: bool = False

    @property
    def outputs(self) -> dict[str, Path]:
        """The files that rows are written to, by the name of the output."""
        outputs = {"clean": self.clean, "rejected": self.rejected, "audits": self.audits}
        return {output: path for output, path in outputs.items() if path is not None}

    def run(self, progress: Progress = Progress()) -> JobResult:  # noqa: B008 # without state
        """Process every line, write the outputs, and return what was counted.

        Raises:
            Mistake: The files, the model or, in a strict run, a line are not what they should
                be; what was written stays for `resume`.
        """
        self.check_options()
        with ExitStack() as stack:
            stream, size = _open_input(self.source, stack)
            files = RunFiles(
                self.outputs,
                self.identity(size),
                sources=() if self.source is None else (self.source,),
                reports={} if self.summary is None else {"summary": self.summary},
                resume=self.resume,
                overwrite=self.overwrite,
            )
            if not files.checkpoint.finished:
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
        reader = LineReader(stream)

        def commit(position: Position, *, finished: bool = False) -> None:
            checkpoint.counts = counts.to_dict()
            checkpoint.seconds = time.monotonic() - began
            files.commit(position, finished=finished)

        if checkpoint.offset:
            reader.skip(Position(checkpoint.offset, checkpoint.number, checkpoint.digest))
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


def _open_input(source: Path | None, stack: ExitStack) -> tuple[BinaryIO, int | None]:
    """Return the input and its size in bytes, if it is a regular file."""
    if source is None:
        if sys.stdin is None:
            raise DatasetError("Cannot read standard input: it is closed.")
        stream: BinaryIO = sys.stdin.buffer
        check_readable(stream, "standard input")
    else:
        stream = stack.enter_context(open_json_lines(source))
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream in memory
        return stream, None
    return stream, status.st_size if stat.S_ISREG(status.st_mode) else None
