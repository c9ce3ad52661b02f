"""Reading JSON: a value of Python or a text, as objects, lists and values as they are written."""

import datetime as dt
import json
import math
import numbers
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

from groundtypes.errors import ReferencesError
from groundtypes.text.message_excerpts import clip

_DEEPEST: Final = 100
#: The most values, and the most characters of a text, that are read as one reference.
MOST_VALUES: Final = 1_000_000
MOST_CHARACTERS: Final = 64_000_000


class JsonScalar(NamedTuple):
    """A text, number, truth value or null, as it is written, without quotation marks."""

    text: str
    is_text: bool = False


class JsonObject(NamedTuple):
    """An object with its keys in order; a key that is given twice is there twice."""

    items: "tuple[tuple[str, JsonNode], ...]"


#: A JSON value that was read; a list is a Python list.
JsonNode: TypeAlias = "JsonScalar | JsonObject | list[JsonNode]"


class _Pairs(list[tuple[str, Any]]):
    """An object of a JSON text, with keys that are given twice."""


class _Literal(str):
    """A number of a JSON text as it is written, such as 3.50."""

    __slots__ = ()


def read_json(value: object, id_: str) -> JsonNode:
    """Return a JSON value, read from a text if it is one.

    Raises:
        ReferencesError: It is no JSON, is nested more than 100 levels deep, or has more than
            1,000,000 values.
    """
    if isinstance(value, str):
        value = _parse(value, id_)
    return _Reader(id_).read(value, 0)


def _parse(text: str, id_: str) -> object:
    if len(text) > MOST_CHARACTERS:
        raise _mistake(id_, f"is a text of more than {MOST_CHARACTERS:,} characters")
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_Pairs,
            parse_int=_Literal,
            parse_float=_Literal,
            parse_constant=_Literal,
        )
    except RecursionError:
        raise _mistake(id_, f"is nested more than {_DEEPEST} levels deep") from None
    except ValueError as error:
        # The cause is left out, because it holds the whole text.
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise _mistake(id_, f"is a text that is no JSON{place}") from None


def _mistake(id_: str, fault: str) -> ReferencesError:
    return ReferencesError(f"The JSON value of reference {clip(id_, 40)!r} {fault}.")


class _Reader:
    def __init__(self, id_: str) -> None:
        self._id = id_
        self._values = 0

    def read(self, value: object, depth: int) -> JsonNode:
        """Return a value of Python as a JSON value."""
        if depth > _DEEPEST:
            raise _mistake(self._id, f"is nested more than {_DEEPEST} levels deep")
        self._values += 1
        if self._values > MOST_VALUES:
            raise _mistake(self._id, f"has more than {MOST_VALUES:,} values")
        if isinstance(value, _Pairs):
            return JsonObject(tuple((key, self.read(item, depth + 1)) for key, item in value))
        if isinstance(value, Mapping):
            return JsonObject(
                tuple((self._key(key), self.read(item, depth + 1)) for key, item in value.items())
            )
        if isinstance(value, list | tuple):
            return [self.read(item, depth + 1) for item in value]
        return self._scalar(value)

    def _key(self, key: object) -> str:
        if isinstance(key, Mapping | list | tuple):
            raise _mistake(self._id, f"has a key of type {type(key).__name__}")
        return self._scalar(key).text

    def _scalar(self, value: object) -> JsonScalar:
        if isinstance(value, _Literal):
            return JsonScalar(str.__str__(value))
        if isinstance(value, Enum):
            value = value.value
        if value is None:
            return JsonScalar("null")
        if isinstance(value, bool):
            return JsonScalar("true" if value else "false")
        if isinstance(value, str):
            return JsonScalar(str.__str__(value), is_text=True)
        if isinstance(value, UUID | dt.date | dt.time):
            return JsonScalar(value.isoformat() if not isinstance(value, UUID) else str(value))
        if isinstance(value, numbers.Real | Decimal):
            return JsonScalar(self._number(value))
        raise _mistake(self._id, f"has a value of type {type(value).__name__}")

    def _number(self, value: Any) -> str:
        if isinstance(value, numbers.Integral):
            try:
                return str(int(value))
            except ValueError:  # Python writes no integer of more than 4,300 digits
                raise _mistake(self._id, "has an integer of more than 4,300 digits") from None
        if isinstance(value, Decimal):
            return str(value)
        number = float(value)
        if math.isfinite(number):
            return repr(number)
        return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
