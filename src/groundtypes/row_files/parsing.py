"""One line of JSON Lines to an object; what two readers could read in two ways is refused."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from groundtypes.row_files.json_lines import TOO_LONG, Line
from groundtypes.text.message_excerpts import clip

_T = TypeVar("_T")

_MAX_DEPTH: Final = 100
_BRACKETS: Final = re.compile(r"[\[{]")
#: How JSON writes one half of a pair of surrogates; two halves that belong together are fine.
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


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
    """Return the object on a line, nested at most 100 deep.

    Raises:
        BrokenLineError: The line is not a JSON object in UTF-8, a key occurs twice, a number is
            not finite, or a text has a lone surrogate.
    """
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
        raise BrokenLineError(f"not an object but {_KINDS[type(data)]}")
    _check_depth(text, data)
    if (place := lone_surrogate(text, data)) is not None:
        broken = BrokenLineError(f"not Unicode: a lone surrogate in {place}")
        broken.row = data
        raise broken
    return data


def lone_surrogate(text: str, data: Any) -> str | None:
    """Return where JSON data hold half of a pair of surrogates, which is no character.

    No file in UTF-8 and no request can hold it. `text` is the JSON text of the data.
    """
    if not _SURROGATE_ESCAPE.search(text):
        return None
    waiting: list[tuple[str, Any]] = [("", data)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, str) and _SURROGATE.search(part):
            return place or "the text"
        if isinstance(part, dict):
            if any(_SURROGATE.search(key) for key in part):
                return f"a key of {place}" if place else "a key"
            children: Iterable[tuple[object, Any]] = part.items()
        else:
            children = enumerate(part) if isinstance(part, list) else ()
        steps = [(clip(f"{place}.{step}".lstrip("."), 200), child) for step, child in children]
        waiting.extend(reversed(steps))
    return None


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
    """Return an object of JSON.

    Raises:
        BrokenLineError: A key occurs twice: two readers may take different values.
    """
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
