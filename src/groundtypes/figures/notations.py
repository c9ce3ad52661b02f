"""Notations of several numbers: feet and inches, ISO durations, quarters and fiscal years."""

import re
from fractions import Fraction
from math import gcd
from typing import Final

from groundtypes.figures.clocks import TimeExpression
from groundtypes.figures.figure import Reading, Unit, simplify

#: Feet and inches; marks may be straight, curly or primes.
_FEET_INCHES: Final = re.compile(
    r"(?P<feet>[0-9]{1,3})\s?(?:'|′|-?(?:ft|foot|feet)\.?[\s-]?)\s?(?P<inches>[0-9]{1,2}(?:\.[0-9]{1,3})?)"
    r"(?P<half>½)?(?:\s?(?:\"|''|″)|(?<=[0-9])(?=[\s.,;)]|\Z)(?!\s?(?:in|cm|m)\b))"
)
_FEET: Final = re.compile(r"(?P<feet>[0-9]{1,3})\s?(?:'|′)(?![0-9A-Za-z'])")
_INCHES: Final = re.compile(
    r"(?P<inches>[0-9]{1,3}(?:\.[0-9]{1,3})?)(?P<half>½)?\s?(?:\"|″)(?![0-9A-Za-z])"
)
_ARC: Final = re.compile(
    r"(?P<degrees>[0-9]{1,3})\s?[°º]\s?(?P<minutes>[0-9]{1,2}(?:\.[0-9]{1,6})?)\s?['′]"
    r"(?:\s?(?P<seconds>[0-9]{1,2}(?:\.[0-9]{1,6})?)\s?(?:[\"″]|''))?"
)
_ISO: Final = re.compile(
    r"P(?:(?P<years>[0-9]{1,4})Y)?(?:(?P<months>[0-9]{1,4})M)?(?:(?P<weeks>[0-9]{1,4})W)?"
    r"(?:(?P<days>[0-9]{1,4})D)?(?:T(?:(?P<hours>[0-9]{1,4})H)?(?:(?P<minutes>[0-9]{1,4})M)?"
    r"(?:(?P<seconds>[0-9]{1,5}(?:\.[0-9]{1,6})?)S)?)?(?![0-9A-Za-z])"
)
_SECONDS: Final = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}
_FOOT: Final = Unit("length", "ft", Fraction("0.3048"))
_INCH: Final = Unit("length", "in", Fraction("0.0254"))
_DEGREE: Final = Unit("angle", "°")


def feet_and_inches(text: str, start: int) -> tuple[int, Fraction, tuple[Unit, ...]] | None:
    """Return end, value and unit of feet and inches, or of an angle in minutes and seconds."""
    if match := _ARC.match(text, start):
        value = Fraction(match["degrees"]) + Fraction(match["minutes"]) / 60
        value += Fraction(match["seconds"] or 0) / 3600
        return match.end(), value, (_DEGREE,)
    if (match := _FEET_INCHES.match(text, start)) and _inches(match) < 12:
        return match.end(), Fraction(match["feet"]) + _inches(match) / 12, (_FOOT,)
    line = text[max(0, start - 200) : start].rpartition("\n")[2]
    if line.count('"') % 2 or line.count("“") > line.count("”"):
        return None  # the mark closes a quotation
    if match := _INCHES.match(text, start):
        return match.end(), _inches(match), (_INCH,)
    if (match := _FEET.match(text, start)) and "'" not in line[-60:]:
        return match.end(), Fraction(match["feet"]), (_FOOT,)
    return None


def _inches(match: re.Match[str]) -> Fraction:
    return Fraction(match["inches"]) + (Fraction(1, 2) if match["half"] else 0)


def iso_duration(text: str, start: int) -> tuple[int, tuple[Reading, ...]] | None:
    """Return end and readings of a duration of ISO 8601."""
    match = _ISO.match(text, start)
    if match is None or not any(match.groups()):
        return None
    months = 12 * int(match["years"] or 0) + int(match["months"] or 0)
    seconds = sum(Fraction(match[name] or 0) * size for name, size in _SECONDS.items())
    if months and seconds:
        return match.end(), (Reading("identifier", match[0].casefold()),)
    if months:
        return match.end(), (Reading("months", months, months, 1),)
    exact = simplify(Fraction(seconds))
    return match.end(), (Reading("duration", exact, exact, 1),)


