"""A statement with the words of a sentence: the sentence itself, or what it denies.

"The pool does not open on Sundays." does not support "The pool opens on Sundays.", nor the other
way round. A small model overlooks such a negation in a long sentence. What is compared are the
words of either side without those that deny: if these are the same, in the same order, the one side
denies the other where it alone has a negation (`docs/entailment.md` says how often that decides). A
statement that is one of the sentences follows from it, whatever a model says.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from groundtypes.entailment.compared_words import without_particle, words_of
from groundtypes.entailment.english_words import NEGATION
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.punkt import sentence_ends

#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3
#: Articles, words that stand beside a negation alone ("not any"), and those that only a negation
#: or a question needs ("does not open").
_LEFT_OUT: Final = frozenset("a an the any yet do does did".split())


class Denial(NamedTuple):
    """The negation that one side has, as it is written, and whether the statement has it."""

    negation: str
    is_stated: bool


class SameWords(NamedTuple):
    """What sentences with the words of a statement say of it.

    Attributes:
        is_copied: Whether the statement is one of them, letter by letter but for case and spaces.
        denial: The negation that alone tells it from one of them; `None` if another one has the
            same negations.
    """

    is_copied: bool = False
    denial: Denial | None = None


class _Sentence(NamedTuple):
    """A sentence in lower case, the stems of its words but those that deny, and its negations.

    The key of a negation is the number of stems before it.
    """

    text: str
    rest: tuple[str, ...]
    negations: Mapping[int, str]


def same_words(statement: str, texts: Iterable[str]) -> SameWords:
    """Return what the sentences of texts say that have the words of a statement."""
    stated = _sentence(statement)
    if len(stated.rest) < _FEWEST:
        return SameWords()
    denial: Denial | None = None
    has_same = False
    for sentence in (sentence for text in texts for sentence in _sentences(text)):
        if sentence.rest != stated.rest:
            continue
        if sentence.text == stated.text:
            return SameWords(is_copied=True)
        only_stated = stated.negations.keys() - sentence.negations
        only_there = sentence.negations.keys() - stated.negations
        has_same = has_same or not (only_stated or only_there)
        # Negations in two places may deny the same: "No dogs are allowed." and "are not allowed".
        if denial is None and not (only_stated and only_there):
            side, more = (stated, only_stated) if only_stated else (sentence, only_there)
            if len(more) % 2 == 1:
                denial = Denial(side.negations[min(more)], is_stated=side is stated)
    return SameWords(denial=None if has_same else denial)


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    letters = plain_letters(text)
    ends = pairwise([0, *sentence_ends(letters, 0, len(letters)), len(letters)])
    return tuple(_sentence(without_particle(letters[start:end])) for start, end in ends)


def _sentence(sentence: str) -> _Sentence:
    rest: list[str] = []
    negations: dict[int, str] = {}
    for word in words_of(sentence).words:
        if word.text in NEGATION and len(rest) in negations:
            del negations[len(rest)]  # "never not"
        elif word.text in NEGATION:
            negations[len(rest)] = word.shown
        elif word.text not in _LEFT_OUT:
            rest.append(word.stem)
    text = " ".join(sentence.split()).lower().rstrip(".!")
    return _Sentence(text, tuple(rest), negations)
