"""Dates with the name of a month in another language than English: "3 octobre 2021".

The names, and the words between the fields of a date, are data. A name that several languages have
for different months ("listopad") has all of them as readings. "Mars", "out" and the like, which
are other words as often, name a month only beside a year or a full stop.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from groundtypes.figures.clocks import TimeExpression
from groundtypes.figures.dates import YEAR, day_of_month
from groundtypes.figures.figure import date
from groundtypes.figures.normalise import normalise
from groundtypes.text.language_detection import most_probable_language
from groundtypes.words import all_words, named_words, words_of

_WORD: Final = r"[^\s\d,;:!?()\[\]<>|/=+*%\"]{2,24}"
#: Shorter names with another letter case than their language has are no months without a year.
_SURE: Final = 5
_SHORT_TAIL: Final = 40
#: So much around a name tells the language.
_AROUND: Final = 200
#: The cases and days behind the name of a month: "október 3-án", "spalio 3 d.".
_AFTER_DAY: Final = re.compile(r"\.(?!\d)|-?[^\W\d_]{1,3}\b|\s(?:d\.|dien)|\s?(?:[,;()]|\Z)")
#: Years of the Thai calendar are ahead by so many.
_THAI_YEARS: Final = 543
_FIRST_THAI_YEAR: Final = 2400


_DIGITS: Final = re.compile(r"[0-9]{1,4}(?![0-9])")
_YEAR: Final = re.compile(YEAR)
_SECOND_WORD: Final = re.compile(r"\s(?:[0-9]{1,2}(?![0-9])|[^\W\d_]+)")


class _Month(NamedTuple):
    """A name of a month in a text; `is_sure` beside a year, `is_in_dates` beside a day as well."""

    numbers: Sequence[int]
    end: int
    is_sure: bool
    is_in_dates: bool
    is_first: bool


#: Names in dates; those without a day, as in "октябрь 2021"; and abbreviations.
_IN_DATES, _LONE, _SHORT = _KINDS = ("month", "lone month", "short month")


class _Name(NamedTuple):
    months: dict[str, int]
    kind: str
    forms: set[str]


@cache
def _names() -> dict[str, _Name]:
    found: dict[str, _Name] = {}
    for kind in _KINDS:
        for number, language, word in named_words(kind):
            written = normalise(word)[0].rstrip(".")
            name = found.setdefault(written.lower(), _Name({}, kind, set()))
            if language != "en" and (kind == _IN_DATES or name.kind != _IN_DATES):
                name.months.setdefault(language, int(number))
                name.forms.add(written)
    return {name: entry for name, entry in found.items() if entry.months}


@cache
def _month_first() -> frozenset[str]:
    languages = words_of("date order").keys() - {"en"}
    names = _names().items()
    return frozenset(name for name, entry in names if languages & entry.months.keys())


@cache
def _several_words() -> frozenset[str]:
    return frozenset(name.partition(" ")[0] for name in _names() if " " in name)


def _gaps(*kinds: str) -> str:
    words = {normalise(word)[0] for kind in kinds for word in all_words(kind)}
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) or "(?!)"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    endings = "|".join(map(re.escape, all_words("ordinal ending")))
    day_gap = _gaps("between day and month")
    to_year = _gaps("between month and year")
    year_gap = _gaps("between year and month", "between year and day")
    return {
        "day": re.compile(
            rf"(?P<day>[0-3]?[0-9])(?:(?P<stop>\.)|{endings})?(?:\s{{1,3}}(?:{day_gap})\s{{1,3}}|\s{{1,3}}|-)"
            rf"(?={_WORD})"
        ),
        "year": re.compile(
            rf"\.?,?\s{{1,3}}(?:(?:{to_year})\s{{1,3}})?(?P<year>{YEAR}|2[45][0-9]{{2}}(?![0-9]))"
        ),
        "year first": re.compile(
            rf"(?P<year>{YEAR})(?:\.?\s{{1,3}}|\s?)(?:(?P<gap>{year_gap})\.?\s{{1,3}})?(?={_WORD}|[0-3]?[0-9]\.)"
        ),
        "two days": re.compile(
            rf"(?P<day>[0-3]?[0-9])\.?\s{{1,3}}(?:{_gaps('between two days')})\s{{1,3}}"
            r"(?=[0-3]?[0-9][.\s])"
        ),
        "day behind": re.compile(r"(?:ren|en)?\s{1,3}(?P<day>[0-3]?[0-9])(?![0-9]|[.,][0-9]|\s?%)"),
        "token": re.compile(_WORD),
        "to year": re.compile(rf"\.?,?\s{{1,3}}(?:(?:{to_year})\s{{1,3}})?\Z"),
        "marks a date": re.compile(rf"(?:{_gaps('before a date')})\s\Z", re.IGNORECASE),
    }


def _month_at(text: str, start: int) -> _Month | None:
    match = _patterns()["token"].match(text, start)
    if match is None:
        return None
    token = match[0]
    if token.lower() in _several_words() and (more := _SECOND_WORD.match(text, match.end())):
        token = text[start : more.end()]
    written = next((cut for cut in _cut(token) if cut.lower() in _names()), None)
    if written is None:
        return None
    name = _names()[written.lower()]
    end = start + token.index(written) + len(written)
    has_stop = text[end : end + 1] == "." and name.kind == _SHORT
    is_canonical = written in name.forms or len(written) >= _SURE
    is_sure = has_stop or (is_canonical and name.kind != _SHORT and not written[-1].isdigit())
    numbers = sorted(set(name.months.values()))
    if len(numbers) > 1:
        around = text[max(0, start - _AROUND) : start + _AROUND]
        language = most_probable_language(around, tuple(name.months))
        numbers = numbers if language is None else [name.months[language]]
    is_first = written.lower() in _month_first()
    return _Month(numbers, end + has_stop, is_sure, is_sure and name.kind != _LONE, is_first)


def _cut(token: str) -> Iterator[str]:
    plain = token.rstrip(".'")
    yield plain
    for mark in "'-":
        if mark in plain[1:]:
            yield plain.partition(mark)[0]
            yield plain.rpartition(mark)[2]
    if plain[:1] in ("ב", "ל", "מ"):
        yield plain[1:]


def is_date_in_words(text: str, start: int) -> bool:
    """Whether a date with the name of a month begins at a digit: "3. Oktober" is no list item."""
    return text[start].isdigit() and read_date_in_words(text, start) is not None


def read_date_in_words(text: str, start: int) -> TimeExpression | None:
    """Return the date that begins with the day or the year at `start`."""
    patterns = _patterns()
    if match := patterns["year first"].match(text, start):
        return _year_first(text, match)
    match = patterns["day"].match(text, start)
    if match is None or (month := _month_at(text, match.end())) is None:
        return _first_of_two(text, start)
    year = patterns["year"].match(text, month.end)
    marked = match["stop"] or patterns["marks a date"].search(text[max(0, start - 8) : start])
    if year is None and not (month.is_in_dates or marked):
        return None
    end = year.end() if year else month.end
    return _dates(end, year["year"] if year else None, month.numbers, match["day"])


def _first_of_two(text: str, start: int) -> TimeExpression | None:
    """Return the first day of "3. bis 5. Oktober", whose month stands behind the second one."""
    two = _patterns()["two days"].match(text, start)
    last = two and _patterns()["day"].match(text, two.end())
    if not (two and last) or _month_at(text, last.end()) is None:
        return None
    date_of_last = read_date_in_words(text, two.end())
    value = date_of_last.readings[0].value if date_of_last else None
    if not isinstance(value, tuple):
        return None
    year = str(value[1]) if value[0] == "day" else None
    return _dates(two.end("day"), year, [int(value[-2])], two["day"])


def _year_first(text: str, match: re.Match[str]) -> TimeExpression | None:
    """Return "2021. október 3.", "2021 m. spalis" or "2021. gada 3. oktobris"."""
    patterns = _patterns()
    day = patterns["day"].match(text, match.end())
    if day is not None and day["stop"]:
        month = _month_at(text, day.end())
        return month and _dates(month.end, match["year"], month.numbers, day["day"])
    month = _month_at(text, match.end())
    if month is None or not ((month.is_first or match["gap"]) and month.is_sure):
        return None
    if behind := patterns["day behind"].match(text, month.end):
        return _dates(behind.end(), match["year"], month.numbers, behind["day"])
    return _months(month.end, match["year"], month.numbers)


def read_month_before(text: str, start: int, floor: int) -> tuple[int, TimeExpression] | None:
    """Return start and reading of a date whose month stands before the number at `start`.

    The number is the year ("octobre 2021") or, in some languages, the day ("október 3-án").
    """
    lowest = max(floor, start - _SHORT_TAIL)
    tail = text[lowest:start]
    digits = _DIGITS.match(text, start)
    if digits is None or not tail[-1:].isspace() or not _may_end_with_month(tail):
        return None
    gap = _patterns()["to year"].search(tail)
    words = tail[: gap.start()].split() if gap else []
    if gap is None or not words:
        return None
    begin = lowest + tail.rindex(words[-1], 0, gap.start())
    month = _month_at(text, begin)
    if month is None or month.end not in (lowest + gap.start(), begin + len(words[-1])):
        return _numbered_month(text, start, begin)
    found: TimeExpression | None = None
    if not month.is_sure:
        return None
    if len(digits[0]) == 4 and _YEAR.match(text, start):
        found = _months(digits.end(), digits[0], month.numbers)
    elif len(digits[0]) < 4 and month.is_first and _AFTER_DAY.match(text, digits.end()):
        found = _dates(digits.end(), None, month.numbers, digits[0])
    return None if found is None else (begin, found)


def _may_end_with_month(tail: str) -> bool:
    """Whether one of the last two words is the name of a month; most numbers follow others."""
    names, several = _names(), _several_words()
    return any(
        written.lower() in names or written.lower() in several
        for word in tail.split()[-2:]
        for written in _cut(word.rstrip(",.)"))
    )


def _numbered_month(text: str, start: int, begin: int) -> tuple[int, TimeExpression] | None:
    """Return "tháng 10 năm 2021", whose month is a word and a number."""
    is_word = text[begin:start].strip().lower() in _several_words()
    month = _month_at(text, begin) if is_word else None
    year = month and _patterns()["year"].match(text, month.end)
    return (begin, _months(year.end(), year["year"], month.numbers)) if month and year else None


def _dates(end: int, year: str | None, months: Sequence[int], day: str) -> TimeExpression | None:
    found = [day_of_month(_common_year(year), month, day) for month in months]
    readings = tuple(reading for reading in found if reading)
    return TimeExpression(end, readings) if readings else None


def _months(end: int, year: str, months: Sequence[int]) -> TimeExpression:
    common = int(_common_year(year) or 0)
    return TimeExpression(end, tuple(date("month", common, month) for month in months))


def _common_year(year: str | None) -> str | None:
    if year is None or int(year) < _FIRST_THAI_YEAR:
        return year
    return str(int(year) - _THAI_YEARS)
