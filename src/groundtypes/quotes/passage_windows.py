"""Windows of a long stretch: as many whole words around what differs as a message may show."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from groundtypes.quotes.scanner import count_words
from groundtypes.text.characters import MARKS, SPACELESS

__all__ = ["Windows"]

#: The bounds of the first window are moved by so many words each.
_MOVES: Final = 6
#: So many characters on each side of the stretch are read, too: a window may have to begin or end
#: outside of it, with the sign or unit of a number.
_BESIDE: Final = 90
#: So many characters on each side of what differs are read.
_REACH: Final = 260
_WORD: Final = re.compile(r"[^\s\ud800-\udfff]+")
#: In a script without spaces, a window may begin and end with a clause, else with a character.
_CLAUSE: Final = re.compile(
    r"[^\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f]{1,40}[\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f]+"
)
_CLAUSE_CHARACTERS: Final = 30
_CHARACTER: Final = re.compile(f"[{SPACELESS}][{MARKS}]*|[^{SPACELESS}]+")
_HAS_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
#: What may follow a word and is left out where a window ends with the word.
_STOPS: Final = ".,;:\u3001\u3002\uff0c\uff1b\uff1a"


class Windows:
    """The windows of a stretch that have what differs."""

    def __init__(
        self,
        text: str,
        stretch: tuple[int, int],
        focus: tuple[int, int],
        most_characters: int,
        most_words: int | None,
    ) -> None:
        """Prepare the windows of a stretch.

        Args:
            text: The whole text.
            stretch: Where the stretch starts and ends.
            focus: Where what differs starts and ends.
            most_characters: How long a window may be.
            most_words: How many words it may have; `None` if any number.
        """
        start = focus[0]
        while start < len(text) and text[start].isspace():
            start += 1
        end = min(max(focus[1], start + 1), start + most_characters // 2)
        low = max(0, stretch[0] - _BESIDE, start - _REACH)
        high = min(len(text), stretch[1] + _BESIDE, end + _REACH)
        self._text = text
        self._most_characters = most_characters
        longest_clause = _CLAUSE_CHARACTERS if most_words is None else most_words
        self._pieces = list(_pieces(text, low, high, min(longest_clause, _CLAUSE_CHARACTERS)))
        #: Twice the number of words of each piece: a spaceless character is half a word.
        self._sizes = [_half_words(text[start:end]) for start, end in self._pieces]
        self._most_size = None if most_words is None else 2 * most_words + 1
        self._inner = _touched(self._pieces, *stretch)
        #: The first and the last piece of what differs; `None` where what differs is in a
        #: word that is longer than what is read.
        self._core = _touched(self._pieces, start, end)
        while self._core and self._core[1] > self._core[0] and not self._fits(*self._core):
            self._core = self._core[0], self._core[1] - 1

    def candidates(self) -> Iterator[tuple[int, int]]:
        """Yield the bounds of windows: the widest one within the stretch, then those near it.

        The last ones have only the beginning of what differs.
        """
        if self._core is None:
            return
        yield from self._near(*self._core)
        if self._core[0] < self._core[1]:
            yield from self._near(self._core[0], self._core[0])

    def _near(self, core_first: int, core_last: int) -> Iterator[tuple[int, int]]:
        """Yield the bounds of the widest window around some pieces, then those of windows near."""
        first, last = self._widest(core_first, core_last)
        moves = range(-_MOVES, _MOVES + 1)
        for left, right in sorted(product(moves, moves), key=lambda pair: sum(map(abs, pair))):
            low, high = first + left, last + right
            if (
                0 <= low <= core_first
                and core_last <= high < len(self._pieces)
                and self._fits(low, high)
            ):
                yield self._bounds(low, high)

    def _fits(self, low: int, high: int) -> bool:
        """Whether the pieces between two of them, inclusive, are few enough."""
        if self._pieces[high][1] - self._pieces[low][0] > self._most_characters:
            return False
        return self._most_size is None or sum(self._sizes[low : high + 1]) <= self._most_size

    def _widest(self, first: int, last: int) -> tuple[int, int]:
        """Return the first and the last piece of the widest window around those of the core."""
        low, high = self._inner or (first, last)
        is_growing = True
        while is_growing:
            is_growing = False
            if last < high and self._fits(first, last + 1):
                last += 1
                is_growing = True
            if first > low and self._fits(first - 1, last):
                first -= 1
                is_growing = True
        return first, last

    def _bounds(self, low: int, high: int) -> tuple[int, int]:
        start, end = self._pieces[low][0], self._pieces[high][1]
        while end > self._pieces[high][0] + 1 and self._text[end - 1] in _STOPS:
            end -= 1
        return start, end


def _half_words(piece: str) -> int:
    return count_words(piece * 2) if _HAS_SPACELESS.search(piece) else 2 * count_words(piece)


def _pieces(text: str, low: int, high: int, longest_clause: int) -> Iterator[tuple[int, int]]:
    """Yield where words start and end; a word that is cut off at either end is none.

    In a script without spaces, these are clauses, and the characters of longer ones.
    """
    for word in _WORD.finditer(text, low, high):
        start, end = word.span()
        if not _HAS_SPACELESS.search(word[0]):
            is_whole = not (start == low > 0 and not text[low - 1].isspace()) and not (
                end == high < len(text) and not text[high].isspace()
            )
            if is_whole:
                yield start, end
            continue
        while start < end:
            piece = _CLAUSE.match(text, start, end)
            if piece is None or len(piece[0]) > longest_clause:
                piece = _CHARACTER.match(text, start, end)
            if piece is None:  # pragma: no cover # every character matches
                return
            yield piece.span()
            start = piece.end()


def _touched(pieces: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    """Return the first and the last piece that a stretch has a part of."""
    touched = [
        number
        for number, piece in enumerate(pieces)
        if piece[0] < max(end, start + 1) and piece[1] > start
    ]
    return (touched[0], touched[-1]) if touched else None
