"""Inputs cut into shards: parts of a file that end between two rows.

The lines of a file of JSON Lines are counted in Ray tasks, each of which reads a part of the file.
So a shard knows the number of its first line and its offset, as one reader of the whole file would.
"""

import hashlib
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from groundtypes.errors import DatasetError
from groundtypes.ray.worker_pool import ray
from groundtypes.row_files.files import file_errors, open_input, open_json_lines
from groundtypes.row_files.json_lines import LineReader
from groundtypes.text.message_excerpts import clip

#: How many bytes of a file one task reads.
_RANGE: Final = 64 * 2**20
#: A file is cut into so many shards, unless they would be smaller or larger than these bytes.
_SHARDS: Final = 256
_SMALLEST: Final = 64 * 2**10
_LARGEST: Final = 32 * 2**20
#: How many shards one task reads again.
_COMPARED: Final = 16


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of an input file.

    `number` counts the shards of a run from 0. `start` and `stop` are bytes of a file of JSON
    Lines, or rows of a Parquet file, half open. `first_line` is the number of its first line in the
    file, from 1, and `rows` how many of its lines are not blank. A `piece` is a part of a shard
    that was halved.
    """

    number: int
    path: str
    start: int
    stop: int
    first_line: int
    rows: int
    piece: bool = False

    @property
    def is_parquet(self) -> bool:
        """Whether it is a part of a Parquet file, else of JSON Lines."""
        return self.path.endswith(".parquet")

    def __str__(self) -> str:
        """Say where it is, for a message."""
        where = f"{'row' if self.is_parquet else 'line'} {self.first_line} of {self.path}"
        rows = "" if self.rows == 1 else f"{self.rows:,} rows from "
        return f"Shard {self.number} ({rows}{where})"


class _Cut(NamedTuple):
    """A place between two lines: bytes, lines and rows before it."""

    offset: int
    lines: int
    rows: int


class _Range(io.RawIOBase):
    """The bytes of a file from `start` up to `stop`, as a stream of their own."""

    def __init__(self, file: BinaryIO, start: int, stop: int) -> None:
        self._file = file
        self._left = stop - start
        file.seek(start)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), self._left)
        with file_errors("read the input"):
            data = self._file.read(size)
        if size and not data:
            raise DatasetError("The input has become shorter since the run began.")
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


def input_size(path: Path) -> int:
    """Return the size of a file of JSON Lines, in bytes."""
    with file_errors(f"read {path}"), open_json_lines(path) as stream:
        if not stream.seekable():
            raise DatasetError(f"Ray reads parts of a file, and {path} is no regular file.")
        return stream.seek(0, io.SEEK_END)


def line_shards(path: Path, *, batch: int, shard_bytes: int | None = None) -> list[Shard]:
    """Return the shards of a file of JSON Lines; Ray tasks count its lines.

    Each shard but the last has a multiple of `batch` rows, so that rows are judged in the same
    batches as on one machine. `shard_bytes` is about how large a shard is.
    """
    size = input_size(path)
    if shard_bytes is None:
        shard_bytes = min(_LARGEST, max(_SMALLEST, size // _SHARDS))
    count, find = (ray.remote(task).options(num_cpus=0) for task in (_counted, _cuts))
    ranges = [(start, min(size, start + _RANGE)) for start in range(0, size, _RANGE)]
    counted: list[_Counted] = results([count.remote(str(path), *part) for part in ranges])
    rows = sum(part.rows for part in counted)
    every = batch * max(1, round(shard_bytes * rows / max(1, size * batch)))
    tasks = []
    end = _Cut(0, 0, 0)
    for part in counted:
        tasks.append(find.remote(str(path), part, end, every))
        end = _Cut(size, end.lines + part.lines, end.rows + part.rows)
    cuts = [cut for found in results(tasks) for cut in found]
    # What comes before the first row belongs to the first shard.
    return _between(str(path), [_Cut(0, 0, 0), *cuts[1:], end]) if cuts else []


@contextmanager
def shard_reader(shard: Shard) -> Iterator[LineReader]:
    """Hold a reader of the lines of a shard, with their numbers and offsets in the file."""
    with open_json_lines(Path(shard.path)) as file:
        reader = _reader(file, shard.start, shard.stop, shard.first_line - 1)
        yield reader


def halves(shard: Shard) -> list[Shard]:
    """Return the two halves of a shard of several rows; a Ray task reads it."""
    if shard.is_parquet:
        middle = shard.start + shard.rows // 2
        first = replace(shard, stop=middle, rows=middle - shard.start, piece=True)
        rest = shard.stop - middle
        second = replace(shard, start=middle, first_line=middle + 1, rows=rest, piece=True)
        return [first, second]
    parts: list[list[Shard]] = results([ray.remote(_halves).options(num_cpus=0).remote(shard)])
    return parts[0]


def input_hash(shard: Shard) -> str:
    """Return the hash of the bytes of a shard (32 hexadecimal digits of BLAKE2b).

    Of a Parquet file it is that of the end of the file, which says where everything is.
    """
    digest = hashlib.blake2b(digest_size=16)
    if shard.is_parquet:
        with file_errors(f"read {shard.path}"), open_input(Path(shard.path)) as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - 8))
            length = int.from_bytes(file.read(4), "little") + 8
            file.seek(max(0, size - length))
            digest.update(b"%d " % size + file.read(length))
        return digest.hexdigest()
    with file_errors(f"read {shard.path}"), open_json_lines(Path(shard.path)) as file:
        stream = _Range(file, shard.start, shard.stop)
        while chunk := stream.read(2**20):
            digest.update(chunk)
    return digest.hexdigest()


def range_bytes(shard: Shard) -> bytes:
    """Return the bytes of a shard of JSON Lines."""
    with file_errors(f"read {shard.path}"), open_json_lines(Path(shard.path)) as file:
        return _Range(file, shard.start, shard.stop).readall() or b""


def input_changes(known: Iterable[tuple[Shard, str]]) -> Shard | None:
    """Return a shard that no longer has its hash, if there is one; Ray tasks read them."""
    compare = ray.remote(_changed).options(num_cpus=0)
    pairs = list(known)
    groups = [pairs[start : start + _COMPARED] for start in range(0, len(pairs), _COMPARED)]
    changed = results([compare.remote(group) for group in groups])
    return next((shard for shard in changed if shard is not None), None)


def _changed(known: Sequence[tuple[Shard, str]]) -> Shard | DatasetError | None:
    try:
        return next((shard for shard, digest in known if input_hash(shard) != digest), None)
    except DatasetError as error:
        return error


def results(tasks: Sequence[Any]) -> list[Any]:
    """Return what tasks of this module return, and raise what they could not do."""
    try:
        found = ray.get(list(tasks))
    except ray.exceptions.RayError as error:
        raise DatasetError(f"A task of Ray failed: {clip(str(error), 500)}") from error
    for result in found:
        if isinstance(result, DatasetError):
            raise result
    return list(found)


class _Counted(NamedTuple):
    """The lines that start in a range of bytes: where they start and end, and their numbers."""

    start: int
    stop: int
    lines: int
    rows: int


def _reader(file: BinaryIO, start: int, stop: int, lines_before: int) -> LineReader:
    """Return a reader of a part of a file that counts as a reader of the whole file would."""
    reader = LineReader(io.BufferedReader(_Range(file, start, stop), 2**20))
    reader.offset, reader.number = start, lines_before
    return reader


def _counted(path: str, start: int, stop: int) -> _Counted | DatasetError:
    try:
        with file_errors(f"read {path}"), open_json_lines(Path(path)) as file:
            start, stop = _line_start(file, start), _line_start(file, stop)
            # Only the first line of a file can have a byte order mark.
            before = 0 if start == 0 else 1
            reader = _reader(file, start, stop, before)
            rows = sum(1 for _ in reader)
            return _Counted(start, stop, reader.number - before, rows)
    except DatasetError as error:
        return error


def _line_start(file: BinaryIO, offset: int) -> int:
    """Return where the first line starts that does not start before an offset."""
    if offset == 0:
        return 0
    file.seek(offset - 1)
    while chunk := file.readline(2**20):
        if chunk.endswith(b"\n"):
            break
    return file.tell()


def _cuts(path: str, part: _Counted, before: _Cut, every: int) -> list[_Cut] | DatasetError:
    """Return the places before every row of a range whose number, from 0, is a multiple."""
    try:
        with file_errors(f"read {path}"), open_json_lines(Path(path)) as file:
            reader = _reader(file, part.start, part.stop, before.lines)
            return [
                _Cut(line.offset, line.number - 1, row)
                for row, line in enumerate(reader, before.rows)
                if row % every == 0
            ]
    except DatasetError as error:
        return error


def _halves(shard: Shard) -> list[Shard] | DatasetError:
    half = shard.rows // 2
    try:
        with shard_reader(shard) as reader:
            line = next(itertools.islice(reader, half, None), None)
        if line is not None:
            first = replace(shard, stop=line.offset, rows=half, piece=True)
            rest = shard.rows - half
            start, number = line.offset, line.number
            return [
                first,
                replace(first, start=start, stop=shard.stop, first_line=number, rows=rest),
            ]
    except DatasetError as error:
        return error
    return DatasetError(f"{shard.path} has become shorter since the run began.")


def _between(path: str, cuts: Sequence[_Cut]) -> list[Shard]:
    return [
        Shard(number, path, cut.offset, end.offset, cut.lines + 1, end.rows - cut.rows)
        for number, (cut, end) in enumerate(itertools.pairwise(cuts))
    ]
