"""Which figures a text denies, or says are past: "not 40 but 45", "was 40; it is 45 now".

A clause that names nothing of its own, such as "it is 45 now", speaks of what the figure before it
was a value of.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from groundtypes.text.coverage import STOP_WORDS
from groundtypes.validators.typed.candidates import Candidate, Place, Source
from groundtypes.words import all_words

_BREAK: Final = re.compile(r"[,;:|()\n\u2013\u2014]|[.!?](?=\s)|\b(?:and|or|but)\b")
_WORD: Final = re.compile(r"[^\W\d_]+")
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019")
#: The most characters of the words before a figure, and between two figures that are compared.
_REACH: Final = 48
_FARTHEST: Final = 160
_MOST_WORDS: Final = 3
_MOST_BETWEEN: Final = 4
_COUNTED: Final = frozenset(("number", "count"))


@cache
def _cues() -> frozenset[str]:
    """Return the words of which one is near each figure that is denied or past."""
    phrases = all_words("denies the number behind it") | all_words("now")
    return frozenset(phrase.split()[0] for phrase in phrases)


def denied(candidates: Sequence[Candidate], source: Source) -> set[Place]:
    """Return the figures that are denied, or past."""
    found: set[Place] = set()
    for at, one in enumerate(candidates):
        text = source.references.texts[one.text]
        around = _words(text[max(0, one.start - _REACH) : one.end + _REACH])
        if not one.is_former and _cues().isdisjoint(around):
            continue
        if one.is_former or _is_denied(text, one.start):
            found.add(one.key)
        near = candidates[max(0, at - _MOST_BETWEEN) : at]
        before = next((other for other in reversed(near) if _may_replace(other, one)), None)
        if before and _is_present(text, before, one):
            found.update(other.key for other in candidates if other.group == before.group)
    return found


def with_successors(
    named: set[Place], past: set[Place], candidates: Sequence[Candidate], source: Source
) -> set[Place]:
    """Return values of something, those that are denied or past with the ones in their place."""
    found = set(named)
    for one, other in pairwise(candidates):
        if one.key in found & past and _may_replace(one, other):
            text = source.references.texts[one.text]
            if lead(text, one, other) is not None:
                found.add(other.key)
    return found


def _is_denied(text: str, start: int) -> bool:
    words = _words(_BREAK.split(text[max(0, start - _REACH) : start])[-1])
    denials = all_words("denies the number behind it")
    while words:
        ends = [" ".join(words[-count:]) for count in range(1, _MOST_WORDS + 1)]
        over_a_word = " ".join(words[-_MOST_WORDS:-1])
        if not denials.isdisjoint(ends) or (" " in over_a_word and over_a_word in denials):
            return True
        if words.pop() not in all_words("between a negation and what it negates"):
            break
    return False


def _may_replace(first: Candidate, second: Candidate) -> bool:
    """Whether two figures may be values of the same, one after the other."""
    kinds = {first.figure.kind, second.figure.kind}
    units = {first.figure.unit, second.figure.unit}
    return (
        first.text == second.text
        and first.group != second.group
        and 0 <= second.start - first.end <= _FARTHEST
        and (len(kinds) == 1 or kinds == _COUNTED)
        and (len(units) == 1 or None in units)
    )


def _is_present(text: str, first: Candidate, second: Candidate) -> bool:
    """Whether a figure is said to be what now holds in place of the one before it."""
    before, now = lead(text, first, second), all_words("now")
    behind = _words(_BREAK.split(text[second.end : second.end + _REACH])[0])
    known = _words(text[max(0, first.start - _REACH) : second.start])
    names_nothing_new = set(behind) <= STOP_WORDS | now | set(known)  # unlike "now 12 in stock"
    return before is not None and names_nothing_new and not now.isdisjoint(before + behind[:2])


def lead(text: str, first: Candidate, second: Candidate) -> list[str] | None:
    """Return the words before a figure in its clause; `None` if they name something."""
    words = _words(_BREAK.split(text[first.end : second.start])[-1])
    return words if set(words) <= STOP_WORDS | all_words("now") else None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.translate(_APOSTROPHES).lower())
