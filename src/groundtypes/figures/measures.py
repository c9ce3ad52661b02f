"""What a number measures, by the words around it: scales, units, currencies, nouns."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from groundtypes.figures.number_words import SCALES
from groundtypes.figures.units import CURRENCIES, SIGNS, UNITS, Unit

__all__ = ["ScaleMatch", "UnitMatch", "money_before", "noun_after", "read_scale", "read_unit"]

_SCALE_WORD: Final = re.compile(
    r"[\s-]{0,2}(hundred|thousand|lakh|million|crore|billion|trillion|dozen)\b", re.IGNORECASE
)
_SCALE_LETTER: Final = re.compile(r"(k|K|m|M|mm|MM|mn|mln|bn|b|B|tn|T)(?![A-Za-z0-9/²³])")
_SPACED_LETTERS: Final = re.compile(r"\s(mn|mln|bn|tn)(?![A-Za-z0-9])")
_LETTER_FACTORS: Final = {
    "k": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9,
    "t": 10**12, "tn": 10**12,
}  # fmt: skip
_UNIT_WORD: Final = re.compile(
    r"[\s-]{0,2}([A-Za-zµΩ°%‰€$£¥₹¢]{1,16}\.?[²³]?(?:/[A-Za-z]{1,4}[²³2]?)?[23]?)(?![A-Za-z0-9])"
)
#: After these, "in" is the unit: "5 in.", "5 in by 7 in".
_AFTER_INCHES: Final = re.compile(
    r"\s?[);,×x]|\s?\.(?:\s|\Z)|\Z|\sby\b|\s(?:tall|long|wide|high|deep)\b"
)
_CURRENCY_BEFORE: Final = re.compile(
    "(?<![A-Za-z])(" + "|".join(map(re.escape, SIGNS)) + r")\s?[-+]?\Z"
)
_LAST_OF_SIGN: Final = frozenset(sign[-1] for sign in SIGNS)
_NOUN: Final = re.compile(r"\s{1,3}([a-z]{3,20})(?![a-z-])")
#: Plural nouns without an s, and words that count people or shares.
_PLURALS: Final = frozenset(
    "persons feet teeth mice fish sheep species series aircraft "
    "dead injured staff police percent".split()
)
#: Words that end with an s and are not the plural of a noun.
_NO_NOUNS: Final = frozenset(
    "was has his its this thus yes plus minus times always across versus less perhaps us as is "
    "does makes comes goes gives says shows means becomes remains contains includes hours' years' "
    "represents equals gets puts takes sees lies stands besides afterwards towards".split()
)
#: Units that are also other words or letters, so that they count only directly after the number.
_ATTACHED_UNITS: Final = frozenset("A B C F N P T G M c p t in at mark".split())


class ScaleMatch(NamedTuple):
    """A factor such as "million" that ends at `end`.

    `units` are what its letter may mean instead: the m of "1.2m" may be million or metre.
    """

    end: int
    factor: int
    units: tuple[Unit, ...] = ()


class UnitMatch(NamedTuple):
    """A unit that ends at `end`, with everything that it may mean."""

    end: int
    units: tuple[Unit, ...]


def read_scale(text: str, end: int, *, money: bool) -> ScaleMatch | None:
    """Return the scale after a number that ends at `end`."""
    following = text[end : end + 1]
    if not following or following in ".,;)":
        return None
    if match := _SCALE_WORD.match(text, end):
        factor = {"hundred": 100, "dozen": 12} | SCALES
        return ScaleMatch(match.end(), factor[match[1].lower()])
    match = _SCALE_LETTER.match(text, end) or _SPACED_LETTERS.match(text, end)
    if match is None:
        return None
    letters = match[1]
    units = () if money else UNITS.get(letters, ())
    return ScaleMatch(match.end(), _LETTER_FACTORS[letters.lower()], units)


def read_unit(text: str, end: int) -> UnitMatch | None:
    """Return the longest known unit directly after a number that ends at `end`."""
    words = list(_next_words(text, end))
    for count in range(len(words), 0, -1):
        name = " ".join(text[start:stop] for start, stop in words[:count])
        units = UNITS.get(name) or (UNITS.get(name.lower()) if len(name) > 3 else None)
        if units is None:
            continue
        start, stop = words[count - 1]
        if (
            count == 1
            and name in _ATTACHED_UNITS
            and not _is_unit_here(text, name, start, stop, end)
        ):
            continue
        return UnitMatch(stop, units)
    return None


def _next_words(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the next words that may be part of a unit, at most three."""
    for _ in range(3):
        match = _UNIT_WORD.match(text, end)
        if match is None:
            return
        start, end = match.span(1)
        if text[end - 1] == "." and text[start:end] not in UNITS:
            end -= 1
            yield start, end
            return
        yield start, end


def _is_unit_here(text: str, name: str, start: int, stop: int, end: int) -> bool:
    """Whether a word from `start` to `stop` is the unit of a number that ends at `end`."""
    if name == "in":
        return start == end or _AFTER_INCHES.match(text, stop) is not None
    return start == end


def money_before(text: str, floor: int, start: int) -> tuple[int, tuple[Unit, ...]] | None:
    """Return where the currency before a number starts, and what it may mean."""
    at = start - 1
    while at > floor and text[at] in " +-" and at > start - 3:
        at -= 1
    if at < floor or text[at] not in _LAST_OF_SIGN:
        return None
    tail = text[max(floor, start - 8) : start]
    match = _CURRENCY_BEFORE.search(tail)
    if match is None:
        return None
    units = tuple(Unit(f"money:{name}", match[1]) for name in CURRENCIES[match[1]])
    return start - len(tail) + match.start(), units


def noun_after(text: str, end: int) -> str | None:
    """Return the singular of the counted noun, where a plural directly follows the number."""
    match = _NOUN.match(text, end)
    if match is None:
        return None
    word = match[1]
    if word in _PLURALS or word.endswith(("men", "children", "people")):
        return word
    if word.endswith("s") and not word.endswith(("ss", "ous", "us")) and word not in _NO_NOUNS:
        return word[:-1]
    return None
