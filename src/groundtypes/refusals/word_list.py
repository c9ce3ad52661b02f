"""The words that the convolutional model knows: looked up whole, by a prefix, or in a run."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["WordList"]

#: A word that is not known is read as those that share a prefix with it, of more than so many
#: characters and of more than half of the word. At most so many of them count.
_MIN_SHARED: Final = 3
_MAX_SIMILAR: Final = 8


class WordList:
    """Words in code point order, each with its number."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take the words; they must be in order, and none may occur twice."""
        self._words = words
        self._numbers = {word: number for number, word in enumerate(words)}
        self._longest = max(map(len, words), default=0)

    def similar(self, word: str) -> Sequence[int]:
        """Return the number of a word, or those of known words that share a long prefix with it."""
        number = self._numbers.get(word)
        if number is not None:
            return (number,)
        place = bisect_left(self._words, word)
        neighbours = self._words[max(0, place - 1) : place + 1]
        shared = max((_shared_prefix(word, neighbour) for neighbour in neighbours), default=0)
        if shared <= max(_MIN_SHARED, len(word) // 2):
            return ()
        prefix = word[:shared]
        first = bisect_left(self._words, prefix)
        candidates = self._words[first : first + _MAX_SIMILAR]
        count = sum(candidate.startswith(prefix) for candidate in candidates)
        return range(first, first + count)

    def segments(self, run: str) -> Iterator[str]:
        """Yield the known words in a run without spaces, from its beginning, the longest first.

        A character at which no known word begins is passed over.
        """
        start = 0
        while start < len(run):
            for end in range(min(len(run), start + self._longest), start, -1):
                if run[start:end] in self._numbers:
                    yield run[start:end]
                    start = end
                    break
            else:
                start += 1


def _shared_prefix(first: str, second: str) -> int:
    for length, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return length
    return min(len(first), len(second))
