"""Whether words are English, by a list of some 40,000 words.

A few words of English may be probable in another language, letter by letter: "door", "is" and
"open" are Dutch as well. The list is consulted only for a text that would be refused.
"""

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Final

#: The share of words from which on a text may be English. Of three words one may be a name.
_MIN_SHARE: Final = 2 / 3


@cache
def _english_words() -> frozenset[str]:
    data = files("groundtypes.text").joinpath("data", "english_words.txt")
    return frozenset(data.read_text(encoding="ascii").split())


def is_mostly_english(words: Collection[str]) -> bool:
    """Return whether at least two thirds of some words in lower case are words of English."""
    known = _english_words()
    count = sum(word.replace("\u2019", "'").removesuffix("'s") in known for word in words)
    return count >= _MIN_SHARE * len(words)
