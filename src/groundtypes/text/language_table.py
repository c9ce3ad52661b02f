"""A naive Bayes model over the n-grams of words: how probable a word is in each language.

The file `data/languages.bin` is a line of JSON and then, compressed, one byte for each place of a
hash table and each language: the log probability of the n-grams at that place, in steps.
`research/training/languages.py` writes it. The scores of a word are one integer with 16 bits for
each language, so that the scores of a text are one sum; they are read without numpy.
"""

import json
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final
from zlib import crc32

#: How many places the table has; a power of two.
PLACES: Final = 1 << 15
#: The largest byte of the table. 28 words of at most 37 n-grams each stay below 2 to the 16.
MAX_STEP: Final = 63
#: How many words may be added up.
MAX_WORDS: Final = 28
_MAX_LETTERS: Final = 12
_SIZES: Final = (2, 3, 4)
_MAX_CACHED: Final = 20_000
#: The share of words from which on a text may be English. Of three words one may be a name.
_MIN_ENGLISH: Final = 2 / 3


def word_features(word: str) -> Iterator[int]:
    """Yield the places of a word in lower case: of the word itself, and of its n-grams."""
    word = word[:_MAX_LETTERS]
    closed = f"_{word}_"
    yield _place(f"w{word}")
    for size in _SIZES:
        for start in range(len(closed) - size + 1):
            yield _place(closed[start : start + size])


def _place(feature: str) -> int:
    return crc32(feature.encode("utf-8", "replace")) & (PLACES - 1)


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """The table: its languages, the size of a step, and the rows with 16 bits for each language."""

    languages: tuple[str, ...]
    step: float
    _rows: bytes
    _words: dict[str, int] = field(default_factory=dict)

    def word(self, word: str) -> int:
        """Return the scores of a word in all languages, as one integer."""
        known = self._words.get(word)
        if known is not None:
            return known
        width = 2 * len(self.languages)
        total = sum(
            int.from_bytes(self._rows[place * width : (place + 1) * width], "little")
            for place in word_features(word)
        )
        if len(self._words) >= _MAX_CACHED:
            self._words.clear()
        self._words[word] = total
        return total

    def scores(self, words: Iterable[int]) -> tuple[float, ...]:
        """Return the log probability of some words in each language, up to a constant.

        Args:
            words: What `word` returned for each, at most `MAX_WORDS`.
        """
        count = len(self.languages)
        steps = struct.unpack(f"<{count}H", sum(words).to_bytes(2 * count, "little"))
        return tuple(self.step * value for value in steps)


@cache
def load_table() -> LanguageTable:
    """Return the table that is shipped, read once.

    Raises:
        ValueError: The file is damaged.
    """
    data = files("groundtypes.text").joinpath("data", "languages.bin").read_bytes()
    head, _, compressed = data.partition(b"\n")
    try:
        description = json.loads(head)
        values = zlib.decompress(compressed)
    except (ValueError, zlib.error) as error:
        raise ValueError("languages.bin is damaged") from error
    languages = tuple(description["languages"])
    if len(values) != PLACES * len(languages):
        raise ValueError("languages.bin is damaged")
    rows = bytearray(2 * len(values))
    rows[::2] = values
    return LanguageTable(languages, float(description["step"]), bytes(rows))


@cache
def _english_words() -> frozenset[str]:
    data = files("groundtypes.text").joinpath("data", "english_words.txt")
    return frozenset(data.read_text(encoding="ascii").split())


def is_mostly_english(words: Collection[str]) -> bool:
    """Return whether at least two thirds of some words in lower case are words of English.

    A few words of English may be probable in another language, letter by letter: "door", "is" and
    "open" are Dutch as well. A list of some 40,000 words is consulted only for a text that would be
    refused.
    """
    known = _english_words()
    count = sum(word.replace("\u2019", "'").removesuffix("'s") in known for word in words)
    return count >= _MIN_ENGLISH * len(words)
