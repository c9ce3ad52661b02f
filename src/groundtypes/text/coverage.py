"""How much of a statement stands in a passage: its words, and its names and numbers."""

import re
from typing import Final, NamedTuple

from groundtypes.text.bm25 import terms

__all__ = ["Coverage", "content_terms", "coverage"]

#: Words that say little about whether a passage speaks of the same.
_LITTLE: Final = frozenset(
    "a an the and or but of in on at by for from to with as is are was were be been being it its "
    "this that these those he she they his her their him them i you we our your which who whom "
    "whose what when where while than then there here also into over such has have had do does "
    "did will would can could may might shall should must so if not no nor".split()
)
_NAME: Final = re.compile(r"(?<=[^.!?:\s] )[\"“'(]?([A-Z][\w’'-]*|\d[\w.,]*\d|\d)")


class Coverage(NamedTuple):
    """Shares from 0 to 1; 1 where a statement has no such words."""

    words: float
    names: float


def content_terms(text: str) -> set[str]:
    """Return the terms of a text that tell what it speaks of."""
    return set(terms(text)) - _LITTLE


def coverage(passage: str, statement: str) -> Coverage:
    """Return which shares of a statement's words, and of its names and numbers, a passage has."""
    held = set(terms(passage))
    words = content_terms(statement)
    names = {term for name in _NAME.findall(statement) for term in terms(name)} - _LITTLE
    return Coverage(_share(words, held), _share(names, held))


def _share(wanted: set[str], held: set[str]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 1.0
