"""The fields of a provider's message: by key or attribute, in snake case or in camel case."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from groundtypes.errors import CitationsError
from groundtypes.text.message_excerpts import clip

_UNDERSCORE: Final = re.compile("_([a-z])")
_INDEX_DIGITS: Final = 15
#: How many fields of an object a message names, and how long their names may be.
_MOST_FIELDS: Final = 6
_LONGEST_FIELD: Final = 40


def field(value: object, *names: str) -> Any:
    """Return the first of these fields that is not `None`; names are in snake case."""
    for name in names:
        for key in _keys(name):
            found = _get(value, key)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=256)
def _keys(name: str) -> tuple[str, ...]:
    camel = _UNDERSCORE.sub(lambda match: match[1].upper(), name)
    return (name,) if camel == name else (name, camel)


def _get(value: object, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if value is None or isinstance(value, str | bytes | int | float | list | tuple | type):
        return None
    return getattr(value, key, None)


def text_field(value: object, *names: str) -> str | None:
    """Return the first of these fields that is a text with a character."""
    texts = (field(value, name) for name in names)
    return next((str(text) for text in texts if isinstance(text, str) and text), None)


def items(value: object, *names: str) -> Sequence[Any]:
    """Return the first of these fields that is a list; an empty one if there is none.

    Raises:
        CitationsError: The field is something else.
    """
    found = field(value, *names)
    if found is None:
        return ()
    if is_list(found):
        return found  # type: ignore[no-any-return] # a sequence
    raise CitationsError(f"{names[0]!r} of the message is a list, not {described(found)}.")


def is_list(value: object) -> bool:
    """Whether a value is a list, also one of protocol buffers, which is no `list`."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def integer(value: object) -> int | None:
    """Return an integer, also one that JSON wrote as 3.0 or "3"; `None` for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and len(value) <= _INDEX_DIGITS and value.isascii():
        return int(value) if value.removeprefix("-").isdecimal() else None
    return None


def described(value: object) -> str:
    """Return what a value is, for a message that must not show it: of data only the fields."""
    if value is None:
        return "None"
    shown = f"an object of type {clip(type(value).__name__, 60)}"
    names = [name for name in value if isinstance(name, str)] if isinstance(value, Mapping) else []
    names = [name for name in names if name.isidentifier() and len(name) <= _LONGEST_FIELD]
    if not names:
        return shown
    more = " and more" if len(names) > _MOST_FIELDS else ""
    return f"{shown} with the fields {', '.join(map(repr, names[:_MOST_FIELDS]))}{more}"
