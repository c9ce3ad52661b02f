"""A statement that denies something of which its evidence does not speak.

Small models find it likely that what is not mentioned is not the case, and take "Dogs are not
allowed." as following from "The sky is blue.". It was counted on written claims
(`docs/entailment.md`).
"""

import re
from collections.abc import Iterable
from typing import Final

from groundtypes.entailment.alignment import Words, words_of
from groundtypes.entailment.negation_words import has_negation
from groundtypes.entailment.word_classes import MODALITY, OPPOSITES

__all__ = ["denies_unsaid", "is_unknown", "says_nothing"]

#: From this share of content words that stand nowhere in the references.
_UNKNOWN_WORDS: Final = 0.5
#: Evidence with one of these excludes something, and may support a denial without a negation.
_EXCLUDING: Final = frozenset(
    "only solely exclusively except unless instead excluded excluding excludes apart_from "
    "other_than absent missing empty free false null zero 0".split()
).union(word for word, group in MODALITY.items() if group == "forbidden")
#: "Unheated" denies "heated", and "non-members" "members".
_NEGATIVE_PREFIX: Final = re.compile(r"(?:un|in|im|il|ir|dis|non)(?=[a-z]{3})")
#: From this probability of entailment the scores are clear: the evidence denies it in other words.
_CLEAR: Final = 0.75
#: Content words that say nothing alone: "6 pm", "yes".
_SAYING_NOTHING: Final = frozenset("am pm yes yeah yep ok okay sure right true correct".split())
#: A statement of so many different words, none of which is known, is no paraphrase.
_FEWEST_WORDS: Final = 3
#: Longer words, and letters that repeat like "abababab", are no words.
_LONGEST_WORD: Final = 40
_REPEATED: Final = re.compile(r"(.{1,3}?)\1{3,}")


def denies_unsaid(
    statement: str, evidence: Iterable[str], unknown_words: float, entailment: float
) -> bool:
    """Whether a statement has a negation, most of its words are unknown, and nothing denies them.

    The evidence has no negation, no word that excludes, and no opposite of a word of the statement.

    Args:
        statement: The statement.
        evidence: All texts that it is compared with.
        unknown_words: The share of its content words that stand nowhere in the references.
        entailment: The probability of entailment.
    """
    if unknown_words < _UNKNOWN_WORDS or entailment >= _CLEAR or not has_negation(statement):
        return False
    texts = list(evidence)
    words = frozenset[str]().union(*(words_of(text).texts for text in texts))
    opposites = frozenset[str]().union(
        *(OPPOSITES.get(word, ()) for word in words_of(statement).texts)
    )
    if not words.isdisjoint(_EXCLUDING | opposites) or any(map(has_negation, texts)):
        return False
    stated = words_of(statement).texts
    return not any(
        _NEGATIVE_PREFIX.match(word) and _NEGATIVE_PREFIX.sub("", word, 1) in stated
        for word in words
    )


def says_nothing(statement: Words) -> bool:
    """Whether a text has no content word but numbers, "pm", "yes" and single letters."""
    return not any(
        word.is_content
        and not word.is_number
        and len(word.text) > 1
        and word.text not in _SAYING_NOTHING
        for word in statement.words
    )


def is_unknown(statement: Words, unknown_words: float, *, has_question: bool) -> bool:
    """Whether a text says nothing that could follow, as none of its words is known: "foo".

    It has fewer than three different words, unless it answers a question, or only words that are
    none, such as "xxxxxx". Small models do not know them, and find that anything follows.

    Args:
        statement: The text.
        unknown_words: The share of its content words that stand nowhere in the references.
        has_question: Whether it answers a question.
    """
    if unknown_words < 1.0:
        return False
    texts = {word.text for word in statement.words if word.text[0].isalnum()}
    content = {word.text for word in statement.words if word.is_content}
    is_short = len(texts) < _FEWEST_WORDS and not has_question
    return is_short or all(
        len(text) > _LONGEST_WORD or _REPEATED.fullmatch(text) is not None for text in content
    )
