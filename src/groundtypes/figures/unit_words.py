"""The names of units in many languages, as data: 2个月, 3 kuukautta, and when 年 is none.

In scripts without spaces a short name of a unit is a part of other words and of dates as often:
三年级 is a class, 平成2年 a year. What must stand beside such a name, or must not, is data as well.
"""

import re
from functools import cache
from typing import Final

from groundtypes.figures.normalise import normalise
from groundtypes.words import named_words, words_of

#: The units of time.
TIMES: Final = frozenset("years months weeks days hours minutes seconds".split())
_SPACELESS_LANGUAGES: Final = ("ja", "ko", "zh")
_NUMERALS: Final = r"[0-9一二三四五六七八九十百元两兩]"
#: The first year of an era in two digits, and of a date: 98年, 07年.
_SHORT_YEAR: Final = re.compile(r"(?<![0-9.,])(?:0[0-9]|[5-9][0-9])\s?\Z")
_HOW_LONG: Final = re.compile(r"\s?(?:[内內以之后後間间的未]|이내|이상|이하|미만|동안|간)")
_MONTH_BEHIND: Final = re.compile(rf"\s?{_NUMERALS}{{1,2}}\s?[月월]")


@cache
def unit_words() -> dict[str, str]:
    """Return the unit of each name, as the table of units names it."""
    return {normalise(word)[0].lower(): name for name, _, word in named_words("unit")}


@cache
def spaceless_units() -> tuple[str, ...]:
    """Return the names in scripts without spaces between words, the longest first."""
    names = {word for _, language, word in named_words("unit") if language in _SPACELESS_LANGUAGES}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(r"\s?(" + "|".join(map(re.escape, spaceless_units())) + ")")


def unit_at(text: str, start: int) -> str | None:
    """Return the unit in a script without spaces that begins at an offset, if it is one there."""
    match = _pattern().match(text, start)
    if match is None or not is_unit_here(text, match.start(1), match[1]):
        return None
    return unit_words()[match[1]]


def is_unit_here(text: str, start: int, name: str) -> bool:
    """Whether the name of a unit at `start`, behind a number, is no part of another word."""
    if (guard := _guards().get(name)) is None:
        return True
    end = start + len(name)
    before = text[max(0, start - 12) : start]
    if name in ("年", "년") and (
        _MONTH_BEHIND.match(text, end)
        or (_SHORT_YEAR.search(before) and not _HOW_LONG.match(text, end))
    ):
        return False
    only, never, behind = guard
    return (
        (only is None or only.match(text, end) is not None)
        and (never is None or never.match(text, end) is None)
        and (behind is None or behind.search(before) is None)
    )


_Guard = tuple[re.Pattern[str] | None, re.Pattern[str] | None, re.Pattern[str] | None]


@cache
def _guards() -> dict[str, _Guard]:
    """Return what must follow each short name, what must not, and what must not stand before."""
    names: dict[str, set[tuple[str, str]]] = {}
    for name, language, word in named_words("unit"):
        if language in _SPACELESS_LANGUAGES and len(word) == 1:
            names.setdefault(word, set()).add((language, name))
    guards: dict[str, _Guard] = {}
    for word, uses in names.items():
        only, never, behind = (
            [
                entry
                for language, name in sorted(uses)
                for entry in words_of(f"{kind} {name}").get(language, ())
            ]
            for kind in ("only before", "not before", "not behind")
        )
        guards[word] = (
            _any_of(only, r"\s?(?:{})"),
            _any_of(never, r"(?:{})"),
            _any_of(behind, rf"(?:{{}})\s?{_NUMERALS}{{{{1,4}}}}\s?\Z"),
        )
    return guards


def _any_of(entries: list[str], frame: str) -> re.Pattern[str] | None:
    if not entries:
        return None
    return re.compile(frame.format("|".join(map(re.escape, entries))))
