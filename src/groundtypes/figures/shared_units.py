"""Units that several numbers share, and numbers that make one share together.

In "5 × 10 × 20 cm", "5, 10 and 20 mg" and "5 ± 0.2 mg" only the last number has its unit written;
"one in four" and "3 out of 10" are one share.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from groundtypes.figures.figure import simplify
from groundtypes.figures.raw_figure import RawFigure, pair

__all__ = ["join_shares", "share_units"]

_TIMES: Final = re.compile(r"\s?[x×*]\s?|\sby\s")
_LIST: Final = re.compile(r",\s|,?\s(?:and|or|&|und|oder|et|ou|y|o|e)\s|\s?/\s?")
_TOLERANCE: Final = re.compile(r"\s?(?:±|\+/-|\+-|plus or minus)\s?")
_SHARE: Final = re.compile(
    r"\s(?:in|out\sof)\s(?:every\s)?|\s(?:of|for)\severy\s|-in-|-out-of-"
    r"|(?P<per>(?:\s[a-z]{2,20}){0,2}\sper\s)",
    re.IGNORECASE,
)
#: "3 per 1,000 person-years" is no share of people.
_PERSON_YEARS: Final = re.compile(r"\s[a-z]{2,12}[\s-](?:year|day|hour|month|mile)s?\b")
#: "3 per 1,000" is a share, "3 per 5" is none.
_PER: Final = frozenset(10**power for power in range(2, 8))
#: The most characters between two numbers of one list.
_LONGEST_GAP: Final = 15
#: That of "1 in 4" and "1-in-4", and of "3 premature births per 1,000".
_SHORTEST_SHARE_GAP: Final = 4
_LONGEST_SHARE_GAP: Final = 40
_OVER: Final = " over "
#: What makes a blood pressure of "128 over 82", and how far before it that may stand.
_PRESSURE: Final = re.compile(r"\bBPs?\b|\bRR\b|pressure|systolic|reading", re.IGNORECASE)
_CONTEXT: Final = 60
_LARGEST_SHARE: Final = 10**7
_LONGEST_LIST: Final = 12


def share_units(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, those without a unit with the unit of the last number of their list."""
    waiting: list[RawFigure] = []
    for figure in figures:
        previous = waiting[-1] if waiting else None
        joint = None if previous is None else _joint(text, previous, figure)
        if joint is None or len(waiting) >= _LONGEST_LIST:
            yield from waiting
            waiting = []
        elif previous is not None and previous.units and figure.is_bare:
            if joint == "tolerance":
                figure.units, figure.is_year = previous.units, False
        elif figure.units and _is_shared(text, figure, joint):
            for item in waiting:
                if not item.units and _takes(item):
                    item.units, item.is_year = figure.units, False
                    item.is_unit_shared = True
        waiting.append(figure)
    yield from waiting


def _joint(text: str, first: RawFigure, second: RawFigure) -> str | None:
    """Return how two neighbours are joined."""
    if not 0 < second.start - first.end <= _LONGEST_GAP or not second.values or not first.values:
        return None
    for name, pattern in (("tolerance", _TOLERANCE), ("times", _TIMES), ("list", _LIST)):
        if pattern.fullmatch(text, first.end, second.start):
            return name
    return None


def _is_shared(text: str, last: RawFigure, joint: str) -> bool:
    """Whether the numbers before have the unit of the last one, too."""
    if last.incidental or not text[last.start].isdigit():
        return False  # the sign of "3 and $5" is not that of the 3
    return joint != "times" or last.units[0].kind == "length"


def _takes(figure: RawFigure) -> bool:
    """Whether a number may take the unit of its neighbour: no year, no name."""
    if not figure.is_unitless or figure.incidental or figure.other_readings or figure.is_year:
        return False
    return not (figure.end - figure.start == 4 and 1000 <= figure.values[0] < 2200)


def join_shares(text: str, figures: Iterator[RawFigure]) -> Iterator[RawFigure]:
    """Yield the figures, "one in four", "3 out of 10" and "128 over 82" as one figure each."""
    previous: RawFigure | None = None
    for figure in figures:
        gap = 0 if previous is None else figure.start - previous.end
        if gap == len(_OVER) and previous is not None and _is_pressure(text, previous, figure):
            yield pair(previous, figure)
            previous = None
            continue
        if previous is not None and _is_share(text, previous, figure):
            share = Fraction(previous.values[0]) / figure.values[0] / Fraction(figure.scale)
            is_one = previous.values[0] == 1
            # Neither number of "3 out of 10" is a percentage.
            previous.noun, figure.noun = "case", figure.noun or "case"
            yield RawFigure(
                previous.start,
                figure.end,
                (simplify(share),),
                step=min(Fraction(previous.step), Fraction(1)) / int(figure.values[0]),
                is_year=False,
                parts=[] if is_one else [previous, figure],
            )
            previous = None
            continue
        if previous is not None:
            yield previous
        previous = figure
    if previous is not None:
        yield previous


def _is_pressure(text: str, first: RawFigure, second: RawFigure) -> bool:
    """Whether two numbers are a blood pressure: "BP 128 over 82", "128 over 82 mmHg"."""
    if text[first.end : second.start] != _OVER:
        return False
    if not (first.is_unitless and len(second.values) == 1 and first.scale == second.scale == 1):
        return False
    upper, lower = first.values[0], second.values[0]
    if not (upper > lower and upper.denominator == lower.denominator == 1):
        return False
    if second.units:
        return second.units[0].kind == "pressure"
    around = text[max(0, first.start - _CONTEXT) : first.start]
    return second.noun is None and _PRESSURE.search(around) is not None


def _is_share(text: str, first: RawFigure, second: RawFigure) -> bool:
    if not _SHORTEST_SHARE_GAP <= second.start - first.end <= _LONGEST_SHARE_GAP:
        return False
    if first.units or first.scale != 1 or second.units:
        return False
    if not len(first.values) == len(second.values) == 1:
        return False
    small, large = first.values[0], second.values[0]
    joint = _SHARE.fullmatch(text, first.end, second.start)
    if joint is None:
        return False
    if joint["per"]:
        if large * second.scale not in _PER or _PERSON_YEARS.match(text, second.end):
            return False
    elif first.noun is not None or small.denominator != 1:
        return False
    return (
        text[first.start - 1 : first.start] not in ("-", "·", ".")
        and 0 < small < large * second.scale <= _LARGEST_SHARE
        and large.denominator == 1
        and first.is_year is not True
        and second.is_year is not True
        and not (second.noun is None and second.scale == 1 and 1900 <= large < 2100)
    )
