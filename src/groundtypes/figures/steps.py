"""One step of arithmetic between two figures: a difference, sum, product, ratio or span of time.

Only figures of one kind are added, subtracted and divided; a quantity is multiplied by a number, a
share or a count of days or months.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from groundtypes.figures.figure import Figure, Number, Value
from groundtypes.figures.index import FigureLocation

#: The kind of numbers and counts, whatever is counted, and that of numbers below one.
PLAIN: Final = "plain"
SHARE: Final = "share"
#: The kinds that say how large one amount is beside another.
_RELATIVE: Final = (SHARE, "percent", "times")
#: A date as its reading has it.
Date = tuple[Number | str, ...]
Numbers = tuple[Number, ...]
_WRITTEN: Final = "written "
#: Quantities by whose written numbers others are multiplied: "two months" at "£5 a month".
_MULTIPLIERS: Final = ("written duration 3600", "written duration 86400", "written months 1")
#: Smaller numbers are made by chance: as sums, and as differences far from the statement.
_SMALLEST: Final = 13
#: Quantities of other kinds are rarely added, and their sums hit by chance.
_SUMMED: Final = (PLAIN, "money")
#: Numbers that differ by more than this factor are neither added nor subtracted.
_MAGNITUDE: Final = 20
#: Kinds whose values are so few that figures far from the statement give many of them.
_BY_CHANCE: Final = ("duration", "months", "percent")
#: What is no number, and what makes decimals of digits.
_UNIT: Final = re.compile(r"[^\s\d.,-]")
_DECIMALS: Final = re.compile(r"[.,][0-9]{1,2}(?![0-9])")
_TIMES_OF_DAY: Final = ("time", "time:utc")
_DAY: Final = 86400
_WEEK: Final = 7 * _DAY
#: A month said in weeks has four, and one said in days thirty.
_DAYS_OF_MONTH: Final = (28, 30)


class Operand(NamedTuple):
    """A figure to compute with; `passage` is -1 if it is in the statement or its question."""

    figure: Figure
    passage: int
    location: FigureLocation | None
    range: Figure | None = None


class Result(NamedTuple):
    """What a step gives: its value, how it was made, and whether it may be rounded."""

    value: Number
    sign: str
    operands: tuple[Operand, ...]
    is_rounded: bool = False

    @property
    def step(self) -> str:
        """The step as people write it: "90 EUR - 65 EUR"."""
        texts = [operand.figure.text for operand in self.operands]
        return f" {self.sign} ".join(texts) if len(texts) > 1 else f"{self.sign} {texts[0]}"


@lru_cache(maxsize=4096)
def _amounts(figure: Figure) -> dict[str, Numbers]:
    """Return the values of a figure by kind; "written" before a kind is the bare number."""
    amounts: dict[str, dict[Number, None]] = {}
    may_be_year = any(reading.kind == "date" for reading in figure.readings)
    for kind, value, written, scale, _ in figure.readings:
        if isinstance(value, str | tuple) or kind in ("ordinal", "cell", "bare cell"):
            continue
        if value < 0 and -value in amounts.get(kind, amounts.get(PLAIN, {})):
            continue  # the fall "by 12 %", which may also be written as -12 %
        if kind in ("number", "count"):
            if not may_be_year:
                amounts.setdefault(PLAIN, {})[value] = None
            continue
        amounts.setdefault(kind, {})[value] = None
        if written is not None:
            amounts.setdefault(f"{_WRITTEN}{kind} {scale}", {})[written] = None
    return {kind: tuple(values) for kind, values in amounts.items()}


def results(
    first: Operand, second: Operand, kind: str, unit: str, *, is_near: bool
) -> Iterator[Result]:
    """Yield what one step makes of two figures."""
    is_range = first.range is not None and first.range is second.range
    if (is_range and not _is_change(first.range)) or (not is_near and kind in _BY_CHANCE):
        return
    amounts = _amounts(first.figure), _amounts(second.figure)
    if not is_near and kind != PLAIN and not (kind in amounts[0] or kind in amounts[1]):
        return  # most pairs
    is_close = is_near and first.passage == second.passage
    least = 0 if kind != PLAIN or is_close or _are_compared(first, second) else _SMALLEST
    for left, right in product(*amounts):
        values = amounts[0][left], amounts[1][right]
        if _are_alike(left, right, kind, unit, is_near=is_near) and (
            kind != PLAIN or _are_comparable(first.figure, second.figure)
        ):
            yield from _differences(first, second, *values, least)
            if is_near and not is_range and kind.startswith(_SUMMED):
                yield from _sums(first, second, *values, _SMALLEST if kind == PLAIN else 0)
        is_divided = left != "percent" and not left.startswith(_WRITTEN)
        if is_near and left == right and kind in _RELATIVE and is_divided:
            for upper, lower in product(*values):
                if upper and lower:
                    yield Result(Fraction(upper) / lower, "/", (first, second), True)
                    yield Result(Fraction(lower) / upper, "/", (second, first), True)
    for one, other, of, by in ((first, second, *amounts), (second, first, *amounts[::-1])):
        yield from _products(one, other, of, by, kind)
        if kind == "percent":
            yield from _sums(one, other, of.get(kind, ()), by.get("percentage points", ()), 0)
    if kind in ("duration", "months"):
        yield from _spans_of_time(first, second, kind)


def conversions(operand: Operand, kind: str) -> Iterator[Result]:
    """Yield what one figure says in other words: the rest of a whole, weeks as months."""
    amounts = _amounts(operand.figure)
    if kind in ("percent", SHARE):
        for share in (*amounts.get("percent", ()), *amounts.get(PLAIN, ())):
            if 0 < share < 2 and share != 1:
                yield Result(max(1 - share, share - 1), "100 % and", (operand,))
    for days in _DAYS_OF_MONTH:
        for seconds in amounts.get("duration", ()) if kind == "months" else ():
            yield Result(Fraction(seconds) / (days * _DAY), "months of", (operand,))
        for months in amounts.get("months", ()) if kind == "duration" else ():
            yield Result(months * days * _DAY, "days of", (operand,))


def _are_alike(left: str, right: str, kind: str, unit: str, *, is_near: bool) -> bool:
    """Whether values of two kinds may be added and subtracted to one of a third."""
    if kind in ("percent", "percentage points"):
        return kind != "percent" and left == right == "percent"
    if left == right == kind and not unit:
        return True
    units = {left, right} - {PLAIN}
    if kind != PLAIN or not all(name.startswith(_WRITTEN + unit) for name in units):
        return False
    is_mixed = PLAIN in (left, right)
    if unit:
        return is_near and is_mixed and len(units) == 1
    return len(units) <= 1 and (is_near or not units or not is_mixed)


def _is_change(figure: Figure | None) -> bool:
    """Whether both ends of a range say something of their own, as in "from 5 to 7 euros"."""
    return figure is not None and (
        figure.parts_stand_alone
        or figure.text[:5].lower() == "from "
        or all(_UNIT.search(part.text) for part in figure.parts)
    )


def _are_compared(first: Operand, second: Operand) -> bool:
    are_own = first.passage < 0 and second.passage < 0
    is_change = first.range is not None and first.range is second.range
    return are_own or is_change or first.figure.unit == second.figure.unit is not None


def _are_comparable(first: Figure, second: Figure) -> bool:
    """Whether two bare numbers may be of one list: both have decimals, or neither has."""
    return bool(_DECIMALS.search(first.text)) == bool(_DECIMALS.search(second.text))


def _differences(
    first: Operand, second: Operand, left: Numbers, right: Numbers, least: int
) -> Iterator[Result]:
    for one, other in product(left, right):
        difference = max(one - other, other - one)
        if one != other and _are_of_one_magnitude(one, other) and difference >= least:
            operands = (first, second) if one > other else (second, first)
            yield Result(difference, "-", operands)


def _sums(
    first: Operand, second: Operand, left: Numbers, right: Numbers, least: int
) -> Iterator[Result]:
    for one, other in product(left, right):
        if one + other >= least and _are_of_one_magnitude(one, other):
            yield Result(one + other, "+", (first, second))


def _are_of_one_magnitude(one: Number, other: Number) -> bool:
    """Whether two numbers may be added and subtracted: 100 and 2 rarely are."""
    smaller, larger = sorted((max(one, -one), max(other, -other)))
    return larger < smaller * _MAGNITUDE


def _products(
    first: Operand, second: Operand, of: dict[str, Numbers], by: dict[str, Numbers], kind: str
) -> Iterator[Result]:
    """Yield a quantity of the kind times a number; one of both is in the statement's words."""
    if not (first.passage < 0 or second.passage < 0):
        return
    factors: tuple[str, ...] = ()
    if kind == PLAIN or kind.startswith("money"):
        factors = ("percent", "times", *((PLAIN, *_MULTIPLIERS) if kind != PLAIN else ()))
    multipliers = (number for factor in factors for number in by.get(factor, ()))
    for multiplier, value in product(multipliers, of.get(kind, ())):
        if value and multiplier not in (0, 1):
            yield Result(value * multiplier, "×", (first, second))


