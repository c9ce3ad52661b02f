"""JSON Lines: the lines of a stream one at a time, the object on a line, and values as JSON.

`LineReader` can tell between two lines how far it has read and the hash of what it read, so that
a later run can check that its input starts with the same bytes, and continue after them. What two
readers could read in two ways is refused.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeVar

from groundtypes.errors import DatasetError
from groundtypes.text.message_excerpts import clip

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


def _new_hash() -> "hashlib.blake2b":
    return hashlib.blake2b(digest_size=16)


class LineReader:
    """Iterates over the lines of a stream, and knows its position between two of them."""

    def __init__(self, stream: BinaryIO, *, limit: int = LINE_LIMIT) -> None:
        self.offset = 0
        self.number = 0
        self._stream = stream
        self._limit = limit
        self._hash = _new_hash()

    @property
    def digest(self) -> str:
        """The hash of every byte read so far."""
        return self._hash.hexdigest()

    @property
    def position(self) -> Position:
        """The position after the last line that was read."""
        return Position(self.offset, self.number, self.digest)

    def skip(self, position: Position) -> None:
        """Read up to the position that an earlier reader has reached."""
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
            return hashlib.file_digest(file, _new_hash).hexdigest()
    except OSError:
        return None


def json_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """Return JSON in UTF-8; what UTF-8 cannot hold, a lone surrogate, stays an escape."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, indent=indent).encode()


def content_id(*parts: Any) -> str:
    """Return an id made of content: 24 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(json_bytes(parts), digest_size=12).hexdigest()


def json_line(value: Any) -> bytes:
    """Return JSON as `json_bytes`, as one line with its end."""
    return json_bytes(value) + b"\n"


_T = TypeVar("_T")

_MAX_DEPTH: Final = 100
_BRACKETS: Final = re.compile(r"[\[{]")
#: How JSON writes one half of a pair of surrogates; two halves that belong together are fine.
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
SURROGATE: Final = re.compile("[\ud800-\udfff]")


class BrokenLineError(Exception):
    """A line that holds no row that can be audited; the message says why.

    `row` is the object on the line, if there is one.
    """

    row: dict[str, Any] | None = None


def read_line(line: Line, read: Callable[[dict[str, Any]], _T]) -> _T | BrokenLineError:
    """Return what `read` makes of the object on a line, or why the line is broken."""
    if line.too_long:
        return BrokenLineError(TOO_LONG)
    data = None
    try:
        data = parse_line(line.data)
        return read(data)
    except BrokenLineError as error:
        error.row = data if data is not None else error.row
        return error.with_traceback(None)


def parse_line(line: bytes) -> dict[str, Any]:
    """Return the object on a line, nested at most 100 deep."""
    text = _decoded(line)
    try:
        data = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        problem = error.msg.removesuffix(" at")
        raise BrokenLineError(f"not JSON: {problem} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise BrokenLineError(f"nested more than {_MAX_DEPTH} deep") from error
    except ValueError as error:  # an integer of thousands of digits
        raise BrokenLineError("not JSON: a number with too many digits") from error
    if not isinstance(data, dict):
        text = f": {clip(data, 200)}" if isinstance(data, str) else ""
        raise BrokenLineError(f"not an object but {_KINDS[type(data)]}{text}")
    _check_depth(text, data)
    if has_lone_surrogate(text, data):
        broken = BrokenLineError("not Unicode: a lone surrogate")
        broken.row = data
        raise broken
    return data


def has_lone_surrogate(text: str, data: Any) -> bool:
    """Return whether JSON data hold half of a pair of surrogates, which is no character.

    No file in UTF-8 and no request can hold it. `text` is the JSON text of the data.
    """
    if not _SURROGATE_ESCAPE.search(text):
        return False
    return SURROGATE.search(json.dumps(data, ensure_ascii=False)) is not None


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise BrokenLineError(f"not UTF-8: byte 0x{byte:02x} at byte {error.start + 1}") from error


def _check_depth(text: str, data: dict[str, Any]) -> None:
    """Refuse data so deeply nested that recursion over it would exhaust the stack."""
    if sum(1 for _ in _BRACKETS.finditer(text)) <= _MAX_DEPTH:
        return
    level: list[Any] = [data]
    for _ in range(_MAX_DEPTH):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise BrokenLineError(f"nested more than {_MAX_DEPTH} deep")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON."""
    data = dict(pairs)
    if len(data) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise BrokenLineError(f"the key {clip(repeated, 40)!r} occurs twice in one object")
    return data


def _finite(number: str) -> float:
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise BrokenLineError(f"not JSON: the number {clip(number, 40)} is out of range")
    return value


def _constant(name: str) -> float:
    raise BrokenLineError(f"not JSON: {name} is not a number in JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_float=_finite, parse_constant=_constant
)
_KINDS: Final = {
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
