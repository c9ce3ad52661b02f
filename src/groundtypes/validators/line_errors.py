"""Failing verdicts as lines of a `pydantic.ValidationError`."""

import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Verdict

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: How much of a text is shown as the input of a line, in characters.
_INPUT_LIMIT = 80


def validation_error(value: Any, faults: Sequence[Verdict]) -> ValidationError:
    """Return the error that a validator raises: one line for each failing verdict on a value.

    Pydantic puts the location of the value in front of each line.
    """
    shown = _readable(clip(str(value), _INPUT_LIMIT)) if isinstance(value, str) else value
    lines = [InitErrorDetails(type=_error_type(fault), loc=(), input=shown) for fault in faults]
    return ValidationError.from_exception_data("answer", lines)


def _error_type(fault: Verdict) -> PydanticCustomError:
    context: dict[str, Any] = {"check": fault.check}
    if fault.dropped:
        context["on_fault"] = "drop"
    if fault.span is not None:
        context |= {
            "reference": _readable(fault.span.reference),
            "start": fault.span.start,
            "end": fault.span.end,
        }
        if fault.span.page is not None:
            page = fault.span.page
            context["page"] = _readable(page) if isinstance(page, str) else page
        if fault.span.place is not None:
            context["place"] = _readable(fault.span.place)
    # Pydantic fills in placeholders one after another. The message comes last and alone, so that
    # nothing in it is read as a placeholder.
    context["message"] = _readable(fault.message or "")
    return PydanticCustomError(fault.slug or "fault", "{message}", context)


def _readable(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, with which Pydantic shows no error."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
