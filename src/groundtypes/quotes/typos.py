"""Slips of the pen: one letter dropped, doubled or swapped in a longer word, and no other word."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files

__all__ = ["is_slip", "may_be_word"]

#: In shorter words one letter is too much of the word.
_SHORTEST = 6


@cache
def _neighbours() -> frozenset[str]:
    """Return the English words that are one slip away from another English word."""
    data = files("groundtypes.quotes").joinpath("data", "near_words.txt")
    return frozenset(data.read_text(encoding="ascii").split())


def is_slip(word: str, true_word: str, known: Callable[[str], bool]) -> bool:
    """Whether `word` is `true_word` with one letter dropped, doubled or swapped with the next.

    It is none where it is a word itself: one that `known` knows, or an English word. Both words
    are as they stand in the texts; a capital letter makes a name, in which every letter counts.
    """
    return (
        len(true_word) >= _SHORTEST
        and word.isalpha()
        and true_word.isalpha()
        and true_word.islower()
        and word.islower()
        and word[0] == true_word[0]
        # The last letter is grammar: a plural, a tense.
        and word[-1] == true_word[-1]
        and _one_slip(word, true_word)
        and not known(word)
        and not may_be_word(word)
    )


def may_be_word(word: str) -> bool:
    """Whether a word one slip away from an English word is an English word itself."""
    return word in _neighbours()


def _one_slip(word: str, true_word: str) -> bool:
    size = len(true_word)
    at = next((i for i, (a, b) in enumerate(zip(word, true_word, strict=False)) if a != b), None)
    if at is None:
        at = min(len(word), size)
    if len(word) == size - 1:
        return word[at:] == true_word[at + 1 :]
    if len(word) == size + 1:
        return word[at] == word[at - 1] and word[at + 1 :] == true_word[at:]
    return (
        len(word) == size
        and word[at : at + 2] == true_word[at : at + 2][::-1]
        and word[at + 2 :] == true_word[at + 2 :]
    )
