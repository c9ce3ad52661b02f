"""Neighbours that belong together: compound quantities, shares, shared units, dates with times."""

import re
from collections.abc import Iterator
from datetime import date as calendar_date
from fractions import Fraction
from typing import Final

from groundtypes.figures.clocks import DAY
from groundtypes.figures.figure import RawFigure, Reading, pair, simplify
from groundtypes.words import all_words

_JOINT: Final = re.compile(r"[\s-]?|(?P<comma>,)?\s(?:and\s)?")
_HUNDREDTH: Final = Fraction(1, 100)
_KINDS: Final = frozenset(("length", "mass", "duration", "months"))


def join_neighbours(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, neighbours that make one quantity, share or pair as one figure."""
    previous: RawFigure | None = None
    for figure in figures:
        joined = previous and (_compound(text, previous, figure) or _share(text, previous, figure))
        if previous is not None and joined is None:
            yield previous
        previous = joined or figure
    if previous is not None:
        yield previous


def _compound(text: str, first: RawFigure, second: RawFigure) -> RawFigure | None:
    """Return "5 ft 10 in" as one quantity, which is written in the unit of its first part."""
    if not (first.units and second.units and len(first.values) == len(second.values) == 1):
        return None
    last = first.parts[-1] if first.parts else first
    if not last.units:
        return None
    units, larger, smaller = first.units[:1], last.units[0], second.units[0]
    if smaller.kind.startswith("money"):
        kinds = {unit.kind for unit in second.units if unit.factor == _HUNDREDTH}
        units = tuple(unit for unit in first.units if unit.kind in kinds and unit.factor == 1)
        is_cents = 0 < second.values[0] < 1 / _HUNDREDTH and first.values[0].denominator == 1
        continues = bool(units) and text[first.end : second.start] in (" and ", " ") and is_cents
    else:
        joint = _JOINT.fullmatch(text, first.end, second.start)
        is_metric = larger.factor / smaller.factor in (10, 100, 1000)
        continues = (
            joint is not None
            and not (joint["comma"] and is_metric)  # "12 km, 450 m of ascent" are two quantities
            and larger.kind == smaller.kind
            and larger.kind in _KINDS
            and 0 <= second.values[0] * smaller.factor < larger.factor
        )
    if not continues:
        return None
    ratio = Fraction(smaller.factor) / units[0].factor
    parts = [first] if last is first else first.parts
    return RawFigure(
        parts[0].start,
        second.end,
        (first.values[0] + second.values[0] * ratio,),
        units=units,
        step=second.step * ratio,
        parts=[*parts, second],
        is_year=False,
    )


_TIMES: Final = re.compile(r"\s?[x×*]\s?|\sby\s")
_LIST: Final = re.compile(r",\s|,?\s(?:and|or|&|und|oder|et|ou|y|o|e)\s|\s?/\s?")
_TOLERANCE: Final = re.compile(r"\s?(?:±|\+/-|\+-|plus or minus)\s?")
_SHARE: Final = re.compile(
    r"\s(?:in|out\sof)\s(?:every\s)?|\s(?:of|for)\severy\s|-in-|-out-of-"
    r"|(?P<per>(?:\s[a-z]{2,20}){0,2}\sper\s)",
    re.IGNORECASE,
)
_PART_OF: Final = re.compile(r"\s(?P<of>[^\W\d_]{1,4})\s(?:(?:the|los|las|les|den|de)\s)?")
#: "3 per 1,000 person-years" is no share of people.
_PERSON_YEARS: Final = re.compile(r"\s[a-z]{2,12}[\s-](?:year|day|hour|month|mile)s?\b")
#: "3 per 1,000" is a share, "3 per 5" is none.
_PER: Final = frozenset(10**power for power in range(2, 8))
#: What makes a blood pressure of "128 over 82", and how far before it that may stand.
_PRESSURE: Final = re.compile(r"\bBPs?\b|\bRR\b|pressure|systolic|reading", re.IGNORECASE)
_CONTEXT: Final = 60
_LARGEST_SHARE: Final = 10**7
_LONGEST_LIST: Final = 12


def share_units(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, those without a unit with the unit of the last number of their list."""
    waiting: list[RawFigure] = []
    for figure in figures:
        joint = _joint(text, waiting[-1], figure) if waiting else None
        if joint is None or len(waiting) >= _LONGEST_LIST:
            yield from waiting
            waiting = []
        elif waiting[-1].units and figure.is_bare:
            if joint == "tolerance":
                figure.units, figure.is_year = waiting[-1].units, False
        elif figure.units and text[figure.start].isdigit():  # the sign of "3 and $5" is the 5's
            takes = joint != "times" or figure.units[0].kind == "length"
            for item in filter(_takes, waiting if takes else ()):
                item.units, item.is_year = figure.units, False
                item.is_unit_shared = True
        waiting.append(figure)
    yield from waiting


def _joint(text: str, first: RawFigure, second: RawFigure) -> str | None:
    for name, pattern in (("tolerance", _TOLERANCE), ("times", _TIMES), ("list", _LIST)):
        if pattern.fullmatch(text, first.end, second.start):
            return name
    return None


def _takes(figure: RawFigure) -> bool:
    """Whether a number may take the unit of its neighbour: no year, no name."""
    is_free = figure.is_unitless and not figure.incidental and not figure.other_readings
    return is_free and not figure.may_be_year


def _share(text: str, first: RawFigure, second: RawFigure) -> RawFigure | None:
    """Return "one in four", "21 of 28", "3 per 1,000" and "128 over 82" as one figure each."""
    if len(first.values) != 1 or len(second.values) != 1 or first.units or first.scale != 1:
        return None
    small, large = first.values[0], second.values[0] * second.scale
    gap = text[first.end : second.start]
    if gap == " over ":
        return pair(first, second) if _is_pressure(text, first, second) else None
    is_dated = second.noun is None and second.scale == 1 and 1900 <= large < 2100
    if second.units or is_dated or not 0 < small <= large:
        return None
    if (part := _PART_OF.fullmatch(gap)) and part["of"].lower() in all_words("part of"):
        are_digits = text[first.start : first.end].isdigit() and text[second.start].isdigit()
        is_part = are_digits and first.is_bare and large.denominator == second.scale == 1
        return pair(first, second, "of") if is_part else None
    joint = _SHARE.fullmatch(gap)
    if joint is None or not small < large <= _LARGEST_SHARE:
        return None
    if joint["per"]:
        is_share = large in _PER and not _PERSON_YEARS.match(text, second.end)
    else:
        is_share = first.noun is None and small.denominator == 1
    if not is_share or text[first.start - 1 : first.start] in ("-", "·", "."):
        return None
    # Neither number of "3 out of 10" is a percentage.
    first.noun, second.noun = "case", second.noun or "case"
    return RawFigure(
        first.start,
        second.end,
        (simplify(Fraction(small) / large),),
        step=min(Fraction(first.step), Fraction(1)) / int(second.values[0]),
        is_year=False,
        parts=[] if small == 1 else [first, second],
    )


def _is_pressure(text: str, first: RawFigure, second: RawFigure) -> bool:
    """Whether two numbers are a blood pressure: "BP 128 over 82", "128 over 82 mmHg"."""
    upper, lower = first.values[0], second.values[0]
    if first.noun or not (upper > lower and upper.denominator == lower.denominator == 1):
        return False
    if second.units:
        return second.units[0].kind == "pressure"
    around = text[max(0, first.start - _CONTEXT) : first.start]
    return second.noun is None and _PRESSURE.search(around) is not None


#: The clocks of the world are from 14 hours ahead of UTC to 12 hours behind, where 14 hours ahead
#: and 10 behind have the same time of day.
_FARTHEST_EAST: Final = 14 * 3600
_FARTHEST_WEST: Final = 12 * 3600
_FAR_WEST: Final = re.compile(r"HST|-\s?1[0-2](?::?[0-9]{2})?\)?\Z")
_FIRST_DAY: Final = calendar_date(1970, 1, 1).toordinal()
#: Between a date and its time, and between a time and its date.
_THEN_TIME: Final = re.compile(r"[Tt]|,?\s(?:at\s|um\s|@\s)?|\s-\s")
_THEN_DATE: Final = re.compile(
    r",?\s(?:on\s)?(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?,?\s)?(?:the\s)?"
)


def with_timestamps(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, dates and times with a zone with the moments that they may be."""
    previous: RawFigure | None = None
    for figure in figures:
        if previous is not None and previous.other_readings and figure.other_readings:
            _join(text, previous, figure)
        previous = figure
        yield figure


def _join(text: str, first: RawFigure, second: RawFigure) -> None:
    if _is_zoned(second):
        day, time, gap = first, second, _THEN_TIME
    else:
        day, time, gap = second, first, _THEN_DATE
    if not (_is_zoned(time) and gap.fullmatch(text, first.end, second.start)):
        return
    is_west = _FAR_WEST.search(text, time.start, time.end) is not None
    moments = [
        moment
        for reading in day.other_readings
        if isinstance(reading.value, tuple) and reading.value[0] == "day"
        for moment in _moments(reading.value[1:], time, is_west=is_west)
    ]
    if not moments:
        return
    # Another date with this time of UTC is another moment.
    time.other_readings = (
        *(
            reading._replace(partial=True) if reading.kind.startswith("time:") else reading
            for reading in time.other_readings
        ),
        *moments,
    )
    day.other_readings += tuple(moments)


def _is_zoned(figure: RawFigure) -> bool:
    return figure.other_readings[-1].kind.startswith("time:")


def _moments(day: tuple[object, ...], time: RawFigure, *, is_west: bool) -> Iterator[Reading]:
    """Yield the moments of a time on a day, for each pair of its own clock and another one."""
    year, month, number = (int(str(part)) for part in day)
    try:
        midnight = (calendar_date(year, month, number).toordinal() - _FIRST_DAY) * DAY
    except ValueError:
        return
    local = [item for item in time.other_readings if item.kind == "time"]
    zoned = [item for item in time.other_readings if item.kind.startswith("time:")]
    per_local = len(zoned) // len(local)
    for at, item in enumerate(zoned):
        seconds = int(str(local[at // per_local].value))
        ahead = (seconds - int(str(item.value))) % DAY
        if ahead > _FARTHEST_EAST or (is_west and ahead >= _FARTHEST_WEST):
            ahead -= DAY
        kind = item.kind.replace("time:", "timestamp:")
        yield Reading(kind, midnight + seconds - ahead)
