"""Typos: one letter dropped, doubled or swapped in a longer word, without making another word."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["is_typo"]

#: In shorter words one letter is too large a part of the word.
_FEWEST_LETTERS: Final = 6


@cache
def _confusable_words() -> frozenset[str]:
    """Return the English words that are one typo away from another English word."""
    data = files("groundtypes.quotes").joinpath("data", "near_words.txt")
    return frozenset(data.read_text(encoding="ascii").split())


def is_typo(word: str, original: str, is_known: Callable[[str], bool]) -> bool:
    """Whether `word` is `original` with one letter dropped, doubled or swapped with the next.

    Another word is not a typo: one that `is_known` knows, or an English word. Both words are as
    written in the texts; a capital letter makes a name, in which every letter counts.
    """
    return (
        len(original) >= _FEWEST_LETTERS
        and word.isalpha()
        and original.isalpha()
        and original.islower()
        and word.islower()
        and word[0] == original[0]
        # The last letter carries grammar: a plural, a tense.
        and word[-1] == original[-1]
        and _is_one_edit_away(word, original)
        and not is_known(word)
        and word not in _confusable_words()
    )


def _is_one_edit_away(word: str, original: str) -> bool:
    size = len(original)
    at = next((i for i, (a, b) in enumerate(zip(word, original, strict=False)) if a != b), None)
    if at is None:
        at = min(len(word), size)
    if len(word) == size - 1:
        return word[at:] == original[at + 1 :]
    if len(word) == size + 1:
        return word[at] == word[at - 1] and word[at + 1 :] == original[at:]
    return (
        len(word) == size
        and word[at : at + 2] == original[at : at + 2][::-1]
        and word[at + 2 :] == original[at + 2 :]
    )
