"""A statement that denies what a sentence of the same words says, or the other way round.

"The pool does not open on Sundays." does not support "The pool opens on Sundays.", nor the other
way round. A small model overlooks such a negation in a long sentence. What is compared are the
words of either side without those that deny: if these are the same, in the same order, the one side
denies the other where it alone has a negation (`docs/entailment.md` says how often that decides).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from groundtypes.entailment.compared_words import without_particle, words_of
from groundtypes.entailment.word_classes import NEGATION
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.punkt import sentence_ends

__all__ = ["Denial", "denial_in"]

#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3
#: Articles, words that stand beside a negation alone ("not any"), and those that only a negation
#: or a question needs ("does not open").
_LEFT_OUT: Final = frozenset("a an the any yet do does did".split())


class Denial(NamedTuple):
    """The negation that one side has, as it is written, and whether the statement has it."""

    negation: str
    is_stated: bool


class _Denied(NamedTuple):
    """The stems of a sentence but those that deny, and its negations by the stems before them."""

    rest: tuple[str, ...]
    negations: Mapping[int, str]


def denial_in(statement: str, texts: Iterable[str]) -> Denial | None:
    """Return the negation that alone tells a statement from a sentence of the texts.

    It is `None` if a sentence has the statement's words and the same negations.
    """
    stated = _denied(statement)
    if len(stated.rest) < _FEWEST:
        return None
    found: Denial | None = None
    for sentence in (sentence for text in texts for sentence in _sentences(text)):
        if sentence.rest != stated.rest:
            continue
        only_stated = stated.negations.keys() - sentence.negations
        only_there = sentence.negations.keys() - stated.negations
        if not only_stated and not only_there:
            return None
        # Negations in two places may deny the same: "No dogs are allowed." and "are not allowed".
        if found is None and not (only_stated and only_there):
            side, more = (stated, only_stated) if only_stated else (sentence, only_there)
            if len(more) % 2 == 1:
                found = Denial(side.negations[min(more)], is_stated=side is stated)
    return found


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[_Denied, ...]:
    letters = plain_letters(text)
    ends = pairwise([0, *sentence_ends(letters, 0, len(letters)), len(letters)])
    return tuple(_denied(without_particle(letters[start:end])) for start, end in ends)


def _denied(sentence: str) -> _Denied:
    rest: list[str] = []
    negations: dict[int, str] = {}
    for word in words_of(sentence).words:
        if word.text in NEGATION and len(rest) in negations:
            del negations[len(rest)]  # "never not"
        elif word.text in NEGATION:
            negations[len(rest)] = word.shown
        elif word.text not in _LEFT_OUT:
            rest.append(word.stem)
    return _Denied(tuple(rest), negations)
