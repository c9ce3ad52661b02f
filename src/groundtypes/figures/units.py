"""The names of units in many languages, and what they may mean.

The table of units, which Pint made, is read when the first unit is looked up. Symbols are compared
with their case, since mW and MW are different units; words are not. In scripts without spaces a
short name of a unit is a part of other words and of dates as often: 三年级 is a class, 平成2年 a
year. What must stand beside such a name, or must not, is data.
"""

import re
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import simplify
from groundtypes.figures.measure import Measure, money_words, power
from groundtypes.figures.normalise import normalise
from groundtypes.text.units import unit_table
from groundtypes.words import all_words, named_words, words_of

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
    if len(name) > 1:
        return True
    end = start + len(name)
    before = text[max(0, start - 12) : start]
    if name in ("年", "년") and (
        _MONTH_BEHIND.match(text, end)
        or (_SHORT_YEAR.search(before) and not _HOW_LONG.match(text, end))
    ):
        return False
    only = _guard("only before", name, r"\s?(?:{})")
    never = _guard("not before", name, r"(?:{})")
    behind = _guard("not behind", name, rf"(?:{{}})\s?{_NUMERALS}{{{{1,4}}}}\s?\Z")
    return (
        (only is None or only.match(text, end) is not None)
        and (never is None or never.match(text, end) is None)
        and (behind is None or behind.search(before) is None)
    )


@cache
def _guard(kind: str, word: str, frame: str) -> re.Pattern[str] | None:
    """Return what must or must not stand beside a unit of one sign; `None` if that is open."""
    entries = [
        entry
        for name, language, unit in named_words("unit")
        if unit == word and language in _SPACELESS_LANGUAGES
        for entry in words_of(f"{kind} {name}").get(language, ())
    ]
    return re.compile(frame.format("|".join(map(re.escape, entries)))) if entries else None


#: In front of the name of a length, without a space: "Quadratmeter", "sqm".
_ATTACHED_POWERS: Final = (("quadrat", 2), ("kubik", 3), ("sq", 2))
#: Shorter words are compared with their case.
_SHORTEST_WORD: Final = 4


class _Table(NamedTuple):
    symbols: dict[str, list[Measure]]
    words: dict[str, list[Measure]]
    #: Units that take prefixes, each with the factors of these.
    prefixed_symbols: dict[str, list[tuple[Measure, dict[str, Fraction]]]]
    prefixed_words: dict[str, list[tuple[Measure, dict[str, Fraction]]]]
    counted: dict[str, str]
    first_words: frozenset[str]


def meanings(name: str) -> tuple[Measure, ...]:
    """Return what the name or symbol of a unit may mean; nothing if it is not known."""
    found, lower = _meanings(name), name.lower()
    if found or len(name) < _SHORTEST_WORD:
        return found
    is_person = lower in all_words("unit with the name of a person") and not name.isupper()
    return found if is_person else _meanings(lower)


@lru_cache(maxsize=8192)
def _meanings(name: str) -> tuple[Measure, ...]:
    table = _table()
    found = [
        *table.symbols.get(name, ()), *table.words.get(name, ()), *money_words().get(name, ()),
        *_with_prefix(name, table.prefixed_symbols, longest=2),
        *(_with_prefix(name, table.prefixed_words, longest=6) if len(name) > 5 else ()),
    ]  # fmt: skip
    for words, exponent in _ATTACHED_POWERS:
        if not found and name.startswith(words):
            lengths = meanings(name.removeprefix(words).lstrip("- "))
            found = [power(item, exponent) for item in lengths if _is_length(item)]
    if not found and (unit := unit_words().get(name)):
        exponent = {"²": 2, "³": 3}.get(unit[-1], 1)
        return tuple(power(measure, exponent) for measure in meanings(unit.rstrip("²³")))
    return tuple(dict.fromkeys(found))


def _is_length(measure: Measure) -> bool:
    return measure.dimension == (("length", 1),)


def _with_prefix(
    name: str, units: dict[str, list[tuple[Measure, dict[str, Fraction]]]], longest: int
) -> list[Measure]:
    found = []
    for length in range(1, min(longest, len(name) - 1) + 1):
        for unit, factors in units.get(name[length:], ()):
            if factor := factors.get(name[:length]):
                scaled = simplify(Fraction(unit.factor) * factor)
                found.append(Measure(unit.dimension, name[:length] + unit.symbol, scaled))
    return found


def begins_longer_name(word: str) -> bool:
    """Whether a name of several words may begin with the word."""
    return word in _table().first_words


def counted(word: str) -> str | None:
    """Return the unit that is counted only in quotients: the beat of "120 beats per minute"."""
    return _table().counted.get(word)


@cache
def _table() -> _Table:
    data = unit_table()
    symbols = {name: Fraction(factor) for name, factor in data["prefix_symbols"].items()}
    words = {name: Fraction(factor) for name, factor in data["prefix_words"].items()}
    table = _Table({}, {}, {}, {}, {}, frozenset())
    for row in data["units"]:
        measure = Measure(
            tuple(sorted(row["dimensions"].items())),
            row["symbol"],
            simplify(Fraction(row["factor"])),
            simplify(Fraction(row.get("offset", 0))),
        )
        allowed = row.get("prefixes", ())
        if allowed == ["1024"]:
            of_symbols = {letter: Fraction(1024**count) for letter, count in _POWERS_OF_1024}
            of_words = {word: Fraction(1024**count) for word, count in _WORDS_OF_1024}
        else:
            of_symbols = {name: symbols[name] for name in allowed}
            of_words = words
            of_symbols |= {name: words_ for name, words_ in symbols.items() if name[0] > "\u0400"}
        for names, direct, prefixed, factors in (
            (row["symbols"], table.symbols, table.prefixed_symbols, of_symbols),
            (row["words"], table.words, table.prefixed_words, of_words),
        ):
            for name in names:
                direct.setdefault(name.replace("-", " "), []).append(measure)
                if allowed:
                    prefixed.setdefault(name.replace("-", " "), []).append((measure, factors))
        if allowed:  # Cyrillic symbols stand among the words, which have no upper case
            for name in row["words"]:
                if len(name) <= 2:
                    table.prefixed_symbols.setdefault(name, []).append((measure, of_symbols))
    table.counted.update(data["counted"])
    names = (*table.symbols, *table.words, *money_words())
    first_words = {name.partition(" ")[0] for name in names if " " in name}
    first_words |= {word.lower() for word in first_words}
    first_words |= {
        prefix + name.partition(" ")[0]
        for name in table.prefixed_words
        if " " in name
        for prefix in words
    }
    return table._replace(first_words=frozenset(first_words))


#: A kilobyte is 1,000 bytes or 1,024: writers use both.
_POWERS_OF_1024: Final = (("k", 1), ("K", 1), ("M", 2), ("G", 3), ("T", 4), ("P", 5))
_WORDS_OF_1024: Final = (("kilo", 1), ("mega", 2), ("giga", 3), ("tera", 4), ("peta", 5))
