"""JSON Lines: the lines of a stream, one at a time, and values written as JSON.

`LineReader` can tell between two lines how far it has read and the hash of what it read, so that
a later run can check that its input starts with the same bytes, and continue after them.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from groundtypes.errors import DatasetError

#: The longest line that is read into memory, in bytes.
LINE_LIMIT: Final = 64 * 2**20
#: Why a longer line is refused.
TOO_LONG: Final = f"longer than {LINE_LIMIT // 2**20} MiB"
_CHUNK: Final = 2**20
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without its end; `number` counts from 1, blank lines included.

    `offset` is where it starts in the input and `length` its size there, in bytes. The `data` of
    a line over the limit (`too_long`) are left in the input, and empty here.
    """

    number: int
    data: bytes
    offset: int = 0
    length: int = 0
    too_long: bool = False


class Position(NamedTuple):
    """A place between two lines: the bytes and lines before it, and the hash of those bytes."""

    offset: int
    number: int
    digest: str


class LineReader:
    """Iterates over the lines of a stream, and knows its position between two of them."""

    def __init__(self, stream: BinaryIO, *, limit: int = LINE_LIMIT) -> None:
        """Store a buffered stream at its start, and the longest line to read, in bytes."""
        self.offset = 0
        self.number = 0
        self._stream = stream
        self._limit = limit
        self._hash = hashlib.blake2b(digest_size=16)

    @property
    def digest(self) -> str:
        """The hash of every byte read so far."""
        return self._hash.hexdigest()

    @property
    def position(self) -> Position:
        """The position after the last line that was read."""
        return Position(self.offset, self.number, self.digest)

    def skip(self, position: Position) -> None:
        """Read up to the position that an earlier reader has reached.

        Raises:
            DatasetError: The stream does not start with the same bytes.
        """
        while self.offset < position.offset:
            chunk = self._stream.read(min(_CHUNK, position.offset - self.offset))
            if not chunk:
                break
            self._consume(chunk)
        if (self.offset, self.digest) != (position.offset, position.digest):
            raise DatasetError(
                "The input does not start with the lines that the interrupted run has read."
            )
        self.number = position.number

    def __iter__(self) -> Iterator[Line]:
        while data := self._stream.readline(self._limit + 1):
            start = self.offset
            self._consume(data)
            self.number += 1
            if len(data) > self._limit and not data.endswith(b"\n"):
                self._skip_line()
                yield Line(self.number, b"", start, self.offset - start, too_long=True)
                continue
            if self.number == 1:
                data = data.removeprefix(_BOM)
            if data := data.strip(b" \t\r\n"):
                yield Line(self.number, data, start, self.offset - start)

    def _consume(self, data: bytes) -> None:
        self._hash.update(data)
        self.offset += len(data)

    def _skip_line(self) -> None:
        """Read to the end of the line without holding it in memory."""
        while chunk := self._stream.readline(_CHUNK):
            self._consume(chunk)
            if chunk.endswith(b"\n"):
                return


def input_digest(path: Path) -> str | None:
    """Return the hash of a file as a reader of all its lines has it; `None` if it is no file."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            reader = LineReader(file)
            for _ in reader:
                pass
            return reader.digest
    except OSError:
        return None


def json_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """Return JSON in UTF-8; what UTF-8 cannot hold, a lone surrogate, stays an escape.

    Raises:
        ValueError: A number is not finite.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, indent=indent).encode()


def json_line(value: Any) -> bytes:
    """Return JSON as `json_bytes`, as one line with its end."""
    return json_bytes(value) + b"\n"
