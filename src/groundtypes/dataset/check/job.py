"""A whole run: rows from a file or a stream, to files that an interruption leaves usable."""

import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from groundtypes.dataset.check.pool import Batch, sifted_batches
from groundtypes.dataset.check.row_auditor import Check, Sifting
from groundtypes.dataset.io.checkpoint import State
from groundtypes.dataset.io.counts import Tally
from groundtypes.dataset.io.files import (
    PartialFile,
    check_outputs,
    mistake_of,
    partial_path,
    rename,
    replace_file,
    state_path,
)
from groundtypes.dataset.io.lines import LineReader, Mark, json_bytes
from groundtypes.dataset.io.rows import Keys
from groundtypes.errors import DatasetError

__all__ = ["Job", "Outcome", "Quiet", "Watcher"]


class Watcher(Protocol):
    """Who is told how a run goes on."""

    def started(self, total: int | None, offset: int) -> None:
        """Take the bytes of the input, if they are known, and those that are read already."""

    def advanced(self, offset: int, tally: Tally) -> None:
        """Take the bytes read and the counts, after each batch."""

    def broken(self, number: int, reason: str) -> None:
        """Take the number of a broken line and what is wrong with it."""


class Quiet:
    """A watcher that tells nobody."""

    def started(self, total: int | None, offset: int) -> None:
        """Do nothing."""

    def advanced(self, offset: int, tally: Tally) -> None:
        """Do nothing."""

    def broken(self, number: int, reason: str) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found and wrote; `seconds` includes those of the run that it continued.

    `size` and `digest` are the bytes of the input and their hash (32 hexadecimal digits of
    BLAKE2b).
    """

    tally: Tally
    seconds: float
    written: Mapping[str, Path]
    size: int = 0
    digest: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the summary file holds them."""
        return {
            **self.tally.to_dict(),
            "seconds": round(self.seconds, 3),
            "input": {"bytes": self.size, "blake2b": self.digest},
            "written": {role: str(path) for role, path in self.written.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to check and where to write; `source` is `None` for standard input.

    `sifting` says how lines are judged; `options` of it are part of the run's identity. With
    several `workers`, batches are judged in processes of their own.
    """

    model: Any
    model_name: str
    source: Path | None
    clean: Path | None = None
    rejected: Path | None = None
    audits: Path | None = None
    summary: Path | None = None
    keys: Keys = Keys()  # noqa: RUF009 # frozen
    sifting: Sifting | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    batch: int = 256
    workers: int = 1
    strict: bool = False
    resume: bool = False
    overwrite: bool = False

    @property
    def outputs(self) -> dict[str, Path]:
        """The files that rows are written to, by role."""
        roles = {"clean": self.clean, "rejected": self.rejected, "audits": self.audits}
        return {role: path for role, path in roles.items() if path is not None}

    @property
    def state_path(self) -> Path | None:
        """Where the state is kept; a run that writes no rows has none."""
        first = next(iter(self.outputs.values()), None)
        return None if first is None else state_path(first)

    @property
    def unfinished(self) -> bool:
        """Whether an interrupted run has left something to go on with."""
        paths = map(partial_path, self.outputs.values())
        return any(path.exists() for path in paths) or bool(
            self.state_path is not None and self.state_path.exists()
        )

    def run(self, watcher: Watcher) -> Outcome:
        """Check every row, write the outputs, and return what was found.

        Raises:
            Mistake: The files, the model or, in a strict run, a line are not what they should
                be; what was written stays for `resume`.
        """
        sifting = self.sifting or Check(self.model, self.keys)
        sifting.sifter()  # a model that cannot be used is told before anything is opened
        with ExitStack() as stack:
            stream, size = _open(self.source, stack)
            state = self._prepare(size)
            if not state.finished:
                files: dict[str, PartialFile] = {}
                try:
                    self._open_partial_files(state, stack, files)
                    _Run(self, sifting, state, files, watcher).go(stream, size)
                except BaseException:
                    self._forget(state, files)
                    raise
        return self._finish(state)

    def _prepare(self, size: int | None) -> State:
        """Return the state to start from, once nothing stands in the way."""
        given = {f"--{role}": path for role, path in self.outputs.items()}
        if self.summary is not None:
            given["--json"] = self.summary
        check_outputs(given, self.source)
        identity = self._identity(size)
        state = self._earlier() if self.resume else None
        if state is not None:
            state.check_identity(identity)
        if not self.overwrite and not (state is not None and state.finished):
            for option, path in given.items():
                if path.exists():
                    raise DatasetError(
                        f"{option} exists already: {path}. Name another file, or replace it "
                        "with --overwrite."
                    )
        return state or State(identity=identity)

    def _earlier(self) -> State | None:
        """Return the state of the run to be continued; none where there is nothing to continue."""
        if self.state_path is None:
            raise DatasetError(
                "--resume needs --clean, --rejected or --audits: only files can be continued."
            )
        state = State.load(self.state_path)
        if state is None:
            for path in map(partial_path, self.outputs.values()):
                if path.exists() and path.stat().st_size:
                    raise DatasetError(
                        f"{path} cannot be continued, because {self.state_path} is missing. "
                        "Give the same outputs as before, or start again with --overwrite "
                        "instead of --resume."
                    )
        return state

    def _identity(self, size: int | None) -> dict[str, Any]:
        return {
            "input": "-" if self.source is None else str(self.source.resolve()),
            "input size": None if self.source is None else size,
            "--model": self.model_name,
            "--answer": self.keys.answer,
            "--references": self.keys.references,
            "--question": self.keys.question,
            **self.options,
            **{f"--{role}": path.name for role, path in self.outputs.items()},
        }

    def _open_partial_files(
        self, state: State, stack: ExitStack, files: dict[str, PartialFile]
    ) -> None:
        discard = self.overwrite or self.resume
        for role, path in self.outputs.items():
            length = state.lengths.get(role)
            files[role] = stack.enter_context(PartialFile(path, length=length, discard=discard))

    def _forget(self, state: State, files: Mapping[str, PartialFile]) -> None:
        """Remove what a run leaves that has not done one batch: nothing of it is worth keeping."""
        if state.offset == 0:
            for file in files.values():
                file.discard()
            if self.state_path is not None and files.keys() == self.outputs.keys():
                self.state_path.unlink(missing_ok=True)

    def _finish(self, state: State) -> Outcome:
        """Give the outputs their names; safe to be done again after an interruption."""
        for path in self.outputs.values():
            if partial_path(path).exists():
                rename(partial_path(path), path)
        outcome = Outcome(
            Tally.from_dict(state.tally), state.seconds, self.outputs, state.offset, state.digest
        )
        if self.summary is not None:
            replace_file(self.summary, json_bytes(outcome.to_dict(), indent=2) + b"\n")
        if self.state_path is not None:
            self.state_path.unlink(missing_ok=True)
        return outcome


class _Run:
    """The rows of one run, batch by batch; after each batch it could be continued."""

    def __init__(
        self,
        job: Job,
        sifting: Sifting,
        state: State,
        files: Mapping[str, PartialFile],
        watcher: Watcher,
    ) -> None:
        self._job = job
        self._sifting = sifting
        self._state = state
        self._files = files
        self._watcher = watcher
        self._tally = Tally.from_dict(state.tally) if state.tally else Tally()
        self._began = time.monotonic() - state.seconds

    def go(self, stream: BinaryIO, size: int | None) -> None:
        """Judge all lines that the state has not seen."""
        reader = LineReader(stream)
        try:
            if self._state.offset:
                reader.skip(self._state.offset, self._state.number, self._state.digest)
            self._watcher.started(size, reader.offset)
            self._commit(reader.mark)
            with sifted_batches(
                reader, self._sifting, self._files, self._job.batch, self._job.workers
            ) as batches:
                for batch in batches:
                    self._take(batch)
                    self._commit(batch.mark)
                    self._watcher.advanced(batch.mark.offset, self._tally)
            self._commit(reader.mark)  # what follows the last line, such as blank ones
        except OSError as error:
            raise mistake_of(error, "read the input") from error
        self._state.finished = True
        self._save()

    def _take(self, batch: Batch) -> None:
        for number, reason in batch.broken:
            if self._job.strict:
                raise DatasetError(f"Line {number} is broken: {reason}")
            self._watcher.broken(number, reason)
        self._tally.merge(batch.tally)
        for role, lines in batch.lines.items():
            for pieces in lines:
                self._files[role].write(pieces)

    def _commit(self, mark: Mark) -> None:
        """Make what was written last, then note it: the state never runs ahead of the files."""
        for file in self._files.values():
            file.sync()
        self._state.offset, self._state.number, self._state.digest = mark
        self._state.lengths = {role: file.length for role, file in self._files.items()}
        self._save()

    def _save(self) -> None:
        self._state.tally = self._tally.to_dict()
        self._state.seconds = time.monotonic() - self._began
        if self._job.state_path is not None:
            self._state.save(self._job.state_path)


def _open(source: Path | None, stack: ExitStack) -> tuple[BinaryIO, int | None]:
    """Return the input and its bytes, where it is a regular file."""
    try:
        if source is None:
            if sys.stdin is None:
                raise DatasetError("Cannot read standard input: it is closed.")
            stream: BinaryIO = sys.stdin.buffer
        else:
            stream = stack.enter_context(source.open("rb"))
    except OSError as error:
        raise mistake_of(error, f"read {source}") from error
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream in memory
        return stream, None
    return stream, found.st_size if stat.S_ISREG(found.st_mode) else None