def _spans_of_time(first: Operand, second: Operand, kind: str) -> Iterator[Result]:
    for one, other in product(first.figure.readings, second.figure.readings):
        if isinstance(one.value, tuple) and isinstance(other.value, tuple):
            if one.kind == other.kind == "date":
                is_later = one.value[1:] > other.value[1:]
                operands = (first, second) if is_later else (second, first)
                for value in _between(one.value, other.value, kind):
                    yield Result(value, "-", operands)
        elif kind == "duration" and one.kind == other.kind and one.kind in _TIMES_OF_DAY:
            times = [value for value in (one.value, other.value) if isinstance(value, int)]
            yield from _differences(first, second, tuple(times[:1]), tuple(times[1:]), 0)


def _between(first: Value, second: Value, kind: str) -> Iterator[Number]:
    one, other = sorted((_whole(first), _whole(second)))
    if not one or (len(one) != len(other) and "yearless" in (first[0], second[0])):  # type: ignore[index]
        return
    are_days = len(one) == len(other) == 3
    if kind == "duration":
        if are_days:
            days = (dt.date(*other) - dt.date(*one)).days
            yield days * _DAY
            yield days * _DAY // _WEEK * _WEEK
        return
    months = (other[0] - one[0]) * 12
    if len(one) > 1 and len(other) > 1:
        months += other[1] - one[1]
        yield months
        months -= are_days and other[2] < one[2]
    yield months
    if months > 12:
        yield months // 12 * 12


def _whole(date: Value) -> tuple[int, ...]:
    """Return year, month and day as far as they are known; a date without a year gets one."""
    level, *parts = date if isinstance(date, tuple) else ("",)
    if level not in ("day", "month", "year", "yearless"):
        return ()
    numbers = tuple(map(int, (*((2001,) if level == "yearless" else ()), *parts)))
    try:
        dt.date(*(*numbers, 1, 1)[:3])
    except (ValueError, OverflowError):
        return ()
    return numbers


def completed_dates(operands: Iterable[Operand]) -> Iterator[tuple[Date, Result]]:
    """Yield the days whose year an earlier date of a text has: "10 April 1912 ... on 14 April".

    The result is the step that completes the date; it has no value.
    """
    dated: tuple[Number | str, Operand] | None = None
    for operand in sorted(operands, key=lambda one: one.location or ()):
        for kind, value, *_ in operand.figure.readings:
            if kind != "date" or not isinstance(value, tuple):
                continue
            level, first, *rest = value
            if level == "yearless" and dated is not None:
                step = Result(0, "of", (operand, dated[1]))
                yield ("day", dated[0], first, *rest), step
            elif level in ("day", "month", "year"):
                dated = first, operand
