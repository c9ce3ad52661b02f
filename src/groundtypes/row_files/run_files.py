"""The output files of a run, which an interruption leaves so that another run can go on.

Lines are appended to `NAME.partial`. `commit` first makes them durable and then writes the
checkpoint beside the first output: it never claims more than the files hold. A run that resumes
cuts each file to its length in the checkpoint and reads its input from the position there.
`publish` gives the files their names at the end.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import (
    draft_path,
    file_errors,
    lock_path,
    partial_file,
    partial_path,
    rename,
    replace_file,
)
from groundtypes.row_files.json_lines import Position, input_digest, json_bytes
from groundtypes.text.message_excerpts import clip

_FORMAT: Final = 2
_START_AGAIN: Final = "To start again, pass `overwrite=True` in place of `resume=True`."


def checkpoint_path(path: Path) -> Path:
    """Return the checkpoint of a run whose first output has this path."""
    return path.with_name(path.name + ".partial.state")


def check_outputs(outputs: Mapping[str, Path], sources: Iterable[Path]) -> None:
    """Check that every output can be a file of its own; `outputs` maps arguments to paths."""
    claimed = [("", source) for source in sources]
    for argument, path in outputs.items():
        with file_errors(f"write {path}"):
            if not path.parent.is_dir():
                raise DatasetError(f"The folder of `{argument}` does not exist: {path.parent}")
            if path.exists() and not path.is_file():
                raise DatasetError(f"`{argument}` is not a regular file: {path}")
        state = checkpoint_path(path)
        own = (path, partial_path(path), lock_path(path), state, *map(draft_path, (path, state)))
        for name in own:
            for other, taken in claimed:
                if other != argument and _same_file(name, taken):
                    both = f"`{argument}` and " + (f"`{other}`" if other else "the input")
                    raise DatasetError(f"{both} would be the same file: {name}")
            claimed.append((argument, name))


def check_absent(outputs: Mapping[str, Path]) -> None:
    """Refuse to replace files; `outputs` maps arguments to paths."""
    for argument, path in outputs.items():
        if path.exists():
            raise DatasetError(
                f"`{argument}` exists already: {path}. Name another file, or replace it with "
                "`overwrite=True`."
            )


def _is_finished(outputs: Mapping[str, Path], sources: Iterable[Path]) -> bool:
    """Return whether all outputs are there, and no input is newer than one of them."""
    read = [path.stat().st_mtime for path in sources if path.exists()]
    written = [path.stat().st_mtime for path in outputs.values() if path.exists()]
    return bool(read) and len(written) == len(outputs) and max(read) <= min(written)


def _same_file(path: Path, other: Path) -> bool:
    try:
        return path == other or path.samefile(other)
    except OSError:
        return False


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file that a run has written."""
    with file_errors(f"read {path}"):
        content = path.read_bytes()
    try:
        data = json.loads(content)
        if isinstance(data, dict):
            return data
    except ValueError:
        pass
    raise DatasetError(f"{path} is damaged. {_START_AGAIN}")