def is_reading(above: int, below: int) -> bool:
    """Whether "120/80" is a pair of numbers, such as a blood pressure, and no fraction.

    A fraction is smaller than one, or in lowest terms with a small denominator, as 3/2 is.
    """
    is_fraction = 1 < below <= 16 and above < 4 * below and gcd(above, below) == 1
    return above >= below and not is_fraction


_YEAR: Final = (
    r"(?:(?P<year>(?:19|20)[0-9]{2})(?:[/-](?P<last>[0-9]{2}))?|'?(?P<short>[0-9]{2}))"
    r"(?![0-9A-Za-z]|[.,][0-9])"
)
_LONG_YEAR: Final = r"(?P<year>(?:19|20)[0-9]{2})(?![0-9A-Za-z]|[.,][0-9])(?P<last>)(?P<short>)"
_FISCAL: Final = r"(?:(?:FY|fiscal(?:\s(?:year))?|financial\syear|Fiscal(?:\s(?:Year|year))?)\s?-?)"
#: "Q3", "Q3 2023", "Q3'23", "3Q23", "2023 Q3", "H1 of fiscal 2023".
_LETTER_FIRST: Final = re.compile(
    rf"(?P<letter>[QH])\s?(?P<number>[1-4])(?![0-9A-Za-z.]\b)"
    rf"(?:(?:\s|,\s|[-/'])?(?:(?:of|in)\s)?(?P<fiscal>{_FISCAL})?{_YEAR})?"
)
_NUMBER_FIRST: Final = re.compile(
    rf"(?P<number>[1-4])(?P<letter>[QH])(?![A-Za-z])(?:\s?(?P<fiscal>{_FISCAL})?{_YEAR})?"
)
_YEAR_FIRST: Final = re.compile(
    r"(?P<fiscal>FY\s?)?(?P<year>(?:19|20)[0-9]{2})[\s-]?(?P<letter>[QH])(?P<number>[1-4])(?![0-9A-Za-z])"
    r"(?P<last>)(?P<short>)"
)
_FISCAL_YEAR: Final = re.compile(rf"(?P<fiscal>{_FISCAL}){_YEAR}")
_OF_ORDINAL: Final = re.compile(
    rf"[\s-](?:fiscal\s|financial\s|calendar\s)?(?P<name>quarter|half)\b(?!\sof\sthe\s(?!year))"
    rf"(?:(?:,?\s(?:of|in)|,)?\s(?P<fiscal>{_FISCAL})?{_LONG_YEAR})?"
)
_NAMES: Final = {"Q": "quarter", "H": "half-year", "quarter": "quarter", "half": "half-year"}


def read_period(text: str, start: int) -> TimeExpression | None:
    """Return the period whose first letter or digit is at `start`."""
    if text[start] in "fF" and (match := _FISCAL_YEAR.match(text, start)):
        year = _year(match)
        return TimeExpression(match.end(), (Reading("date", ("fiscal", year)),)) if year else None
    for pattern in (_LETTER_FIRST, _NUMBER_FIRST, _YEAR_FIRST):
        if match := pattern.match(text, start):
            if match["letter"] == "H" and int(match["number"]) > 2:
                return None
            return _period(match, _NAMES[match["letter"]], int(match["number"]))
    return None


def read_period_of_ordinal(text: str, end: int, number: int) -> TimeExpression | None:
    """Return the quarter or half-year whose ordinal ends at `end`: "third quarter of 2023"."""
    match = _OF_ORDINAL.match(text, end)
    if match is None or number > 4 or (match["name"] == "half" and not match["year"]):
        return None
    return _period(match, _NAMES[match["name"]], number)


def _period(match: re.Match[str], name: str, number: int) -> TimeExpression:
    year = _year(match)
    if not year:
        return TimeExpression(match.end(), (Reading("date", (f"yearless {name}", number)),))
    fiscal = Reading("date", (f"fiscal {name}", year, number))
    if match["fiscal"]:
        return TimeExpression(match.end(), (fiscal,))
    # Reports often leave out that their quarters are those of a fiscal year.
    return TimeExpression(match.end(), (Reading("date", (name, year, number)), fiscal))


def _year(match: re.Match[str]) -> int:
    """Return the year, for "2022/23" the last one; 0 if there is none."""
    if short := match["last"] or match["short"]:
        return int(match["year"] or 2000) // 100 * 100 + int(short)
    return int(match["year"] or 0)
