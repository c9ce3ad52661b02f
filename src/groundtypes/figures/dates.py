"""Dates, years, decades and centuries, in digits and in words: "the fourth of July".

A date is a tuple that begins with its level: `("day", 2021, 3, 4)`, `("month", 2021, 3)`,
`("year", 2021)`, `("yearless", 3, 4)`, `("decade", 199)`, `("century", 19)`. Years before Christ
are negative. Quarters and fiscal years are read by `notations`.
"""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.figures.clocks import TimeExpression, read_clock
from groundtypes.figures.figure import Number, Reading, date
from groundtypes.figures.numbers import BELOW_TWENTY, TENS, read_phrase
from groundtypes.words import all_words

_MONTH_NAMES: Final = (
    "January February March April May June July August September October November December"
)
_MONTHS: Final = {
    name[:3].lower(): number for number, name in enumerate(_MONTH_NAMES.split(), start=1)
}
_MONTH_ABBREVIATIONS: Final = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
_MONTH_SPELLINGS: Final = [
    form
    for name in (_MONTH_NAMES + " " + _MONTH_ABBREVIATIONS).split()
    for form in (name, name.upper())
]  # not in lower case: "may" and "march" are also other words
#: The name of a month, and a year, as parts of patterns.
MONTH: Final = rf"(?P<month>(?:{'|'.join(_MONTH_SPELLINGS)})\b)"
_DAY: Final = r"[0-3]?[0-9](?![0-9])(?:\s?(?:st|nd|rd|th|ST|ND|RD|TH)\b)?(?![.:,]?[0-9]|\s?%)"
YEAR: Final = r"[12][0-9]{3}(?![0-9]|,[0-9]{3}(?![0-9])|s\b)"
_SHORT_YEAR: Final = r"'[0-9]{2}(?![0-9'])"
_MONTH_FIRST: Final = re.compile(
    MONTH + rf"\.?,?\s{{1,3}}(?:of\s)?(?:(?P<year>{YEAR}|{_SHORT_YEAR})|(?:the\s)?(?P<day>{_DAY})"
    rf"(?:(?:\s{{0,2}}-{{1,2}}\s{{0,2}}|\sto\s)(?P<last>{_DAY})(?!\s?[aApP]\.?[mM]\b))?"
    rf"(?:\s{{0,2}},?\s{{0,2}}(?P<full>{YEAR}|{_SHORT_YEAR}))?)"
)
_DAY_FIRST: Final = re.compile(
    r"(?P<day>[0-3]?[0-9])(?:\s?(?:st|nd|rd|th|ST|ND|RD|TH)\b)?(?:\s(?:day\s)?(?:of|OF))?(?:[\s-]{1,3}|/)"
    + MONTH
    + rf"(?:(?:\.?,?[\s-]{{1,3}}(?:of\s)?|/)(?P<year>{YEAR}|{_SHORT_YEAR})"
    r"|[-/](?P<short>[0-9]{2})(?![0-9]|[-/.,][0-9]))?"
)
#: An ISO 8601 date, perhaps in the basic format before a time, and similar notations.
_YEAR_FIRST: Final = re.compile(
    r"(?P<year>[0-9]{4})(?P<mark>[-/]|\.\s?)(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})(?![0-9])"
)
_BASIC: Final = re.compile(
    r"(?P<year>(?:19|20)[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})(?=[Tt][0-9]{2})"
)
#: Day, month and year in digits; which of the first two is the day is not known.
_NUMERIC: Final = re.compile(
    r"(?P<one>[0-9]{1,2})(?P<mark>[-/]|\.\s?)(?P<two>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4}|[0-9]{2})"
    r"(?![0-9]|[-/.,][0-9])"
)
#: Two digits after a year: a range of years (2019-20), or a month (2019-03).
_YEAR_PAIR: Final = re.compile(
    r"(1[0-9]{3}|20[0-9]{2})(?:\s?(-)\s?|(/))([0-9]{2})(?![0-9]|[-/.,:][0-9]|%)"
)
_DECADE: Final = re.compile(r"(1[0-9]|20)([0-9])0'?[sS]\b")
_SHORT_DECADE: Final = re.compile(r"([0-9])0'?[sS]\b")
#: "2021年3月4日", "2021년 3월 4일", "3月4日", "2021年3月" and "2021年", which is no length of time.
_EAST_ASIAN_MARK: Final = re.compile(r"[0-9]{1,4}\s?[年년月월]")
_EAST_ASIAN: Final = re.compile(
    r"(?:(?P<year>[0-9]{4})\s?[年년](?!間|间|간|来|來)\s?)?"
    r"(?:(?P<month>[0-9]{1,2})\s?[月월](?:\s?(?P<day>[0-9]{1,2})\s?[日号號일])?)?"
)
#: A year before or after Christ.
_ERA: Final = re.compile(
    r"(?P<year>[0-9]{1,4})\s?(?P<era>BCE|BC|B\.C\.(?:E\.)?|AD|CE|A\.D\.)(?![A-Za-z])"
)
#: What follows the ordinal of a century.
_CENTURY: Final = re.compile(
    r"(?:\s|-)(?:half of the )?(?:century|centuries)(?:\s(?P<era>BCE|BC|B\.C\.))?(?![A-Za-z])",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r"\s[a-z]|%|\s%")
