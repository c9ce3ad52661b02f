"""The lines of a `pydantic.ValidationError`, to raise them again at other locations."""

from collections.abc import Callable
from typing import Any, Final, get_args

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from groundtypes.verdicts import Loc

#: The types of the errors that Pydantic raises itself.
_KNOWN_TYPES: Final = frozenset(get_args(core_schema.ErrorType))


def lines_of(error: ValidationError, place: Callable[[Loc], Loc]) -> list[InitErrorDetails]:
    """Return the lines of an error, each at the place of its location."""
    lines = []
    for line in error.errors(include_url=False):
        details = InitErrorDetails(
            type=line["type"],
            loc=place(line["loc"]),
            input=line["input"],
            ctx=line.get("ctx", {}),
        )
        if line["type"] not in _KNOWN_TYPES:
            context = line.get("ctx", {})
            template = "{message}" if "message" in context else line["msg"]  # checks have a message
            details["type"] = PydanticCustomError(line["type"], template, context)
        lines.append(details)
    return lines


def placed(error: ValidationError, place: Callable[[Loc], Loc]) -> ValidationError:
    """Return an error that differs only in the locations of its lines."""
    # Only its pickle tells whether it shows inputs, and whether they are JSON.
    reduced: Any = error.__reduce__()
    title, _, *options = reduced[1]
    return ValidationError.from_exception_data(title, lines_of(error, place), *options)
