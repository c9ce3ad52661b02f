"""An answer as a list of fields: its texts and values, each with its place."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.verdicts import Loc

__all__ = ["Leaf", "follow", "leaves", "resolves"]

_DEEPEST: Final = 60


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that holds no others; `is_text` is false for what is written as JSON."""

    path: Loc
    text: str
    is_text: bool


def leaves(answer: Any) -> Iterator[Leaf]:
    """Yield the leaves of an answer in their order."""
    return _walk(answer, ())


def _walk(value: Any, path: Loc) -> Iterator[Leaf]:
    if len(path) < _DEEPEST and value:
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from _walk(item, (*path, str(key)))
            return
        if isinstance(value, list | tuple):
            for number, item in enumerate(value):
                yield from _walk(item, (*path, number))
            return
    if isinstance(value, str):
        yield Leaf(path, value, is_text=True)
    else:
        yield Leaf(path, json.dumps(value, ensure_ascii=False, default=str), is_text=False)


def follow(answer: Any, loc: Loc) -> tuple[Loc, Any]:
    """Return the place in the answer that a `loc` points at, and what stands there.

    A step that is not there is passed over: Pydantic puts the tags of unions and of validators
    between those of the data, and the missing field of an object belongs to the object.
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


def resolves(answer: Any, loc: Loc) -> int:
    """Return how many steps of a `loc` are there."""
    return len(follow(answer, loc)[0])
