"""Percentages that say of what, "5 vol%" and "40 % v/v", and signs of percent before a number.

What a percentage is of may be left out, as in "5 %", but 5 vol% are not 5 wt%. Turkish has the
sign before the number (%5), and so has Chinese (百分之5).
"""

import re
from typing import Final

from groundtypes.figures.measure import Measure, Unit, unit_of

__all__ = ["percent_before", "read_percentage"]

_OF: Final = re.compile(
    r"[\s-]{0,2}(?:(?P<before>[Vv]ol|[Ww]t|[Mm]ol|[Aa]t|[Mm]ass|[Gg]ew|Ma)\.?[\s-]?%"
    r"|%\s?(?:\((?P<bracket>[vwm]/[vwm]|vol\.?|wt\.?|ABV|abv)\)|(?P<after>[vwm]/[vwm]|vol|wt|ABV|abv)))"
    r"(?![A-Za-z0-9/])"
)
_NAMES: Final = {
    "vol": "volume", "v/v": "volume", "abv": "volume", "wt": "mass", "mass": "mass", "gew": "mass",
    "ma": "mass", "w/w": "mass", "m/m": "mass", "w/v": "mass/volume", "m/v": "mass/volume",
}  # fmt: skip
_BEFORE: Final = re.compile(r"(?:(?<![^\s(\[|/'\"])%|(?<!\w)[Yy]üzde\s|百分之)\s?\Z")
_LAST: Final = "% 之"
_LONGEST: Final = 7
_PERCENT: Final = Measure((("percent", 1),), "%", "1/100")


def read_percentage(text: str, end: int) -> tuple[int, tuple[Unit, ...]] | None:
    """Return end and unit of a percentage of something, behind a number that ends at `end`."""
    if "%" not in text[end : end + 8]:
        return None
    match = _OF.match(text, end)
    if match is None:
        return None
    name = (match["before"] or match["bracket"] or match["after"]).lower().rstrip(".")
    whole = Measure((("percent of " + _NAMES.get(name, name), 1),), "%", "1/100")
    return match.end(), (unit_of(whole, match[0].strip(" -"), _PERCENT),)


def percent_before(text: str, floor: int, start: int) -> int | None:
    """Return where the sign of percent before a number starts, if it has one."""
    if start == floor or text[start - 1] not in _LAST:
        return None
    lowest = max(floor, start - _LONGEST)
    match = _BEFORE.search(text[lowest:start])
    return None if match is None else lowest + match.start()
