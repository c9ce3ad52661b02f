"""Inputs cut into shards: parts of a file that end between two rows.

The driver reads a file of JSON Lines once to cut it. So a shard knows the number of its first line
and its offset, as one reader of the whole file would, and the hash by which a change is found.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import LineReader

#: A file is cut into so many shards, unless they would be smaller or larger than these bytes.
_SHARDS: Final = 256
_SMALLEST: Final = 64 * 2**10
_LARGEST: Final = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of an input file.

    `number` counts the shards of a run from 0. `start` and `stop` are bytes of a file of JSON
    Lines, or rows of a Parquet file, half open. `first_line` is the number of its first line in the
    file, from 1, and `rows` how many of its lines are not blank. `digest` is the hash of the file
    up to its end, or of the end of a Parquet file, which says where everything is.
    """

    number: int
    path: str
    start: int
    stop: int
    first_line: int
    rows: int
    digest: str

    @property
    def is_parquet(self) -> bool:
        """Whether it is a part of a Parquet file, else of JSON Lines."""
        return self.path.endswith(".parquet")

    def __str__(self) -> str:
        """Say where it is, for a message."""
        where = f"{'row' if self.is_parquet else 'line'} {self.first_line} of {self.path}"
        rows = "" if self.rows == 1 else f"{self.rows:,} rows from "
        return f"Shard {self.number} ({rows}{where})"


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
    """Return the shards of a file of JSON Lines, which have at least `shard_bytes`.

    Each shard but the last has a multiple of `batch` rows, so that rows are judged in the same
    batches as on one machine.
    """
    if shard_bytes is None:
        shard_bytes = min(_LARGEST, max(_SMALLEST, input_size(path) // _SHARDS))
    shards: list[Shard] = []
    start, first_line, rows = 0, 1, 0
    with file_errors(f"read {path}"), open_json_lines(path) as file:
        reader = LineReader(file)
        for _ in reader:
            rows += 1
            stop = reader.offset
            if rows % batch == 0 and stop - start >= shard_bytes:
                part = (start, stop, first_line, rows, reader.digest)
                shards.append(Shard(len(shards), str(path), *part))
                start, first_line, rows = stop, reader.number + 1, 0
        end = reader.position
    if rows:
        shards.append(
            Shard(len(shards), str(path), start, end.offset, first_line, rows, end.digest)
        )
    elif shards:  # blank lines at the end belong to the last one
        shards[-1] = replace(shards[-1], stop=end.offset, digest=end.digest)
    return shards


@contextmanager
def shard_reader(shard: Shard) -> Iterator[LineReader]:
    """Hold a reader of the lines of a shard, with their numbers and offsets in the file."""
    with open_json_lines(Path(shard.path)) as file:
        reader = LineReader(io.BufferedReader(_Range(file, shard.start, shard.stop), 2**20))
        reader.offset, reader.number = shard.start, shard.first_line - 1
        yield reader
