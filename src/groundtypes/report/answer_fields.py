"""The fields of an answer: every value that contains no others, with its place.

An answer is plain data of any depth; a page shows it as a flat list of fields.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.verdicts import Loc

#: Data nested more deeply than this is shown as JSON.
_MAX_DEPTH: Final = 60


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value that contains no others; `is_text` is false where `text` is its JSON."""

    path: Loc
    text: str
    is_text: bool


def field_values(answer: Any) -> Iterator[FieldValue]:
    """Yield the values of an answer that contain no others, in their order."""
    return _values_below(answer, ())


def _values_below(value: Any, path: Loc) -> Iterator[FieldValue]:
    if len(path) < _MAX_DEPTH and value:
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from _values_below(item, (*path, str(key)))
            return
        if isinstance(value, list | tuple):
            for number, item in enumerate(value):
                yield from _values_below(item, (*path, number))
            return
    if isinstance(value, str):
        yield FieldValue(path, value, is_text=True)
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
        yield FieldValue(path, text, is_text=False)


def locate(answer: Any, loc: Loc) -> tuple[Loc, Any]:
    """Return the place in the answer that a `loc` points at, and the value there.

    A step that the answer does not have is skipped: Pydantic puts the tags of unions and of
    validators between the steps of the data, and a missing field belongs to its object.
    """
    path: Loc = ()
    for step in loc:
        if isinstance(answer, Mapping):
            key = next((key for key in (step, str(step)) if key in answer), None)
            if key is not None:
                path, answer = (*path, str(key)), answer[key]
        elif isinstance(answer, list | tuple) and isinstance(step, int) and -1 < step < len(answer):
            path, answer = (*path, step), answer[step]
    return path, answer


def matching_steps(answer: Any, loc: Loc) -> int:
    """Return how many steps of a `loc` the answer has."""
    return len(locate(answer, loc)[0])
