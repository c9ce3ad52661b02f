"""Dates, times and lengths of time: whether a text states one, and how it differs."""

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from groundtypes.validators.typed.candidates import Candidate, Source
from groundtypes.validators.typed.finding import Finding, Options, choose

#: Between a date and its time of day.
_LONGEST_GAP: Final = 60
_DAY: Final = 86_400
#: A month and a year as ISO 8601 lengths are read by Pydantic: P1M and P1Y.
_MONTH: Final = 30 * _DAY
_YEAR: Final = 365 * _DAY
_MONTHS: Final = 12
_NUMERIC: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}")
#: A date without marks, such as 20210304, which is a number to a field of another type.
_BASIC: Final = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", re.ASCII)
_UNITS: Final = (1, 60, 3600, _DAY, 7 * _DAY, _MONTH, _YEAR)

_Date = tuple[int, ...]


class _Stated(NamedTuple):
    """What a candidate says: a date of year, month and day, a time of day, an instant, a length.

    `fits` and `kind` are those of an amount.
    """

    date: _Date = ()
    seconds: int | None = None
    instant: int | None = None
    length: Fraction | None = None
    kind: str = ""
    fits: bool | None = None
    value: Any = 0


def find_time(value: dt.date | dt.time | dt.timedelta, source: Source, options: Options) -> Finding:
    """Return whether the source states a date, time or length of time, and how it differs."""
    candidates = source.candidates()
    if isinstance(value, dt.timedelta):
        known = [(one, list(_lengths(one))) for one in candidates]
    else:
        known = list(_dates(candidates, source, value))
    known = [(one, stated) for one, stated in known if stated]
    return choose(known, source, options, _Comparison(value, options, _years(known)))


class _Comparison(NamedTuple):
    """Compares a date, time or length of time with what candidates say."""

    value: dt.date | dt.time | dt.timedelta
    options: Options
    years: frozenset[int]

    def equals(self, stated: _Stated) -> bool:
        """Whether the text says the value."""
        value = self.value
        if isinstance(value, dt.timedelta):
            length = stated.length
            off = abs((length or 0) - _seconds(value))
            return length is not None and off <= self.options.tolerance(length)
        if isinstance(value, dt.time):
            return stated.seconds is not None and _is_time(value, stated.seconds)
        if isinstance(value, dt.datetime):
            return self._is_datetime(value, stated)
        return self._is_day(value, stated)

    def _is_day(self, value: dt.date, stated: _Stated) -> bool:
        wanted = (value.year, value.month, value.day)
        if stated.date == wanted or (stated.date == (0, *wanted[1:]) and value.year in self.years):
            return True
        if not self.options.within or len(stated.date) != 3 or not stated.date[0]:
            return False
        off = abs((dt.date(*stated.date) - dt.date(*wanted)).days) * _DAY
        return off <= self.options.within

    def _is_datetime(self, value: dt.datetime, stated: _Stated) -> bool:
        if value.tzinfo is not None and stated.instant is not None:
            off = abs(stated.instant - Fraction(value.timestamp()))
            return off <= max(self.options.within, Fraction(59 * (value.second == 0)))
        if not self._is_day(value.date(), stated):
            return False
        if stated.seconds is None:
            return value.time() == dt.time()
        return _is_time(value.time(), stated.seconds)

    def difference(self, stated: _Stated) -> str | None:
        """Return the fault of a value that is near what a text says."""
        value = self.value
        if isinstance(value, dt.timedelta):
            ratio = _seconds(value) / stated.length if stated.length else 0
            units = {Fraction(one, other) for one in _UNITS for other in _UNITS if one != other}
            return "value_wrong_unit" if ratio in units else None
        if isinstance(value, dt.time):
            return None
        date = stated.date
        if date == (value.year, value.day, value.month):
            return "value_day_month_swapped"
        is_day = date == (value.year, value.month, value.day)
        if is_day and isinstance(value, dt.datetime) and stated.seconds is None:
            return "value_too_precise"
        is_less = date in ((value.year,), (value.year, value.month), (0, value.month, value.day))
        return "value_too_precise" if is_less else None

    def write(self, stated: _Stated) -> str:
        """Return what the field should have."""
        if isinstance(self.value, dt.timedelta):
            return _iso_length(stated.length or Fraction(0))
        if len(stated.date) == 3 and stated.date[0]:
            date = dt.date(*stated.date).isoformat()
            if not isinstance(self.value, dt.datetime) or stated.seconds is None:
                return date
            return f"{date}T{_clock(stated.seconds)}"
        return "" if stated.seconds is None else _clock(stated.seconds)


