"""Modifiers of a figure: words that compare it or make it approximate ("at least", "or more")."""

import re
from typing import Final, NamedTuple

from groundtypes.figures.bound_words import bound_before, bound_behind, is_negated
from groundtypes.figures.figure import Comparison


class Modifier(NamedTuple):
    """The meaning of a modifier; `at` is where it starts before a figure, or ends after one."""

    at: int
    comparison: Comparison = Comparison.EXACTLY
    approximate: bool = False


#: What turns a comparison: "no longer than", "must not exceed", "never fell below". No noun stands
#: between: "no children under 5" says the same as "children under 5 are not admitted".
_NOT: Final = re.compile(
    r"(?:\b(?:no|not|never|cannot|without)|\b[a-z]{2,7}n't)\s{1,4}(?:(?:be|been|being|have|has|had|is|was|"
    r"get|gets|got|weigh|cost|last|ris(?:e|es)|rose|falls?|fell|drops?|dropped|dips?|dipped|go|goes|"
    r"went|climbs?|climbed|sinks?|sank|exceed|significantly|ever)\s{1,4}){0,3}\Z",
    re.IGNORECASE,
)
#: Before "more than" any verb may stand: "cannot hold more than", "did not pay less than".
_NOT_THAN: Final = re.compile(
    r"(?:\b(?:not|never|cannot)|\b[a-z]{2,7}n't)\s{1,4}(?!(?:only|just|merely|always|necessarily|simply|"
    r"far|for|in|on|at|by|to|but|if|because|since|until|when|while|as|so|yet|and|or)\s)[a-z]{3,12}\s{1,4}\Z",
    re.IGNORECASE,
)
#: A prohibition turns all of them: "do not store above", "must not be kept for more than". Without
#: one, "has not eaten for more than two days" says "more than".
_FORBIDDEN: Final = re.compile(
    r"\b(?:(?:do|must|should|may|shall|can)\snot|don't|mustn't|shouldn't|can't|cannot|never)\s{1,4}(?:be\s)?"
    r"(?!(?:admit|allow|accept|serve|sell|let|only|just|always)\s)[a-z]{3,12}\s{1,4}(?:for\s|at\s)?\Z",
    re.IGNORECASE,
)
_EQUAL_TO: Final = re.compile(r"\bequals?(?:\sto)?\sor\s\Z", re.IGNORECASE)
_OR_EQUAL: Final = re.compile(
    r"\b(?:(?:(?P<more>more|greater|larger|higher|longer|bigger|older)|less|lower|smaller|fewer"
    r"|shorter|younger)\sthan|(?P<above>above|over)|below|under)\sor\sequal\sto\s\Z",
    re.IGNORECASE,
)
_OPPOSITES: Final = {
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.LESS: Comparison.AT_LEAST,
}
_WITH_EQUAL: Final = {Comparison.MORE: Comparison.AT_LEAST, Comparison.LESS: Comparison.AT_MOST}
_SIGNS: Final = {
    ">": Comparison.MORE, "≥": Comparison.AT_LEAST, ">=": Comparison.AT_LEAST,
    "=>": Comparison.AT_LEAST, "<": Comparison.LESS, "≤": Comparison.AT_MOST,
    "<=": Comparison.AT_MOST, "=<": Comparison.AT_MOST, "~": None, "≈": None, "≃": None,
}  # fmt: skip
_SIGN: Final = re.compile(r"([<>]=?|=[<>]|[≤≥~≈≃])\s?$")
_AFTER: Final = re.compile(
    r"(?P<least>\+(?![0-9A-Za-z])|\supwards?\b|\sat\s(?:the\s(?:very\s)?)?least\b(?!\s[0-9])"
    r"|\s(?:or|and)\s(?:more|above|over|higher|older|greater|longer|up(?:wards?)?)\b(?!\sthan\b)"
    r"|-plus\b|\splus\b(?!\s[0-9a-z])|\smin(?:\.|imum\b)(?=\s?(?:[.,;:)]|\Z)))"
    r"|(?P<most>\sat\s(?:the\s(?:very\s)?)?most\b(?!\s[0-9])"
    r"|\s(?:or|and)\s(?:less|fewer|below|under|lower|younger|smaller|shorter)\b(?!\sthan\b)"
    r"|\smax(?:\.|imum\b|\b)(?=\s?(?:[.,;:)]|\Z)))"
    r"|(?P<about>\s(?:or\s(?:so|thereabouts)|approximately|or\sabout)\b)"
)
#: Without a full stop, these are abbreviations in lower case only.
_SHORT: Final = ("max", "min")
#: No sign or pair of words before a figure is longer.
_LONGEST: Final = 12
#: The words that turn a comparison are not longer: "greater than or equal to ".
_LONGEST_TURN: Final = 30


def modifier_before(text: str, floor: int, start: int, *, may_be_year: bool) -> Modifier | None:
    """Return the modifier that ends where the figure starts; nothing before `floor` is read.

    Where the figure may be a year, words such as "until" do not bound it.
    """
    tail = text[max(floor, start - _LONGEST) : start]
    if match := _SIGN.search(tail):
        return _modifier(start - len(tail) + match.start(), _SIGNS[match[1]])
    word = bound_before(text, floor, start, may_be_year=may_be_year)
    if word is not None:
        if word.phrase in _SHORT and not tail.rstrip().endswith(word.phrase):
            return None  # "Max 8" may be a name
        modifier = _modifier(word.at, word.comparison)
        return _turned(text, floor, modifier, is_than=word.phrase.endswith("than"))
    if tail.lower().split()[-2:] == ["equal", "to"] and (
        match := _OR_EQUAL.search(text, max(floor, start - 34), start)
    ):
        is_more = match["more"] or match["above"]
        return Modifier(match.start(), Comparison.AT_LEAST if is_more else Comparison.AT_MOST)
    return None


def _turned(text: str, floor: int, modifier: Modifier, *, is_than: bool) -> Modifier:
    """Return the modifier with what stands before it: "not more than", "equal to or more than"."""
    if modifier.comparison not in _OPPOSITES:
        return modifier
    lowest = max(floor, modifier.at - _LONGEST_TURN)
    match = _NOT.search(text, lowest, modifier.at)
    if match is None:
        match = _FORBIDDEN.search(text, lowest, modifier.at)
    if match is None and is_than:
        match = _NOT_THAN.search(text, lowest, modifier.at)
    if match:
        return Modifier(match.start(), _OPPOSITES[modifier.comparison])
    if is_negated(text, floor, modifier.at):
        return modifier._replace(comparison=_OPPOSITES[modifier.comparison])
    if match := _EQUAL_TO.search(text, lowest, modifier.at):
        return Modifier(match.start(), _WITH_EQUAL[modifier.comparison])
    return modifier


def _modifier(at: int, comparison: Comparison | None) -> Modifier:
    if comparison is None:
        return Modifier(at, Comparison.EXACTLY, True)
    return Modifier(at, comparison)


def modifier_after(text: str, end: int) -> Modifier | None:
    """Return the modifier that starts where the figure ends, or behind the noun that it counts."""
    match = _AFTER.match(text, end)
    if match is None:
        word = bound_behind(text, end)
        return None if word is None else _modifier(word.at, word.comparison)
    if match["about"]:
        return Modifier(match.end(), Comparison.EXACTLY, True)
    return Modifier(match.end(), Comparison.AT_LEAST if match["least"] else Comparison.AT_MOST)
