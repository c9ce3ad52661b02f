"""What is measured, between the factors of a unit, and the letter that is a unit of money.

The "of body weight" of "5 mg per kilogram of body weight per day" and the "CO2" of "120 g CO2/km"
are no part of the unit and are not compared.
"""

import re
from typing import Final

__all__ = ["after_substance", "is_pence"]

#: The CO2 of "120 g CO2/km".
_SUBSTANCE: Final = re.compile(
    r"\s(?:of\s)?[A-Z][A-Za-z]{0,2}[0-9₂₃₄]?[A-Za-z]?[0-9]?(?:-?eq?)?(?=/[^\W\d_]|\sper\s)"
)
#: What a dose is for, and what is measured, before the quotient goes on: the "of body weight" of
#: "5 mg per kilogram of body weight per day", the "of salt" of "5 g of salt a day". It is not
#: compared.
_OF_WHAT: Final = re.compile(
    r"\s(?:of\s)?(?:the\s)?(?:body[\s-]?(?:weight|mass|surface(?:\sarea)?)|bodyweight|bw|BW)\b"
    r"|(?P<noun>\sof\s[a-z]{3,20}(?:\s(?!(?:once|twice|thrice|for|and|with|from|over|into|than|then|when"
    r"|after|before|every|each|lasts|makes|costs|takes)\b)[a-z]{3,20})?)"
    r"(?=\s(?:per|an?|each|every)\s|\s(?:daily|weekly|monthly|yearly|annually)\b)"
    r"|(?P<joined>\s[a-z]{3,15})(?=/(?:[0-9]{1,4}\s?)?(?:k?g|m?[lL]|day|d|h)\b)"
)
_LONGEST_NOUN: Final = 18
_PENCE: Final = re.compile(
    r"p(?!\w|\s(?:orbital|electron|subshell|shell|state|level)|-(?!per)[a-z])"
)
#: The lines of a screen, and what is numbered with letters.
_NO_PENCE: Final = re.compile(
    r"(?<![0-9.,])(?:144|240|360|480|540|576|720|900|1080|1440|2160|4320)\Z"
    r"|\b(?:chromosome|section|article|figure|table|clause|page|part|no\.|arm)\s[0-9]{1,4}\Z",
    re.IGNORECASE,
)


def after_substance(text: str, end: int) -> tuple[int, bool]:
    """Return where what is measured ends, if a unit ends at `end`, and whether a rate follows.

    A text may leave out such a rate: a table of values "per 100 ml" says "5 g of salt" alone.
    """
    first = text[end + 1 : end + 2]  # decides for most units, and quickly
    if (first.isupper() or first == "o") and (match := _SUBSTANCE.match(text, end)):
        return match.end(), False
    if (first in "obtB" or "/" in text[end : end + _LONGEST_NOUN]) and (
        match := _OF_WHAT.match(text, end)
    ):
        return match.end(), bool(match["noun"] or match["joined"])
    return end, False


def is_pence(text: str, end: int) -> bool:
    """Whether the "p" at `end` is that of "50p", not of a 1080p screen or the chromosome 5p."""
    if not _PENCE.match(text, end):
        return False
    return _NO_PENCE.search(text, max(0, end - 20), end) is None