def check_identity(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to continue a run with another input, model or option."""
    now = json.loads(json_bytes(now))
    differences = [
        f"`{name}` was {earlier.get(name)!r} and is {now.get(name)!r}"
        for name in sorted(earlier.keys() | now.keys())
        if earlier.get(name) != now.get(name)
    ]
    if differences:
        raise DatasetError(
            f"The interrupted run is another one: {clip('; '.join(differences), 1200)}. Use "
            f"the same arguments. {_START_AGAIN}"
        )


def check_unchanged(source: Path, digest: str) -> None:
    """Refuse to continue a run whose input, all of which it has read, is another one now."""
    if input_digest(source) != digest:
        raise DatasetError(f"The input is not the one that was read: {source}. {_START_AGAIN}")


@dataclass(slots=True, kw_only=True)
class Checkpoint:
    """How far a run has come, up to a whole batch.

    `identity` says which run it is: its input, model and options. `offset`, `number` and `digest`
    are the position in the input, `lengths` the bytes written to each output, `counts` what
    `RunCounts.to_dict` returns. A run that is `finished` has only its files to rename.
    """

    identity: dict[str, Any]
    offset: int = 0
    number: int = 0
    digest: str = ""
    lengths: dict[str, int] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    finished: bool = False


class FinishedRunError(DatasetError):
    """A run that is to be continued has finished: nothing is left to do."""


class RunFiles:
    """The output files of one run, by the names of the outputs."""

    def __init__(
        self,
        outputs: Mapping[str, Path],
        identity: Mapping[str, Any],
        *,
        sources: Iterable[Path] = (),
        reports: Mapping[str, Path] = {},  # never changed
        resume: bool = False,
        overwrite: bool = False,
        discard: bool = False,
    ) -> None:
        """Check the outputs, and read the checkpoint to start from.

        `outputs` are written line by line; `reports` are small files that the caller writes at
        the end. With `discard`, what an interrupted run left is replaced in any case.
        """
        sources = list(sources)
        self.outputs = dict(outputs)
        self._discard = discard or overwrite or resume
        first = next(iter(self.outputs.values()), None)
        self._checkpoint_path = None if first is None else checkpoint_path(first)
        everything = {**outputs, **reports}
        check_outputs(everything, sources)
        checkpoint = self._earlier() if resume else None
        if checkpoint is not None:
            check_identity(checkpoint.identity, identity)
        if resume and not overwrite and checkpoint is None and _is_finished(everything, sources):
            raise FinishedRunError(
                f"The run has finished already, and nothing is left to do: {first} is complete, "
                "and no older than the input."
            )
        if not overwrite and not (checkpoint is not None and checkpoint.finished):
            check_absent(everything)
        self.checkpoint = checkpoint or Checkpoint(identity=dict(identity))
        self._files: dict[str, BinaryIO] = {}

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Hold the partial files open; a run that fails in its first batch leaves none behind."""
        with ExitStack() as stack:
            try:
                for output, path in self.outputs.items():
                    length = self.checkpoint.lengths.get(output)
                    file = partial_file(path, length=length, discard=self._discard)
                    self._files[output] = stack.enter_context(file)
                yield
            except BaseException:
                if self.checkpoint.number == 0:
                    for output in self._files:
                        partial_path(self.outputs[output]).unlink(missing_ok=True)
                    if self._files.keys() == self.outputs.keys():
                        self.close()
                raise

    def write(self, output: str, lines: Iterable[bytes]) -> None:
        """Append lines to an output; nothing is written for one that has no file."""
        if output in self._files:
            with file_errors(f"write {self.outputs[output]}"):
                self._files[output].writelines(lines)

    def commit(self, position: Position, *, finished: bool = False) -> None:
        """Make what was written durable, then record that the run has come so far."""
        for output, file in self._files.items():
            with file_errors(f"write {self.outputs[output]}"):
                file.flush()
                os.fsync(file.fileno())
                self.checkpoint.lengths[output] = file.tell()
        self.checkpoint.offset, self.checkpoint.number, self.checkpoint.digest = position
        self.checkpoint.finished = finished
        if self._checkpoint_path is not None:
            data = {"format": _FORMAT, **asdict(self.checkpoint)}
            replace_file(self._checkpoint_path, json_bytes(data))

    def publish(self) -> None:
        """Give the outputs their names; safe to be repeated after an interruption."""
        for path in self.outputs.values():
            if partial_path(path).exists():
                rename(partial_path(path), path)

    def close(self) -> None:
        """Remove the checkpoint, once everything has its name."""
        if self._checkpoint_path is not None:
            self._checkpoint_path.unlink(missing_ok=True)

    def _earlier(self) -> Checkpoint | None:
        """Return the checkpoint of the interrupted run, if there is anything to continue."""
        if self._checkpoint_path is not None and self._checkpoint_path.exists():
            return _loaded(self._checkpoint_path)
        for path in map(partial_path, self.outputs.values()):
            if path.exists() and path.stat().st_size:
                raise DatasetError(
                    f"{path} cannot be continued, because {self._checkpoint_path} is missing. Name "
                    f"the same outputs as before. {_START_AGAIN}"
                )
        return None


def _loaded(path: Path) -> Checkpoint:
    data = read_json(path)
    if data.pop("format", _FORMAT) != _FORMAT:
        raise DatasetError(f"{path} was written by another version of groundtypes. {_START_AGAIN}")
    try:
        return Checkpoint(**data)
    except TypeError as error:
        raise DatasetError(f"{path} is damaged. {_START_AGAIN}") from error
