"""Words around a figure that bound it, make it approximate, or say that something falls by it.

The words of all languages are data. An entry that begins with "?" is an ordinary word of other
languages, too, and counts only in a text of its own; one that begins with "-" is joined to the word
before it.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from groundtypes.figures.figure import Comparison
from groundtypes.figures.normalise import normalise
from groundtypes.text.language_detection import most_probable_language
from groundtypes.words import languages, words_of


class Modifier(NamedTuple):
    """The meaning of a modifier; `at` is where it starts before a figure, or ends after one."""

    at: int
    comparison: Comparison = Comparison.EXACTLY
    approximate: bool = False
    phrase: str = ""


_KINDS: Final = {
    "at least": Comparison.AT_LEAST,
    "at most": Comparison.AT_MOST,
    "more": Comparison.MORE,
    "less": Comparison.LESS,
    "about": Comparison.EXACTLY,
}
#: Before a year, these say when something begins and ends.
_TIMES: Final = {"since": Comparison.AT_LEAST, "until": Comparison.AT_MOST}
_OPPOSITES: Final = {Comparison.MORE: Comparison.AT_MOST, Comparison.LESS: Comparison.AT_LEAST}
_WITH_EQUAL: Final = {Comparison.MORE: Comparison.AT_LEAST, Comparison.LESS: Comparison.AT_MOST}
_SIGNS: Final = {">": ">", "<": "<", "≥": ">=", "≤": "<=", "=>": ">=", "=<": "<="}
_SIGN: Final = re.compile(r"([<>]=?|=[<>]|[≤≥~≈≃])\s?$")
#: The `>` of "<td>120" is no sign.
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,200}\Z")
_LONGEST_TAG: Final = 204
#: Scripts without spaces between words, or with endings that are joined to any word.
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: Between a bound and a number in such a script: 最多为18, 最大で18.
_PARTICLES: Final = "为為是有可达達得はでもに "
_MOST_WORDS: Final = 5
#: No bound with the spaces around its words is longer; so much around a figure tells the language.
_LONGEST: Final = 36
_AROUND: Final = 200
#: So many words, with the negation, may stand before a bound that a modal verb negates.
_MODAL_REACH: Final = 4
#: Between a number and the bound behind it: the rest of its word, and one or two words more.
_GAP: Final = r"[^\s\d.,;:!?()\[\]]{0,16}(?:\s[^\s\d.,;:!?()\[\]]{1,16}){0,2}?"
_SENTENCE: Final = re.compile(r"[;:!?()\[\]\d\n]|[.,](?!\w)")
#: What turns a comparison: "no longer than", "must not exceed", "never fell below". No noun stands
#: between: "no children under 5" says the same as "children under 5 are not admitted".
_NOT: Final = re.compile(
    r"(?:\b(?:no|not|never|cannot|without)|\b[a-z]{2,7}n't)\s{1,4}(?:(?:be|been|being|have|has|had|is|was|"
    r"get|gets|got|weigh|cost|last|ris(?:e|es)|rose|falls?|fell|drops?|dropped|dips?|dipped|go|goes|"
    r"went|climbs?|climbed|sinks?|sank|exceed|significantly|ever)\s{1,4}){0,3}\Z"
    # A prohibition turns all of them: "do not store above", "must not be kept for more than".
    # Without one, "has not eaten for more than two days" says "more than".
    r"|\b(?:(?:do|must|should|may|shall|can)\snot|don't|mustn't|shouldn't|can't|cannot|never)\s{1,4}(?:be\s)?"
    r"(?!(?:admit|allow|accept|serve|sell|let|only|just|always)\s)[a-z]{3,12}\s{1,4}(?:for\s|at\s)?\Z",
    re.IGNORECASE,
)
#: Before "more than" any verb may stand: "cannot hold more than", "did not pay less than".
_NOT_THAN: Final = re.compile(
    r"(?:\b(?:not|never|cannot)|\b[a-z]{2,7}n't)\s{1,4}(?!(?:only|just|merely|always|necessarily|simply|"
    r"far|for|in|on|at|by|to|but|if|because|since|until|when|while|as|so|yet|and|or)\s)[a-z]{3,12}\s{1,4}\Z",
    re.IGNORECASE,
)
_EQUAL_TO: Final = re.compile(r"\bequals?(?:\sto)?\sor\s\Z", re.IGNORECASE)
_OR_EQUAL: Final = re.compile(
    r"\b(?:(?:(?P<more>more|greater|larger|higher|longer|bigger|older)|less|lower|smaller|fewer"
    r"|shorter|younger)\sthan|(?P<above>above|over)|below|under)\sor\sequal\sto\s\Z",
    re.IGNORECASE,
)
_LONGEST_TURN: Final = 30
#: A bound at the end of a clause may stand behind what is counted: "20 people at most."
_COUNTED: Final = r"(?:\s[^\W\d_]{2,20}){1,2}"
_LAST: Final = r"(?=\s?(?:[.,;:)\n]|\Z))"
_AFTER: Final = re.compile(
    r"(?P<least>\+(?![0-9A-Za-z])|\supwards?\b|\sat\s(?:the\s(?:very\s)?)?least\b(?!\s[0-9])"
    rf"|{_COUNTED}\s(?:at\s(?:the\s)?least|minimum)\b{_LAST}"
    r"|\s(?:or|and)\s(?:more|above|over|higher|older|greater|longer|up(?:wards?)?)\b(?!\sthan\b)"
    r"|-plus\b|\splus\b(?!\s[0-9a-z])|\smin(?:\.|imum\b)" + _LAST + ")"
    r"|(?P<most>\sat\s(?:the\s(?:very\s)?)?most\b(?!\s[0-9])"
    rf"|{_COUNTED}\s(?:at\s(?:the\s)?most|maximum|max(?!\.\s?[0-9a-z]))\b{_LAST}"
    r"|\s(?:or|and)\s(?:less|fewer|below|under|lower|younger|smaller|shorter)\b(?!\sthan\b)"
    rf"|\smax(?:\.|imum\b|\b){_LAST})"
    r"|(?P<about>\s(?:or\s(?:so|thereabouts)|approximately|or\sabout)\b)"
)


def modifier_before(text: str, floor: int, start: int, *, may_be_year: bool) -> Modifier | None:
    """Return the modifier that ends where the figure starts; nothing before `floor` is read."""
    lowest = max(floor, start - 12)
    match = _SIGN.search(text[lowest:start])
    if match and not _TAG.search(text, max(0, start - _LONGEST_TAG), lowest + match.start()):
        sign = _SIGNS.get(match[1], "" if match[1] in "~≈≃" else match[1])
        return Modifier(lowest + match.start(), Comparison(sign), approximate=not sign)
    found = phrase_before(text, floor, start, may_be_year=may_be_year)
    if found is not None:
        if found.phrase in ("max", "min") and not text[:start].rstrip().endswith(found.phrase):
            return None  # "Max 8" may be a name
        return _turned(text, floor, found) if found.comparison in _OPPOSITES else found
    match = _OR_EQUAL.search(text, max(floor, start - 34), start)
    is_more = match and (match["more"] or match["above"])
    comparison = Comparison.AT_LEAST if is_more else Comparison.AT_MOST
    return match and Modifier(match.start(), comparison)


def _turned(text: str, floor: int, found: Modifier) -> Modifier:
    """Return the modifier with what stands before it: "not more than", "equal to or more than"."""
    lowest = max(floor, found.at - _LONGEST_TURN)
    match = _NOT.search(text, lowest, found.at)
    if match is None and found.phrase.endswith("than"):
        match = _NOT_THAN.search(text, lowest, found.at)
    if match:
        return Modifier(match.start(), _OPPOSITES[found.comparison])
    if _is_negated(text, floor, found.at):
        return found._replace(comparison=_OPPOSITES[found.comparison])
    if match := _EQUAL_TO.search(text, lowest, found.at):
        return Modifier(match.start(), _WITH_EQUAL[found.comparison])
    return found


def _is_negated(text: str, floor: int, start: int) -> bool:
    """Whether a negation of another language than English stands before an offset.

    It is the word before, or it belongs to a modal verb: "nie może Was kosztować więcej niż".
    """
    before = re.split(r"[,.;:!?]\s", text[max(floor, start - _LONGEST) : start].lower())[-1].split()
    negations, modals = _words_of("not"), _words_of("modal")
    return not negations.isdisjoint(before[-1:]) or any(
        word in negations and not modals.isdisjoint(before[max(0, at - 1) : at + 2])
        for at, word in enumerate(before[:-1])
        if len(before) - at <= _MODAL_REACH
    )


def modifier_after(text: str, end: int) -> Modifier | None:
    """Return the modifier behind a figure and at most two words: "18 Teilnehmer oder mehr"."""
    if match := _AFTER.match(text, end):
        if match["about"]:
            return Modifier(match.end(), approximate=True)
        return Modifier(match.end(), Comparison.AT_LEAST if match["least"] else Comparison.AT_MOST)
    window = text[end : end + 2 * _LONGEST].lower()
    window = _SENTENCE.split(window, 1)[0]
    kinds, words, pattern = _behind()
    is_late_script = window.lstrip()[:1] >= "\u0e00"  # Thai and the scripts that follow
    if words.isdisjoint(window.split(None, 4)[:4]) and not is_late_script:
        return None  # as behind most figures
    match = pattern.match(window)
    if match is None:
        return None
    kind = kinds[match["joined"] or match["spaced"] or match["spaceless"]]
    return Modifier(end + match.end(), _KINDS[kind], approximate=kind == "about")


def is_fall(text: str, floor: int, start: int, end: int) -> bool:
    """Whether words around a figure say that something falls by it, or is lost."""
    tail = text[max(floor, start - _LONGEST) : start].lower()
    words, falls = tail.split(), _words_of("fall")
    if any(" ".join(words[-count:]) in falls for count in range(1, _MOST_WORDS)):
        return True
    # Scripts without spaces, and the last part of a German word: "Gewinnrückgang von".
    joined = tuple(falls) if _SPACELESS.match(tail[-1:]) else _nouns_of_falls()
    return tail.rstrip().endswith(joined) or _fall_behind().match(text, end) is not None


@cache
def _nouns_of_falls() -> tuple[str, ...]:
    phrases = words_of("fall").get("de", ())
    return tuple(phrase.lower() for phrase in phrases if phrase[0].isupper())


@cache
def _fall_behind() -> re.Pattern[str]:
    return re.compile(rf"\s?(?:{_alternatives(_words_of('fall behind'))})(?![a-z])")


class _Meaning(NamedTuple):
    comparison: Comparison
    kind: str
    #: The languages in which alone it has the meaning; none if it has no other.
    only: frozenset[str]


def phrase_before(text: str, floor: int, start: int, *, may_be_year: bool) -> Modifier | None:
    """Return the longest bound in words that ends where a figure starts."""
    tail = text[max(floor, start - _LONGEST) : start].lower()
    words = tail.split()
    spaced, spaceless = _before()
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        phrase = " ".join(words[-count:])
        meaning = spaced.get(phrase)
        if meaning and _holds(meaning, text, start, may_be_year=may_be_year):
            first = [match.start() for match in re.finditer(r"\S+", tail)][-count]
            at = start - len(tail) + first
            return Modifier(at, meaning.comparison, meaning.kind == "about", phrase)
    if not _SPACELESS.search(tail[-6:]):
        return None
    for rest in (tail.rstrip(), tail.rstrip().rstrip(_PARTICLES)):
        if len(tail) - len(rest) > 3:
            continue
        for length in range(min(max(map(len, spaceless)), len(rest)), 0, -1):
            meaning = spaceless.get(rest[-length:])
            if meaning and _holds(meaning, text, start, may_be_year=may_be_year):
                at = start - len(tail) + len(rest) - length
                is_about = meaning.kind == "about"
                return Modifier(at, meaning.comparison, is_about, rest[-length:])
    return None


def end_of_bound(text: str, start: int, end: int) -> int | None:
    """Return where a bound ends whose first word is from `start` to `end`; `None` if none does."""
    words = text[start : start + _LONGEST].lower().split()
    for count in range(min(_MOST_WORDS, len(words)), 1, -1):
        phrase = " ".join(words[:count])
        if phrase in _before()[0] and text.startswith(phrase[end - start :], end):
            return start + len(phrase)
    return None


def _holds(meaning: _Meaning, text: str, start: int, *, may_be_year: bool) -> bool:
    if meaning.kind in _TIMES and may_be_year:
        return False
    around = text[max(0, start - _AROUND) : start + _AROUND]
    return not meaning.only or _language(around) in meaning.only


@lru_cache(maxsize=256)
def _language(text: str) -> str | None:
    return most_probable_language(text, languages("at least"))


def _entries(kind: str) -> Iterator[tuple[str, str]]:
    """Yield language and phrase, as they are in a normalised text."""
    for language, phrases in words_of(kind).items():
        for phrase in phrases:
            yield language, normalise(phrase)[0].lower()


@cache
def _words_of(kind: str) -> frozenset[str]:
    return frozenset(word for _, word in _entries(kind))


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
            table[phrase] = _Meaning(comparison, kind, only)
    return spaced, spaceless


@cache
def _behind() -> tuple[dict[str, str], frozenset[str], re.Pattern[str]]:
    """Return the bounds behind a figure by kind, their words, and their pattern."""
    entries = {entry: kind for kind in _KINDS for entry in _words_of(f"{kind} behind")}
    spaceless = {entry for entry in entries if _SPACELESS.search(entry)}
    joined = {entry[1:] for entry in entries.keys() - spaceless if entry.startswith("-")}
    spaced = {entry for entry in entries.keys() - spaceless if not entry.startswith("-")}
    kinds = {entry.removeprefix("-"): kind for entry, kind in entries.items()}
    pattern = re.compile(
        rf"{_GAP}(?:(?P<joined>{_alternatives(joined)})(?!\w)|\s{{1,3}}(?P<spaced>{_alternatives(spaced)})"
        rf"(?!\w|\s(?:{_alternatives(_words_of('than'))})\s))"
        rf"|\s?[^\W\d_]{{0,4}}?\s?(?P<spaceless>{_alternatives(spaceless)})"
    )
    return kinds, frozenset(word for entry in kinds for word in entry.split()), pattern


def _alternatives(phrases: set[str] | frozenset[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=lambda item: (-len(item), item)))) or "(?!)"
