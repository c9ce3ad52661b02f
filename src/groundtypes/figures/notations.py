"""Notations of one quantity in several numbers: `5'10"`, `48°51'24"`, `PT1H30M`, `120/80`."""

import re
from fractions import Fraction
from math import gcd
from typing import Final

from groundtypes.figures.figure import Reading, simplify
from groundtypes.figures.measure import Unit

__all__ = [
    "feet_and_inches",
    "is_reading",
    "iso_duration",
    "roman_number",
]

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
_ROMAN: Final = re.compile(r"(?=[IVXL])(?:L?X{0,3}|X[LC])(?:I[VX]|V?I{0,3})(?![A-Za-z0-9'])")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
#: Before a single letter, only these words make a number of it.
_NUMBERED: Final = frozenset(
    "war type phase stage class grade chapter part volume book act section article title level "
    "category schedule appendix annex group block table figure scene rule tier pope king queen "
    "emperor elizabeth henry louis charles george edward william richard philip napoleon".split()
)
#: Abbreviations with the letters of a number, and words after which they are none.
_NOT_ROMAN: Final = frozenset(("XL", "XXL", "L", "IX", "LI", "LX"))
_INTRAVENOUS: Final = re.compile(
    r"\s(?:antibiotics?|fluids?|drugs?|line|drip|infusions?|therapy|access|contrast|injection|"
    r"push|bolus|dose|catheter|treatment|medications?)\b"
)


def feet_and_inches(text: str, start: int) -> tuple[int, Fraction, tuple[Unit, ...]] | None:
    """Return end, value and unit of feet and inches, or of an angle in minutes and seconds."""
    if match := _ARC.match(text, start):
        value = Fraction(match["degrees"]) + Fraction(match["minutes"]) / 60
        value += Fraction(match["seconds"] or 0) / 3600
        return match.end(), value, (_DEGREE,)
    if match := _FEET_INCHES.match(text, start):
        inches = Fraction(match["inches"]) + (Fraction(1, 2) if match["half"] else 0)
        if inches < 12:
            return match.end(), Fraction(match["feet"]) + inches / 12, (_FOOT,)
    if _quotes_are_closed(text, start):
        if match := _INCHES.match(text, start):
            inches = Fraction(match["inches"]) + (Fraction(1, 2) if match["half"] else 0)
            return match.end(), inches, (_INCH,)
        if (match := _FEET.match(text, start)) and "'" not in text[max(0, start - 60) : start]:
            return match.end(), Fraction(match["feet"]), (_FOOT,)
    return None


def _quotes_are_closed(text: str, start: int) -> bool:
    """Whether a straight quotation mark after the number cannot close a quotation."""
    line = text[max(0, start - 200) : start].rpartition("\n")[2]
    return line.count('"') % 2 == 0 and line.count("“") <= line.count("”")


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
    if above < below:
        return False
    return not (1 < below <= 16 and above < 4 * below and gcd(above, below) == 1)


def roman_number(text: str, start: int, word_before: str) -> tuple[int, int] | None:
    """Return end and value of a Roman number after a name: "World War II", "Henry VIII"."""
    match = _ROMAN.match(text, start)
    if match is None or not match[0] or match[0] in _NOT_ROMAN:
        return None
    letters = match[0]
    if len(letters) == 1 and word_before not in _NUMBERED:
        return None
    if letters == "IV" and _INTRAVENOUS.match(text, match.end()):
        return None
    value = 0
    for letter, following in zip(letters, [*letters[1:], ""], strict=True):
        size = _ROMAN_VALUES[letter]
        value += -size if following and _ROMAN_VALUES[following] > size else size
    return match.end(), value
