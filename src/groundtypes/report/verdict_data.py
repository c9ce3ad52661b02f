"""A verdict read from plain data whose values may have any type and any size.

A value of the wrong type is left out, and a text that is too long is cut.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from groundtypes.references import Span
from groundtypes.references.spans import page_number
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Verdict

#: The longest name of a check, label, slug or row, in characters, and the longest message.
MAX_NAME: Final = 200
MAX_MESSAGE: Final = 4_000
_MAX_STEPS: Final = 100
#: The most references that a verdict cites, and the most places of its evidence.
_MAX_PLACES: Final = 100


def read_verdict(data: Mapping[Any, Any]) -> Verdict:
    """Return the verdict that `Verdict.to_dict`, or something like it, has written."""
    loc = data.get("loc")
    steps = loc if isinstance(loc, list | tuple) else ()
    return Verdict(
        check=read_text(data.get("check"), MAX_NAME) or "(unnamed)",
        ok=data.get("ok") is True,
        loc=tuple(
            step if isinstance(step, int) else clip(str(step), MAX_NAME)
            for step in steps[:_MAX_STEPS]
        ),
        slug=read_text(data.get("slug"), MAX_NAME),
        message=read_text(data.get("message")),
        label=read_text(data.get("label"), MAX_NAME),
        score=read_number(data.get("score")),
        threshold=read_number(data.get("threshold")),
        span=_read_span(data.get("span")),
        reason=read_text(data.get("reason")),
        dropped=data.get("dropped") is True,
        part=_read_part(data.get("part")),
        citations=_read_citations(data.get("citations")),
        spans=_read_spans(data.get("spans")),
    )


def read_text(value: Any, limit: int = MAX_MESSAGE) -> str | None:
    """Return a value as text of bounded length."""
    if value is None:
        return None
    return clip(value if isinstance(value, str) else json.dumps(value, default=str), limit)


def read_number(value: Any) -> float | None:
    """Return a value if it is a finite number of ordinary size."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return value if math.isfinite(value) else None
    return None


def _read_part(data: Any) -> tuple[int, int] | None:
    """Return start and end of a part of the value."""
    if not isinstance(data, list | tuple) or len(data) != 2:
        return None
    start, end = data
    return (start, end) if type(start) is int and type(end) is int and 0 <= start < end else None


def _read_citations(data: Any) -> tuple[str, ...]:
    listed = data if isinstance(data, list | tuple) else ()
    return tuple(clip(id_, MAX_NAME) for id_ in listed[:_MAX_PLACES] if isinstance(id_, str))


def _read_spans(data: Any) -> tuple[Span, ...]:
    listed = data if isinstance(data, list | tuple) else ()
    spans = (_read_span(item) for item in listed[:_MAX_PLACES])
    return tuple(span for span in spans if span is not None)


def _read_span(data: Any) -> Span | None:
    if not isinstance(data, Mapping):
        return None
    reference, start, end = (data.get(key) for key in ("reference", "start", "end"))
    if not (type(start) is int and type(end) is int and 0 <= start < end):
        return None
    place = data.get("place")
    known = place if isinstance(place, str) else None
    return Span(str(reference), start, end, page_number(data.get("page")), known)
