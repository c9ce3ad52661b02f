"""The words of all languages that bound a figure: "at least" before it, "or more" behind it.

An entry of the data that begins with "?" is an ordinary word of other languages, too, and counts
only in a text of its own; one that begins with "-" is joined to the word before it.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Comparison
from groundtypes.figures.normalise import normalise
from groundtypes.text.language_detection import most_probable_language
from groundtypes.words import languages, words_of

_KINDS: Final[dict[str, Comparison | None]] = {
    "at least": Comparison.AT_LEAST,
    "at most": Comparison.AT_MOST,
    "more": Comparison.MORE,
    "less": Comparison.LESS,
    "about": None,
}
#: Before a year, these say when something begins and ends.
_TIMES: Final = {"since": Comparison.AT_LEAST, "until": Comparison.AT_MOST}
#: Scripts without spaces between words, or with endings that are joined to any word.
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: The first letter of Thai; such scripts follow.
_LATE_SCRIPTS: Final = "\u0e00"
#: Between a bound and a number in such a script: 最多为18, 最大で18.
_PARTICLES: Final = "为為是有可达達得はでもに "
_MOST_WORDS: Final = 5
#: No bound with the spaces around its words is longer.
_LONGEST: Final = 36
#: So much around a figure tells the language.
_AROUND: Final = 200
#: So many words, with the negation, may stand before a bound that a modal verb negates.
_MODAL_REACH: Final = 4
#: Between a number and the bound behind it: the rest of its word, and one or two words more.
_GAP: Final = r"[^\s\d.,;:!?()\[\]]{0,16}(?:\s[^\s\d.,;:!?()\[\]]{1,16}){0,2}?"
_SENTENCE: Final = re.compile(r"[;:!?()\[\]\d\n]|[.,](?!\w)")


class BoundWord(NamedTuple):
    """A bound: where it starts before a figure or ends behind it; no comparison means "about"."""

    at: int
    comparison: Comparison | None
    phrase: str


class _Meaning(NamedTuple):
    comparison: Comparison | None
    is_time: bool
    #: The languages in which alone it has the meaning; none if it has no other.
    only: frozenset[str]


def bound_before(text: str, floor: int, start: int, *, may_be_year: bool) -> BoundWord | None:
    """Return the longest bound that ends where a figure starts; nothing before `floor` is read."""
    tail = text[max(floor, start - _LONGEST) : start].lower()
    words = tail.split()
    spaced, spaceless = _before()
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        phrase = " ".join(words[-count:])
        meaning = spaced.get(phrase)
        if meaning and _holds(meaning, text, start, may_be_year=may_be_year):
            return BoundWord(start - _length_of_last(tail, count), meaning.comparison, phrase)
    if not _SPACELESS.search(tail[-6:]):
        return None
    for strip in ("", _PARTICLES):
        rest = tail.rstrip().rstrip(strip) if strip else tail.rstrip()
        if len(tail) - len(rest) > 3:
            continue
        for length in range(min(len(rest), _longest(spaceless)), 0, -1):
            if meaning := spaceless.get(rest[-length:]):
                at = start - (len(tail) - len(rest)) - length
                return BoundWord(at, meaning.comparison, rest[-length:])
    return None


def bound_behind(text: str, end: int) -> BoundWord | None:
    """Return the bound behind a figure and at most two words: "18 Teilnehmer oder mehr"."""
    window = text[end : end + 2 * _LONGEST].lower()
    if cut := _SENTENCE.search(window):
        window = window[: cut.start()]
    if (
        _words_behind().isdisjoint(window.split(None, 4)[:4])
        and window.lstrip()[:1] < _LATE_SCRIPTS
    ):
        return None  # as behind most figures
    match = _behind_pattern().match(window)
    if match is None:
        return None
    phrase = match["joined"] or match["spaced"] or match["spaceless"]
    return BoundWord(end + match.end(), _behind()[phrase], phrase)


def is_fall(text: str, floor: int, start: int, end: int) -> bool:
    """Whether words around a figure say that something falls by it, or is lost."""
    tail = text[max(floor, start - _LONGEST) : start].lower()
    words, falls = tail.split(), _words_of("fall")
    if any(" ".join(words[-count:]) in falls for count in range(1, _MOST_WORDS)):
        return True
    is_spaceless = _SPACELESS.match(tail[-1:]) is not None
    return (is_spaceless and tail.endswith(tuple(falls))) or bool(_fall_behind().match(text, end))


@cache
def _fall_behind() -> re.Pattern[str]:
    return re.compile(rf"\s?(?:{_alternatives(set(_words_of('fall behind')))})(?![a-z])")


def end_of_bound(text: str, start: int, end: int) -> int | None:
    """Return where a bound ends whose first word is from `start` to `end`; `None` if none does."""
    words = text[start : start + _LONGEST].lower().split()
    phrases = _before()[0]
    for count in range(min(_MOST_WORDS, len(words)), 1, -1):
        if (phrase := " ".join(words[:count])) in phrases and text.startswith(
            phrase[end - start :], end
        ):
            return start + len(phrase)
    return None


def is_negated(text: str, floor: int, start: int) -> bool:
    """Whether a negation of another language than English stands before an offset.

    It is the word before, or it belongs to a modal verb: "nie może Was kosztować więcej niż".
    """
    before = re.split(r"[,.;:!?]\s", text[max(floor, start - _LONGEST) : start].lower())[-1].split()
    negations, modals = _words_of("not"), _words_of("modal")
    if before and before[-1] in negations:
        return True
    return any(
        word in negations and (before[at + 1] in modals or (at and before[at - 1] in modals))
        for at, word in enumerate(before[:-1])
        if len(before) - at <= _MODAL_REACH
    )


def _holds(meaning: _Meaning, text: str, start: int, *, may_be_year: bool) -> bool:
    if meaning.is_time and may_be_year:
        return False
    if not meaning.only:
        return True
    around = text[max(0, start - _AROUND) : start + _AROUND]
    return _language(around) in meaning.only


@lru_cache(maxsize=256)
def _language(text: str) -> str | None:
    return most_probable_language(text, languages("at least"))


def _length_of_last(tail: str, count: int) -> int:
    """Return how many characters the last words of a text take, with the spaces behind them."""
    return len(tail) - [match.start() for match in re.finditer(r"\S+", tail)][-count]


def _entries(kind: str) -> Iterator[tuple[str, str]]:
    """Yield language and phrase, as they are in a normalised text."""
    for language, phrases in words_of(kind).items():
        for phrase in phrases:
            yield language, normalise(phrase)[0].lower()


@cache
def _before() -> tuple[dict[str, _Meaning], dict[str, _Meaning]]:
    """Return the phrases with spaces between words, and those without."""
    spaced: dict[str, _Meaning] = {}
    spaceless: dict[str, _Meaning] = {}
    for kind, comparison in (_KINDS | _TIMES).items():
        for language, entry in _entries(kind):
            phrase = entry.removeprefix("?")
            only = frozenset((language,)) if entry != phrase else frozenset()
            table = spaceless if _SPACELESS.search(phrase) else spaced
            if (known := table.get(phrase)) and known.only and only:
                only |= known.only
            table[phrase] = _Meaning(comparison, kind in _TIMES, only)
    return spaced, spaceless


def _longest(table: dict[str, _Meaning]) -> int:
    return max(map(len, table))


@cache
def _behind() -> dict[str, Comparison | None]:
    return {
        entry.removeprefix("-"): comparison
        for kind, comparison in _KINDS.items()
        for _, entry in _entries(f"{kind} behind")
    }


@cache
def _words_behind() -> frozenset[str]:
    """Return all words of the bounds behind a figure."""
    return frozenset(word for phrase in _behind() for word in phrase.split())


@cache
def _behind_pattern() -> re.Pattern[str]:
    """Return the pattern of the bounds behind a figure, with what stands between."""
    joined: set[str] = set()
    spaced: set[str] = set()
    spaceless: set[str] = set()
    for kind in _KINDS:
        for _, entry in _entries(f"{kind} behind"):
            if entry.startswith("-"):
                joined.add(entry[1:])
            else:
                (spaceless if _SPACELESS.search(entry) else spaced).add(entry)
    than = "|".join(re.escape(word) for _, word in _entries("than"))
    return re.compile(
        rf"{_GAP}(?:(?P<joined>{_alternatives(joined)})(?!\w)"
        rf"|\s{{1,3}}(?P<spaced>{_alternatives(spaced)})(?!\w|\s(?:{than})\s))"
        rf"|\s?[^\W\d_]{{0,4}}?\s?(?P<spaceless>{_alternatives(spaceless)})"
    )


def _alternatives(phrases: set[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=lambda item: (-len(item), item))))


@cache
def _words_of(kind: str) -> frozenset[str]:
    return frozenset(word for _, word in _entries(kind))
