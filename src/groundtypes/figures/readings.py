"""The values that texts state, and how a wanted value differs from each of them.

`read_values` and `values_of` list every number, quantity, date and time; `look_up` compares a value
of Python with them. Checks of typed fields are built on these three.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.cell_figures import figures_of_text
from groundtypes.figures.figure import Comparison, Figure, RawFigure, Unit, Value
from groundtypes.figures.index import FigureLocation
from groundtypes.figures.number_units import take_unit
from groundtypes.figures.outcomes import read_figures
from groundtypes.references import PerReferences, References

_Amount = int | float | Decimal | Fraction
#: A value of Python that is looked up; numbers must be finite.
TypedValue = _Amount | dt.date | dt.time | dt.timedelta
#: Readings of names, and of cells without the scale of their header.
_NO_VALUES: Final = ("identifier", "label", "ratio", "range", "cell", "bare cell")
_UNITLESS: Final = ("number", "count", "ordinal")
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
#: So far from its date a time of day stands.
_LONGEST_DATE_GAP: Final = 40


class StatedValue(NamedTuple):
    """A value that a text states.

    Attributes:
        text: The words of the figure, with "about" and the like.
        value: The number with its scale word, in its own unit: 3200000 for "3.2 million EUR". A
            date is a tuple with its level: `("day", 2021, 3, 4)`, `("month", 2021, 3)`,
            `("year", 2021)`, `("yearless", 3, 4)`. A time is a number of seconds after midnight.
        kind: What is measured: `number`, `count`, `percent`, `money:EUR`, `length`, `duration`,
            `months`, `date`, `time`, ...
        unit: The symbol of its unit, or the noun that it counts.
        base: The number in base units (metres, seconds, a share for percent); `None` for a date.
        scale: The factor of its scale word, 1000000 for "million".
        bound: "up to 5" is at most 5.
        is_approximate: Whether it says "about".
        is_range_end: Whether it is one end of a range, such as "5-10 kg".
        location: The number of its text, with start and end in it.
    """

    text: str
    value: Value
    kind: str
    unit: str | None
    base: Fraction | None
    scale: Fraction
    bound: Comparison
    is_approximate: bool
    is_range_end: bool
    location: FigureLocation


class Difference(IntEnum):
    """How a stated value differs from a wanted one, the smallest difference first."""

    NONE = 0
    #: The number is equal; a unit is wanted, and the text states none.
    NO_UNIT = 1
    #: Within the tolerance that was asked for, or rounded to the digits of the other.
    ROUNDED = 2
    #: The value is equal, but the text bounds it: "up to 5", "at least 5".
    BOUND = 3
    #: The value is equal, but is one end of a range.
    RANGE = 4
    #: The text has only the year, the month or the day of a wanted date, or no such time of day.
    LESS_EXACT = 5
    DAY_AND_MONTH = 6
    SIGN = 7
    #: The number is larger or smaller by a power of ten.
    SCALE = 8
    #: The number is equal, and its unit is another one.
    UNIT = 9
    VALUE = 10


class Candidate(NamedTuple):
    """A stated value, how it differs from the wanted one, and by which share of the larger."""

    difference: Difference
    distance: Fraction
    stated: StatedValue


def read_values(text: str) -> tuple[StatedValue, ...]:
    """Return the values that a text states, in the order of their figures.

    A figure with several readings ("1.200", "03/04/2021") has a value for each of them.

    Examples:
        >>> for value in read_values("up to 3.2 million EUR by 4 March 2021"):
        ...     print(value.value, value.kind, value.bound.value, value.scale)
        3200000 money:EUR <= 1000000
        ('day', 2021, 3, 4) date  1
    """
    return tuple(
        value
        for figure, start, end in figures_of_text(text)
        for value in _values(figure, FigureLocation(0, start, end))
    )


#: The values of all references; those of JSON values and tables have the units of their headers.
values_of: Final[PerReferences[tuple[StatedValue, ...]]] = PerReferences(
    lambda references: tuple(_all_values(references))
)


def _all_values(references: References) -> Iterator[StatedValue]:
    for number, figures in enumerate(read_figures(references)):
        for figure, start, end in figures:
            yield from _values(figure, FigureLocation(number, start, end))


def look_up(
    value: TypedValue,
    stated: Iterable[StatedValue],
    *,
    unit: str | None = None,
    within: Fraction | float | Decimal = 0,
) -> list[Candidate]:
    """Return the stated values by how little they differ from a value.

    The value is stated where the first candidate has no difference.

    Args:
        value: A finite number, a date, a time or a length of time. Without `unit`, 0.12 and 12 are
            both "12 %".
        stated: The values of a text or of references.
        unit: The unit of the number as it is written behind it: "EUR", "km", "%", "million USD".
        within: How far off the stated number may be, in the unit of the value.

    Raises:
        ValueError: The unit is not known.
    """
    values = list(stated)
    if isinstance(value, dt.date):
        found = [candidate for one in values if (candidate := _of_date(value, one))]
        if isinstance(value, dt.datetime):
            found = [_with_time(value, candidate, values) for candidate in found]
    else:
        wanted = _wanted(value, unit)
        tolerance = _exact(within)
        found = [candidate for one in values if (candidate := _of_number(wanted, one, tolerance))]
    return sorted(found, key=lambda one: one[:2])


class _Wanted(NamedTuple):
    """A number with what it is in the base units of each kind that it may be of."""

    number: Fraction
    bases: dict[str, Fraction]
    factor: Fraction = Fraction(1)


def _exact(value: float | Decimal | Fraction) -> Fraction:
    """Return a number as it is written: 0.1 is one tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _wanted(value: _Amount | dt.time | dt.timedelta, unit: str | None) -> _Wanted:
    if isinstance(value, dt.time):
        seconds = Fraction(_seconds(value))
        return _Wanted(seconds, {"time": seconds})
    if isinstance(value, dt.timedelta):
        length = Fraction(value // dt.timedelta(microseconds=1), 10**6)
        return _Wanted(length, {"duration": length})
    number = _exact(value)
    if unit is None:
        return _Wanted(number, {})
    scale, units = _units(unit)
    bases = {
        one.kind: number * scale * Fraction(one.factor) + Fraction(one.offset) for one in units
    }
    return _Wanted(number * scale, bases, scale * Fraction(units[0].factor))


def _seconds(time: dt.time | dt.datetime) -> int:
    return time.hour * 3600 + time.minute * 60 + time.second


@lru_cache(maxsize=256)
def _units(unit: str) -> tuple[Fraction, tuple[Unit, ...]]:
    text = f"1 {unit.strip()}"
    figure = RawFigure(0, 1, (1,))
    take_unit(text, figure, None)
    if not figure.units or figure.end != len(text):
        message = f"{unit!r} is no unit that is known"
        raise ValueError(message)
    return Fraction(figure.scale), figure.units


def _values(figure: Figure, location: FigureLocation) -> Iterator[StatedValue]:
    """Yield what a figure may be, or the ends of a range."""
    for part in figure.parts if figure.kind == "range" else (figure,):
        for kind, value, written, _, partial in part.readings:
            if kind in _NO_VALUES or (partial and kind != "time"):
                continue
            number = value if written is None else written
            yield StatedValue(
                figure.text,
                Fraction(number) if isinstance(number, int | Fraction) else number,
                kind,
                part.unit,
                Fraction(value) if isinstance(value, int | Fraction) else None,
                Fraction(part.scale),
                figure.comparison,
                figure.approximate,
                part is not figure and not figure.parts_stand_alone,
                location,
            )


def _of_number(wanted: _Wanted, stated: StatedValue, within: Fraction) -> Candidate | None:
    number, kind = stated.value, stated.kind
    is_time = "time" in wanted.bases
    if not isinstance(number, Fraction) or kind.startswith("time:") or kind[:9] == "timestamp":
        return None
    if is_time != (kind == "time"):
        return None
    if kind in wanted.bases and stated.base is not None:
        found = _difference(wanted.bases[kind], stated.base, within * wanted.factor)
    else:
        found = _difference(wanted.number, number, within)
        if not wanted.bases and kind == "percent":
            found = min(found, _difference(wanted.number, number / 100, within))
        elif wanted.bases and kind not in _UNITLESS:
            is_same = found[0] is Difference.NONE
            found = Difference.UNIT if is_same else Difference.VALUE, found[1]
        elif wanted.bases and found[0] is Difference.NONE:
            found = Difference.NO_UNIT, found[1]
    difference, distance = found
    if difference <= Difference.ROUNDED and stated.bound is not Comparison.EXACTLY:
        difference = Difference.BOUND
    elif difference <= Difference.ROUNDED and stated.is_range_end:
        difference = Difference.RANGE
    return Candidate(difference, distance, stated)


def _difference(
    wanted: Fraction, stated: Fraction, within: Fraction
) -> tuple[Difference, Fraction]:
    size = max(abs(wanted), abs(stated))
    distance = abs(wanted - stated) / size if size else Fraction(0)
    if wanted == stated:
        return Difference.NONE, distance
    if abs(wanted - stated) <= within:
        return Difference.ROUNDED, distance
    if wanted == -stated:
        return Difference.SIGN, distance
    ratio = wanted / stated if wanted and stated else Fraction(0)
    power = max(ratio.numerator, ratio.denominator)
    if ratio > 0 and 1 in (ratio.numerator, ratio.denominator) and str(power).strip("0") == "1":
        return Difference.SCALE, distance
    return Difference.VALUE, distance


def _of_date(wanted: dt.date, stated: StatedValue) -> Candidate | None:
    if isinstance(wanted, dt.datetime) and wanted.tzinfo and stated.kind == "timestamp:utc":
        is_same = stated.value == (wanted - _EPOCH) // dt.timedelta(seconds=1)
        return Candidate(Difference.NONE, Fraction(0), stated) if is_same else None
    if stated.kind != "date" or not isinstance(stated.value, tuple):
        return None
    level, *parts = stated.value
    numbers = tuple(part for part in parts if isinstance(part, int))
    exact = (wanted.year, wanted.month, wanted.day)
    known = {"day": exact, "month": exact[:2], "year": exact[:1], "yearless": exact[1:]}
    if not isinstance(level, str) or level not in known:
        return None
    whole = (exact[0], *numbers) if level == "yearless" else (*numbers, *exact[len(numbers) :])
    year, month, day = whole
    days = abs((year - exact[0]) * 365 + (month - exact[1]) * 30 + day - exact[2])
    difference = Difference.VALUE
    if numbers == known[level]:
        difference = Difference.NONE if level == "day" else Difference.LESS_EXACT
    elif level in ("day", "yearless") and numbers[:-3:-1] == exact[1:]:
        difference = Difference.DAY_AND_MONTH
    return Candidate(difference, Fraction(days, 365), stated)


def _with_time(
    wanted: dt.datetime, candidate: Candidate, stated: Iterable[StatedValue]
) -> Candidate:
    """Return a candidate for a moment; its day alone is less exact, if no time stands beside it."""
    if candidate.difference is not Difference.NONE or candidate.stated.kind != "date":
        return candidate
    number, start, end = candidate.stated.location
    for other in stated:
        gap = max(other.location.start - end, start - other.location.end)
        is_beside = other.location.text == number and gap <= _LONGEST_DATE_GAP
        if is_beside and other.kind == "time" and other.value == _seconds(wanted):
            return candidate
    return candidate._replace(difference=Difference.LESS_EXACT)
