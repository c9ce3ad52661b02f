"""Quarters, half-years and fiscal years: "Q3 2023", "third quarter of 2023", "H1", "FY2023".

They are dates with levels of their own: `("quarter", 2023, 3)`, `("fiscal quarter", 2023, 3)`,
`("yearless quarter", 3)`, `("fiscal", 2023)`. A fiscal year is not the calendar year of its number.
"""

import re
from typing import Final

from groundtypes.figures.clocks import TimeExpression
from groundtypes.figures.figure import Reading

__all__ = ["read_period", "read_period_of_ordinal"]

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
    if match["last"]:
        return int(match["year"]) // 100 * 100 + int(match["last"])
    if match["short"]:
        return 2000 + int(match["short"])
    return int(match["year"] or 0)
