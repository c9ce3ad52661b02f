"""A statement that stands word for word in its evidence, as a sentence of its own."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from groundtypes.entailment.alignment import MAX_CHARACTERS, MAX_WORDS, words_of
from groundtypes.entailment.asides import without_asides
from groundtypes.entailment.negation_words import without_particle
from groundtypes.entailment.same_wordings import same_adjectives, same_wording, signs_of
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.punkt import sentence_ends

__all__ = ["is_copied"]

#: A sentence that begins with a quotation mark is what somebody says.
_QUOTED: Final = tuple("\"'\u201c\u2018\u201e\u00ab")


def is_copied(statement: str, texts: Iterable[str]) -> bool:
    """Whether a statement of several words is a sentence of one of the texts, word for word.

    So is one that leaves out a relative clause between commas, or ", not wine", and one in another
    wording that says the same ("at most", "no more than").
    """
    words = words_of(statement)
    if " " not in words.plain or len(words.words) >= MAX_WORDS or len(statement) > MAX_CHARACTERS:
        return False
    wording = same_adjectives(same_wording(statement, is_stated=True))
    signs = signs_of(statement)
    return any(
        (
            words_of(sentence).plain == words.plain
            or same_adjectives(same_wording(sentence)) == wording
        )
        and signs_of(sentence) == signs
        for text in texts
        for whole in _sentences(plain_letters(text))
        if not whole.startswith(_QUOTED) and "?" not in whole
        for sentence in (whole, *without_asides(whole))
    )


def _sentences(text: str) -> Iterable[str]:
    ends = pairwise([0, *sentence_ends(text, 0, len(text)), len(text)])
    return (without_particle(text[start:end].strip()) for start, end in ends)
