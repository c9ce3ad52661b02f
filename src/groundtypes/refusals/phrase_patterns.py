"""Patterns of phrases by language: a sentence has a phrase of every part, in any order.

In a file of patterns a line is a pattern: its parts are joined by `+`, the phrases of a part by
`|`. `[de]` begins a language, and `#` a comment. A phrase stands for every word that begins with
it, or, with a star before it and in Thai, Chinese and Japanese, for every part of a word.
"""

import re
from importlib.resources import files
from typing import Final, NamedTuple

from groundtypes.refusals.word_classes import SPACELESS, fold

__all__ = ["PhrasePattern", "has_phrase", "matches", "read_patterns", "words_of"]

_NO_WORD: Final = re.compile(
    r"[^\w'\u200c\u0300-\u036f\u0591-\u05c7\u064b-\u0655"
    r"\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f\u3099\u309a-]+"
)
_SPACELESS_RUN: Final = re.compile(f"[{SPACELESS}]+")


class PhrasePattern(NamedTuple):
    """The heading under which a pattern stands, and its parts: tuples of folded phrases."""

    heading: str
    parts: tuple[tuple[str, ...], ...]


def read_patterns(name: str) -> tuple[PhrasePattern, ...]:
    """Return the patterns of a file of the package's data."""
    text = (files("groundtypes.refusals") / "data" / name).read_text(encoding="utf-8")
    patterns = []
    heading = ""
    for line in text.splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            parts = tuple(
                tuple(_folded(phrase.strip()) for phrase in part.split("|"))
                for part in line.split(" + ")
            )
            patterns.append(PhrasePattern(heading, parts))
    return tuple(patterns)


def words_of(sentence: str) -> str:
    """Return the folded words of a sentence with a space before and after each."""
    return f" {_NO_WORD.sub(' ', fold(sentence)).strip()} "


def matches(words: str, pattern: PhrasePattern) -> bool:
    """Return whether the words of a sentence, as of `words_of`, have a phrase of every part."""
    return all(any(phrase in words for phrase in part) for part in pattern.parts)


def has_phrase(words: str, phrase: str) -> bool:
    """Return whether the words of a sentence, as of `words_of`, have a phrase."""
    return _folded(phrase) in words


def _folded(phrase: str) -> str:
    """Return a phrase as it is looked for among words: a word begins with a space."""
    in_word = phrase.startswith(("*", "n't")) or _SPACELESS_RUN.search(phrase) is not None
    folded = fold(phrase.removeprefix("*"))
    return folded if in_word else f" {folded}"