def _seconds(length: dt.timedelta) -> Fraction:
    return Fraction(length // dt.timedelta(microseconds=1), 10**6)


def _is_time(value: dt.time, seconds: int) -> bool:
    own = value.hour * 3600 + value.minute * 60 + value.second
    return own == seconds or (value.second == 0 and own == seconds - seconds % 60)


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _iso_length(seconds: Fraction) -> str:
    days, rest = divmod(seconds, _DAY)
    hours, minutes, last = rest // 3600, rest // 60 % 60, float(rest % 60)
    clock = "".join(
        f"{count:g}{unit}" for count, unit in ((hours, "H"), (minutes, "M"), (last, "S")) if count
    )
    return f"P{days}D" * bool(days) + ("P" * (not days) + f"T{clock}") * bool(clock) or "PT0S"


def _lengths(candidate: Candidate) -> Iterator[_Stated]:
    for kind, value, _, _, _ in candidate.figure.readings:
        if isinstance(value, tuple | str):
            continue
        if kind == "duration":
            yield _Stated(length=Fraction(value), kind="length")
        elif kind == "months":
            years, months = divmod(value, _MONTHS)
            yield _Stated(length=Fraction(years * _YEAR + months * _MONTH), kind="length")
            if years:
                yield _Stated(length=Fraction(value * _MONTH), kind="length")


def _dates(
    candidates: Sequence[Candidate], source: Source, value: dt.date | dt.time
) -> Iterator[tuple[Candidate, list[_Stated]]]:
    """Yield the candidates with the dates and times that they say, a date with its time of day."""
    day_first = _day_first(candidates)
    for number, one in enumerate(candidates):
        if isinstance(value, dt.time):
            yield one, [_Stated(seconds=at, kind="time") for at in _times(one)]
            continue
        values = [reading.value for reading in one.figure.readings if reading.kind == "date"]
        if basic := _BASIC.fullmatch(one.figure.text):
            values.append(("day", *map(int, basic.groups())))
        dates = list(filter(None, map(_date, values)))
        if day_first is not None and len(dates) > 1 and (match := _NUMERIC.search(one.words)):
            first = int(match[1])
            dates = [date for date in dates if len(date) != 3 or (date[2] == first) is day_first]
        near = _times_of(candidates, number, source) if isinstance(value, dt.datetime) else ()
        if not (near and dates):
            yield one, [_Stated(date, kind="date") for date in dates]
        for time in near:
            instant = _instant(one, time)
            yield (
                one._replace(range_end=time.range_end or one.range_end),
                [_Stated(date, at, instant, kind="date") for date in dates for at in _times(time)],
            )


def _times_of(candidates: Sequence[Candidate], number: int, source: Source) -> list[Candidate]:
    """Return the time of day of a date: the nearest, if possible behind it; a range has two."""
    date = candidates[number]
    text = source.references.texts[date.text]
    behind, before = candidates[number + 1 : number + 3], candidates[max(0, number - 2) : number]
    for one in (*behind[:1], *before[-1:]):
        start, end = sorted((date, one), key=lambda each: each.start)
        gap = text[start.end : end.start]
        if one.text == date.text and len(gap) <= _LONGEST_GAP and _times(one):
            return [other for other in (*before, *behind) if other.group == one.group]
    return []


def _times(candidate: Candidate) -> list[int]:
    return [
        int(reading.value)
        for reading in candidate.figure.readings
        if reading.kind == "time" and isinstance(reading.value, int)
    ]


def _instant(*candidates: Candidate) -> int | None:
    readings = (reading for one in candidates for reading in one.figure.readings)
    moments = (
        reading.value
        for reading in readings
        if reading.kind.startswith("timestamp") and isinstance(reading.value, int)
    )
    return next(moments, None)


def _date(value: Any) -> _Date:
    """Return what a date has of year (0 if not stated), month and day; none of 29 Feb 2021."""
    level, *parts = value
    if level == "yearless":
        return (0, *parts)
    if level == "day" and parts[0] and parts[2] > monthrange(parts[0], parts[1])[1]:
        return ()
    return tuple(parts) if level in ("day", "month", "year") else ()


def _years(known: Sequence[tuple[Candidate, Sequence[_Stated]]]) -> frozenset[int]:
    return frozenset(
        each.date[0] for _, stated in known for each in stated if each.date and each.date[0]
    )


def _day_first(candidates: Sequence[Candidate]) -> bool | None:
    """Return whether dates such as 03/04/2021 begin with the day, where other dates show it."""
    orders = set[bool]()
    for one in candidates:
        match = _NUMERIC.search(one.words)
        days = {_date(each.value)[-1:] for each in one.figure.readings if each.kind == "date"}
        if match and len(days) == 1 and match[1] != match[2]:
            orders.add(days.pop() == (int(match[1]),))
    return orders.pop() if len(orders) == 1 else None