_DAYS_OF_MONTH: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def coarser(value: tuple[Number | str, ...]) -> Iterator[tuple[Number | str, ...]]:
    """Yield a date and every less exact date that contains it: its month, year, decade, century."""
    yield value
    level, first, *rest = value
    level = str(level)
    if level == "day":
        yield ("month", first, rest[0])
        yield ("yearless", *rest)
    if level in ("quarter", "fiscal quarter", "half-year", "fiscal half-year"):
        yield ("fiscal" if level.startswith("fiscal") else "year", first)
        yield (f"yearless {level.removeprefix('fiscal ')}", *rest)
    if level in ("day", "month"):
        yield ("yearless month", rest[0])
        yield ("year", first)
    if level in ("day", "month", "year"):
        yield ("decade", int(first) // 10)
        yield century(int(first))
        if int(first) % 100 == 0:  # many people count 1900 as part of the 20th century
            yield century(int(first) + 1)
    if level == "decade":
        yield century(int(first) * 10 + 1)


def century(year: int) -> tuple[int | str, ...]:
    """Return the century of a year."""
    return ("century", (year - 1) // 100 + 1 if year > 0 else -((-year - 1) // 100 + 1))


def read_time_expression(text: str, start: int) -> TimeExpression | None:
    """Return the time expression that starts with the digit or the month's name at `start`."""
    if not text[start].isdigit():
        return _month_first(text, start)
    if _EAST_ASIAN_MARK.match(text, start) and (found := _east_asian(text, start)):
        return found
    # The next four characters decide which notations are possible.
    head = text[start : start + 4]
    if head.isdigit():
        return _year_first(text, start)
    return _day_first(text, start) or read_clock(text, start)


def _month_first(text: str, start: int) -> TimeExpression | None:
    match = _MONTH_FIRST.match(text, start)
    if match is None:
        return None
    month = month_number(match["month"])
    if match["year"]:
        months = (date("month", int(year), month) for year in _years(match["year"]))
        return TimeExpression(match.end(), tuple(months))
    days = _days(match["full"], month, match["day"])
    if not days or (not match["full"] and _is_counted(text, start, match)):
        return None  # "in May, 3 people left"
    first = days[0]
    last = match["last"] and _days(match["full"], month, match["last"])
    if last:
        return TimeExpression(match.end(), (_range(first, last[0]),), (first, last[0]))
    return TimeExpression(match.end("day" if match["last"] else 0), days)


def _is_counted(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the number behind a month counts what follows: "in March 15 people", "In May, 3"."""
    is_in = text[max(0, start - 3) : start].lower() == "in "
    is_apart = is_in or "," in text[match.end("month") : match.start("day")]
    return match["day"].isdigit() and is_apart and bool(_COUNTED.match(text, match.end()))


def _range(first: Reading, last: Reading) -> Reading:
    return Reading("range", ("date", str(first.value), str(last.value)))


def month_number(name: str) -> int:
    """Return the number of a month, from 1, by its name or abbreviation."""
    return _MONTHS[name[:3].lower()]


def _years(year: str) -> list[str]:
    """Return the years that a year may be; the century of two digits is not known."""
    digits = year.lstrip("'")
    return [digits] if len(digits) > len("21") else [f"20{digits}", f"19{digits}"]


def _days(year: str | None, month: int, day: str) -> tuple[Reading, ...]:
    """Return the readings of a day, with each year that it may be of."""
    years = [None] if year is None else _years(year)
    return tuple(filter(None, (day_of_month(one, month, day) for one in years)))


def day_of_month(year: str | None, month: int, day: str) -> Reading | None:
    """Return the reading of a day, with its year if that is known; `None` if there is none such."""
    number = int(re.sub(r"[^0-9]", "", day))
    if not (1 <= month <= 12 and 1 <= number <= _DAYS_OF_MONTH[month - 1]):
        return None
    return date("day", int(year), month, number) if year else date("yearless", month, number)


def _year_first(text: str, start: int) -> TimeExpression | None:
    if match := _YEAR_FIRST.match(text, start) or _BASIC.match(text, start):
        day = day_of_month(match["year"], int(match["month"]), match["day"])
        return TimeExpression(match.end(), (day,)) if day else None
    if match := _DECADE.match(text, start):
        return TimeExpression(match.end(), (date("decade", int(match[1] + match[2])),))
    if match := _YEAR_PAIR.match(text, start):
        # "2010-12" may be a range of years or a month, "2019/20" only a range.
        year, number = int(match[1]), int(match[4])
        month = date("month", year, number)
        may_be_month = 1 <= number <= 12 and match[2] is not None
        if number > year % 100:
            last = year - year % 100 + number
            bounds = (date("year", year), date("year", last))
            years = _range(*bounds)
            return TimeExpression(match.end(), (years, month) if may_be_month else (years,), bounds)
        if may_be_month:
            return TimeExpression(match.end(), (month,))
    return _era(text, start)


def _east_asian(text: str, start: int) -> TimeExpression | None:
    match = _EAST_ASIAN.match(text, start)
    if match is None or not match[0]:
        return None
    year, month, day, end = match["year"], int(match["month"] or 0), match["day"], match.end()
    if not month:
        end = start + len(match[0].rstrip())
        is_fiscal = text[end : end + 1] in ("度", "도")
        found = date("fiscal" if is_fiscal else "year", int(year))
        return TimeExpression(end + is_fiscal, (found,)) if 1000 <= int(year) < 2200 else None
    if day:
        exact = day_of_month(year, month, day)
    elif year:
        exact = date("month", int(year), month)
    else:
        exact = date("yearless month", month)
    return TimeExpression(end, (exact,)) if exact and 1 <= month <= 12 else None


def _day_first(text: str, start: int) -> TimeExpression | None:
    if match := _DAY_FIRST.match(text, start):
        year = match["year"] or match["short"]
        if days := _days(year, month_number(match["month"]), match["day"]):
            return TimeExpression(match.end(), days)
    if match := _NUMERIC.match(text, start):
        return _day_or_month_first(match)
    if match := _SHORT_DECADE.match(text, start):
        decade = int(match[1])
        # "the 80s" may be the 1980s or 1880s, "the 10s" the 1910s or 2010s.
        centuries = (19, 20) if decade < 3 else (19, 18)
        readings = tuple(date("decade", 10 * hundreds + decade) for hundreds in centuries)
        return TimeExpression(match.end(), readings)
    return _era(text, start)


def _day_or_month_first(match: re.Match[str]) -> TimeExpression | None:
    """Return 03/04/2021 with both its readings: day first, and month first."""
    first, second = int(match["one"]), int(match["two"])
    # With full stops the day is always first.
    orders = [(second, first)] if match["mark"][0] == "." else [(second, first), (first, second)]
    dates = (_days(match["year"], month, str(day)) for month, day in orders)
    readings = tuple(dict.fromkeys(reading for days in dates for reading in days))
    return TimeExpression(match.end(), readings) if readings else None


def _era(text: str, start: int) -> TimeExpression | None:
    match = _ERA.match(text, start)
    sign = "-" if match and match["era"].startswith("B") else ""
    return match and TimeExpression(match.end(), (date("year", int(sign + match["year"])),))


def read_century(text: str, end: int, number: int) -> TimeExpression | None:
    """Return the century whose ordinal ends at `end`."""
    match = _CENTURY.match(text, end)
    if match is None or number > 40:
        return None
    return TimeExpression(match.end(), (date("century", -number if match["era"] else number),))


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
    """Return start and reading of the date whose day is the ordinal from `start` to `end`."""
    if match := _OF_MONTH.match(text, end):
        before = [*text[max(floor, start - 12) : start].lower().split(), ""]
        if before[-2:][0] in all_words("before a part of a month") or before[-2:][0].endswith("'s"):
            return None
        return _dated(text, start, match.end(), match["month"], number, match["year"])
    match = _MONTH_BEFORE.search(text, max(floor, start - _LONGEST_BEFORE), start)
    if match is None or text[end : end + 1] == "-":
        return None
    word = (match["word"] or "").lower()
    year = _COMMA_YEAR.match(text, end)
    is_dated = word in all_words("before a date in words") or "-" in text[start:end]
    is_sure = match["the"] or year or is_dated or _CLAUSE_END.match(text, end)
    if word == "in" or not is_sure:
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
        is_year = isinstance(value, tuple) and value[0] == "year"
        return (str(value[1]), written.end) if is_year else None  # type: ignore[index] # a tuple
    phrase = read_phrase(text, start) if _THOUSAND.match(text, start) else None
    return (str(phrase.value), phrase.end) if phrase and not phrase.is_ordinal else None
