"""A statement that is its sentence with a negation more, or with one less.

"The pool does not open on Sundays." does not support "The pool opens on Sundays.", nor the other
way round, though all other words are the same, which small models overlook in long sentences. It
was counted on written claims (`docs/entailment.md`).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from groundtypes.entailment.alignment import Words, words_of
from groundtypes.text.punkt import sentence_ends

__all__ = ["denial"]

_DENIALS: Final = frozenset({"not", "never", "no", "no_longer"})
#: Words that only a negation needs: "does not open".
_SUPPORT: Final = frozenset({"do", "does", "did"})
#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3


def denial(statement: Words, texts: Iterable[str]) -> tuple[str, bool] | None:
    """Return the negation that a statement and a sentence of the same words do not share.

    The same words stand in the same order in both, and one of them has a single negation more. No
    other sentence of the texts is the statement itself.

    Returns:
        The negation as it is written, and whether the statement has it and not the sentence.
    """
    rest, denials = _without_denials(statement)
    if len(rest) < _FEWEST:
        return None
    found: tuple[str, bool] | None = None
    for sentence in _sentences(texts):
        others, other_denials = _without_denials(sentence)
        if others != rest:
            continue
        if len(other_denials) == len(denials):
            return None
        if (more := _one_more(denials, other_denials)) is not None:
            found = more, True
        elif (more := _one_more(other_denials, denials)) is not None:
            found = more, False
    return found


def _sentences(texts: Iterable[str]) -> Iterator[Words]:
    """Yield the words of each sentence; evidence has short ones together with another one."""
    for text in texts:
        for start, end in pairwise([0, *sentence_ends(text, 0, len(text)), len(text)]):
            yield words_of(text[start:end])


def _one_more(denials: Sequence[str], others: Sequence[str]) -> str | None:
    """Return the one negation that the first has beside those of the second, or `None`."""
    if len(denials) != len(others) + 1:
        return None
    for at, more in enumerate(denials):
        if [*denials[:at], *denials[at + 1 :]] == list(others):
            return more
    return None


def _without_denials(words: Words) -> tuple[list[str], list[str]]:
    """Return the stems of the words in order, and apart from them the negations."""
    rest: list[str] = []
    denials: list[str] = []
    for word in words.words:
        if word.text in _DENIALS:
            denials.append(word.shown)
        elif word.text[0].isalnum() and word.text not in _SUPPORT:
            rest.append(word.stem)
    return rest, denials
