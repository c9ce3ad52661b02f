"""The forms in which figures are looked up: those of a reference, and those that support a figure.

A form is the kind of a reading, such as `number`, `count`, `length` or `date`, or `written` for the
bare number of a quantity.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from groundtypes.figures.dates import coarser
from groundtypes.figures.figure import Figure, Number, Reading

#: Marks the form of a reading that leaves out what its text says.
_PARTIAL: Final = "~"
#: The forms of bare numbers. Those that may be years satisfy no "more than".
BARE_FORMS: Final = ("number", "maybe year")

#: The hour of a clock of 24 hours.
_TWO_DIGITS: Final = re.compile(r"(?:[^0-9]*\s)?[0-9]{2}\s?:")


def indexed_forms(reading: Reading, figure: Figure) -> Iterator[tuple[str, Any]]:
    """Yield the forms and values under which a reading of a reference is indexed."""
    kind, value, written, _, partial = reading
    if kind[0] == "t" and _is_time_with_seconds(reading, figure):
        yield kind + _PARTIAL, int(value) - int(value) % 60  # type: ignore[arg-type] # a number
    if partial:
        yield kind + _PARTIAL, value
    elif kind == "date" and isinstance(value, tuple):
        if _is_doubtful(value, figure):
            yield "date", value
        else:
            yield from (("date", date) for date in coarser(value))
    elif kind == "number":
        may_be_year = any(other.kind == "date" for other in figure.readings)
        yield ("maybe year" if may_be_year else "number", value)
    elif kind == "count":
        yield "count", value
        yield f"count:{figure.unit}", value
    elif kind == "cell":
        yield "written", value
    else:
        yield kind, value
        if written is not None and kind != "ordinal":
            yield "written", written


def _is_doubtful(value: tuple[Number | str, ...], figure: Figure) -> bool:
    """Whether it is the quarter of a fiscal year that the text does not name as one.

    So "Q3 2023" may be "Q3 of FY2023", but does not say "FY2023".
    """
    level = str(value[0])
    return level.startswith("fiscal ") and any(
        isinstance(other.value, tuple) and other.value[0] == level.removeprefix("fiscal ")
        for other in figure.readings
    )


def _is_time_with_seconds(reading: Reading, figure: Figure) -> bool:
    """Whether it is a time of day, as in "14:30:27 UTC", which also says "14:30".

    "2:15:30" may as well be a length of time, and then says neither 2:15 am nor 2:15 pm.
    """
    return (
        reading.kind.startswith("time")
        and isinstance(reading.value, int)
        and reading.value % 60 != 0
        and (
            _TWO_DIGITS.match(figure.text) is not None
            or not any(other.kind == "duration" for other in figure.readings)
        )
    )


def forms(reading: Reading) -> Iterator[tuple[str, Any]]:
    """Yield the forms and values that support a reading of a statement.

    A bare number supports a number with any unit and is supported by it: where only one side has a
    unit, the numbers decide.
    """
    kind, value, written, _, partial = reading
    if written is not None and "/" not in kind and kind not in ("number", "count", "frequency"):
        yield "count" + _PARTIAL, written  # "37.5 hours" of "37.5 a week"
    if partial:
        yield kind, value
        return
    if kind == "number":
        yield from ((form, value) for form in (*BARE_FORMS, "count", "written", "ordinal"))
        if isinstance(value, Fraction) and value.denominator != 1:
            yield "percent", value
        return
    yield kind, value
    yield kind + _PARTIAL, value
    if kind == "label":
        yield "identifier", value
    elif kind == "bare cell":
        yield from ((form, value) for form in BARE_FORMS)
    elif kind == "percent" and isinstance(value, Fraction) and value.denominator != 1:
        yield "number", value
    if written is not None and kind != "range":
        yield from ((form, written) for form in BARE_FORMS)


def supporting_forms(figure: Figure) -> Iterator[tuple[str, Any]]:
    """Yield the forms and values that support any reading of a statement's figure."""
    for reading in figure.readings:
        if figure.kind != "ratio" or reading.kind == "ratio":  # "21 of 28" is not stated by 75 %
            yield from forms(reading)


def comparable_forms(figure: Figure) -> Iterator[tuple[str, Number]]:
    """Yield the forms and values in which a larger or smaller figure satisfies a comparison."""
    for kind, value, written, *_ in figure.readings:
        if isinstance(value, str | tuple) or written is None:
            continue
        if kind == "number":
            yield "number", value
            yield "count", value
        elif kind == "count":
            yield f"count:{figure.unit}", value
            yield "number", value
        else:
            yield kind, value
