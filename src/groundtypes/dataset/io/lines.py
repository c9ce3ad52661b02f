"""Lines of a stream of bytes, one at a time, with the place and the digest of what was read."""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

from groundtypes.errors import DatasetError

__all__ = ["LINE_LIMIT", "Line", "LineReader", "Mark", "json_bytes", "json_line"]

#: The longest line that is read into memory, in bytes.
LINE_LIMIT: Final = 64 * 2**20
_PIECE: Final = 2**20
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without its end; `number` counts from 1, blank lines included.

    A line over the limit is not held in memory: `data` is empty and `spool` holds it.
    """

    number: int
    data: bytes
    spool: BinaryIO | None = None


class Mark(NamedTuple):
    """A place between two lines: the bytes and lines before it, and the hash of those bytes."""

    offset: int
    number: int
    digest: str


class LineReader:
    """The lines of a stream; between two lines it can say how far it has come."""

    def __init__(self, stream: BinaryIO, *, limit: int = LINE_LIMIT) -> None:
        """Take a buffered stream at its start."""
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
    def mark(self) -> Mark:
        """Where the reader stands."""
        return Mark(self.offset, self.number, self.digest)

    def skip(self, offset: int, number: int, digest: str) -> None:
        """Read past what an earlier reader has read.

        Raises:
            DatasetError: The stream does not start with the same bytes.
        """
        while self.offset < offset:
            piece = self._stream.read(min(_PIECE, offset - self.offset))
            if not piece:
                break
            self._take(piece)
        if self.offset != offset or self.digest != digest:
            raise DatasetError(
                "The input does not start with the lines that the interrupted run has read."
            )
        self.number = number

    def __iter__(self) -> Iterator[Line]:
        while data := self._stream.readline(self._limit + 1):
            self._take(data)
            self.number += 1
            if len(data) > self._limit and not data.endswith(b"\n"):
                yield Line(self.number, b"", self._spool(data))
                continue
            if self.number == 1:
                data = data.removeprefix(_BOM)
            if data := data.strip(b" \t\r\n"):
                yield Line(self.number, data)

    def _take(self, data: bytes) -> None:
        self._hash.update(data)
        self.offset += len(data)

    def _spool(self, head: bytes) -> BinaryIO:
        """Return the whole of an overlong line, on disk."""
        spool = tempfile.TemporaryFile()  # noqa: SIM115 # closed by whoever writes the line out
        spool.write(head)
        while piece := self._stream.readline(_PIECE):
            self._take(piece)
            spool.write(piece.removesuffix(b"\n"))
            if piece.endswith(b"\n"):
                break
        spool.seek(0)
        return spool


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
    """Return JSON in UTF-8 as one line, with its end.

    Raises:
        ValueError: A number is not finite, or a text holds what UTF-8 cannot, a lone surrogate.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n"
