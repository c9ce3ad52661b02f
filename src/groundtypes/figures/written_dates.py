"""Dates and years in words: "the fourth of July", "May twenty-first", "nineteen eighty-four"."""

import re
from typing import Final

from groundtypes.figures.clocks import TimeExpression
from groundtypes.figures.dates import MONTH, YEAR, date, day_of_month, month_number
from groundtypes.figures.number_words import BELOW_TWENTY, TENS, read_phrase

__all__ = ["read_date_of_ordinal", "read_written_year"]

_ONES: Final = "|".join(word for word, number in BELOW_TWENTY.items() if 0 < number < 10)
_TEENS: Final = "|".join(word for word, number in BELOW_TWENTY.items() if number >= 10)
_TENS: Final = "|".join(TENS)
#: "nineteen eighty-four", "nineteen oh five", "twenty ten" and "the nineteen-eighties".
_YEAR_IN_WORDS: Final = re.compile(
    rf"(?P<century>{_TEENS}|twenty)(?:-|\s{{1,3}})(?:"
    rf"(?P<tens>{_TENS})(?:[\s-](?P<ones>{_ONES}))?|(?P<teens>{_TEENS})"
    rf"|(?:oh|o|aught|ought)[\s-](?P<first>{_ONES})"
    rf"|(?P<decade>{_TENS.replace('y', 'ies')}))(?![\w%]|-[a-z])(?!\s(?:vision|hindsight)\b)",
    re.IGNORECASE,
)
#: The first words of hours: "eleven thirty" is a time, "ten sixty-six" is none.
_HOURS: Final = 12
_LAST_MINUTE: Final = 59
_YEAR_AFTER: Final = rf"(?:\.?,?\s{{1,3}}(?P<year>{YEAR}))?"
_OF_MONTH: Final = re.compile(
    rf"\s{{1,3}}(?:day\s)?(?:of|OF)\s{{1,3}}{MONTH}(?!'s?(?:\s|\Z)|-[a-z]){_YEAR_AFTER}"
)
_MONTH_BEFORE: Final = re.compile(
    rf"(?:(?<![^\W\d_])(?P<word>[A-Za-z]+),?\s)?(?<![^\W_]){MONTH}\.?,?\s{{1,3}}(?P<the>the\s{{1,3}})?\Z"
)
_COMMA_YEAR: Final = re.compile(rf",?\s{{1,3}}(?P<year>{YEAR})")
_THOUSAND: Final = re.compile(r"two\sthousand\b(?!\shundred)", re.IGNORECASE)
_GAP: Final = re.compile(r",?\s{1,3}(?:in\s)?")
#: Before an ordinal, these make it a part of a month or one of several: "the last third of May".
_OF_PARTS: Final = frozenset(
    "a an one first second last latter final middle next each every another other same only upper "
    "lower remaining initial his her its their our my your no".split()
)
#: Before a month with an ordinal, these make a date of it: "on May fourth".
_BEFORE_DATE: Final = frozenset(
    "on by until till before after since from to through and or monday tuesday wednesday thursday "
    "friday saturday sunday".split()
)
_CLAUSE_END: Final = re.compile(r"\s?(?:[.,;:!?)]|\Z)|\s(?:and|or|to|until|through)\s")
#: The most characters of "Wednesday, September the ".
_LONGEST_BEFORE: Final = 26


def read_written_year(text: str, start: int) -> TimeExpression | None:
    """Return the year or decade in words whose first word is at `start`.

    "Eleven thirty" is a time of day, so that only a second number from 60 on makes a year of a
    first one up to twelve.
    """
    match = _YEAR_IN_WORDS.match(text, start)
    if match is None:
        return None
    word = match["century"].lower()
    hundreds = BELOW_TWENTY.get(word, 20)
    if match["decade"]:
        tens = TENS[match["decade"].lower().removesuffix("ies") + "y"] // 10
        return TimeExpression(match.end(), (date("decade", 10 * hundreds + tens),))
    if match["tens"]:
        rest = TENS[match["tens"].lower()] + BELOW_TWENTY.get((match["ones"] or "zero").lower(), 0)
    else:
        rest = BELOW_TWENTY[(match["teens"] or match["first"]).lower()]
    if hundreds <= _HOURS and rest <= _LAST_MINUTE:
        return None
    return TimeExpression(match.end(), (date("year", 100 * hundreds + rest),))


def read_date_of_ordinal(
    text: str, start: int, end: int, number: int, floor: int
) -> tuple[int, TimeExpression] | None:
    """Return start and reading of the date whose day is the ordinal from `start` to `end`.

    Nothing before `floor` belongs to it. An ordinal in words is no date after "a", "his" or "the
    last", nor in "in March second graders".
    """
    if (match := _OF_MONTH.match(text, end)) is not None:
        before = text[max(floor, start - 12) : start].split()
        if before and (before[-1].lower() in _OF_PARTS or before[-1].endswith("'s")):
            return None
        return _dated(text, start, match.end(), match["month"], number, match["year"])
    match = _MONTH_BEFORE.search(text, max(floor, start - _LONGEST_BEFORE), start)
    if match is None or text[end : end + 1] == "-":
        return None
    word = (match["word"] or "").lower()
    year = _COMMA_YEAR.match(text, end)
    is_sure = match["the"] or year or word in _BEFORE_DATE or "-" in text[start:end]
    if word == "in" or not (is_sure or _CLAUSE_END.match(text, end)):
        return None
    stop = year.end() if year else end
    return _dated(text, match.start("month"), stop, match["month"], number, year and year["year"])


def _dated(
    text: str, start: int, end: int, month: str, number: int, year: str | None
) -> tuple[int, TimeExpression] | None:
    if year is None and (gap := _GAP.match(text, end)):
        year, end = _year_of_words(text, gap.end()) or (year, end)
    day = day_of_month(year, month_number(month), str(number))
    return None if day is None else (start, TimeExpression(end, (day,)))


def _year_of_words(text: str, start: int) -> tuple[str, int] | None:
    """Return year and end of "nineteen eighty-four" or "two thousand and four"."""
    if written := read_written_year(text, start):
        value = written.readings[0].value
        return (
            (str(value[1]), written.end)
            if isinstance(value, tuple) and value[0] == "year"
            else None
        )
    phrase = read_phrase(text, start) if _THOUSAND.match(text, start) else None
    return (str(phrase.value), phrase.end) if phrase and not phrase.is_ordinal else None
