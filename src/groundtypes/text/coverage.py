"""Content words, names and numbers of a text, and how many of them occur in a passage."""

import re
from typing import Final, NamedTuple

from groundtypes.text.bm25 import terms

#: English function words, which say little about the topic of a text.
STOP_WORDS: Final = frozenset(
    "a an the and or but of in on at by for from to with as is was are were be been being it its "
    "this that these those he she they his her their him them i you we our your which who whom "
    "whose what when where while than then there here also into over such has have had do does "
    "did will would can could may might shall should must so if not no nor".split()
)
#: A capitalised word or a number that does not begin a sentence.
_NAME_OR_NUMBER: Final = re.compile(r"(?<=[^.!?:\s] )[\"“'(]?([A-Z][\w’'-]*|\d[\w.,]*\d|\d)")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


class Coverage(NamedTuple):
    """Shares of a statement's words that occur in a passage, each from 0 to 1.

    Attributes:
        words: The share of the content words; 1 where the statement has none.
        names: The share of the names and numbers; 1 where the statement has none.
    """

    words: float
    names: float


def content_terms(text: str) -> set[str]:
    """Return the terms of a text without function words.

    Function words that stemming changes, such as "these" and "have", are not removed.
    """
    return set(terms(text)) - STOP_WORDS


def numbers_of(text: str) -> list[str]:
    """Return the numbers of a text as they are written, in their order."""
    return _NUMBER.findall(text)


def coverage(passage: str, statement: str) -> Coverage:
    """Return how many of a statement's words, and of its names and numbers, a passage has."""
    passage_terms = set(terms(passage))
    names = {
        term for name in _NAME_OR_NUMBER.findall(statement) for term in terms(name)
    } - STOP_WORDS
    return Coverage(_share(content_terms(statement), passage_terms), _share(names, passage_terms))


def _share(wanted: set[str], present: set[str]) -> float:
    return len(wanted & present) / len(wanted) if wanted else 1.0
