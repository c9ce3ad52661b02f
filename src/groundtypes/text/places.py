"""Where in the indexed texts a quote may stand: exactly, or nearly.

Every word of the quote votes for the places at which the quote would begin if this word stood
where the index says. Rare words weigh more; common ones are asked only where rare ones are few.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from groundtypes.text.index import VOTE, Anchor, Index, anchors_of

__all__ = ["Guess", "Places"]

#: Anchors are taken from so many characters of a long quote.
_HEAD: Final = 2_000
#: So many places of words are looked at; the first few words in any case.
_ENOUGH: Final = 200
_MOST: Final = 4_000
_FEWEST_WORDS: Final = 4
#: Places noted for each guess.
_NOTED: Final = 4


class Guess(NamedTuple):
    """A place where a quote may stand: pairs of a coordinate and the offset in the quote."""

    weight: float
    pairs: list[tuple[int, int]]


class Places:
    """The words of one quote with their places between two coordinates of an index."""

    def __init__(self, index: Index, quote: str, low: int = 0, high: int | None = None) -> None:
        """Look the words up."""
        self._index = index
        self._quote = quote
        self._low, self._high = low, high
        ranked: list[tuple[int, int, Anchor]] = []
        #: Some word inside the quote stands nowhere, so that it stands nowhere exactly.
        self.impossible = False
        for anchor in anchors_of(quote[:_HEAD]):
            if anchor.residue is not None and len(quote) > _HEAD:
                anchor = anchor._replace(residue=VOTE)
            first, last = index.slots(anchor.key, low, high)
            if first < last:
                ranked.append((last - first, first, anchor))
            elif anchor.residue is None:
                self.impossible = True
        ranked.sort()
        self._ranked = ranked

    def exact(self) -> Iterator[tuple[int, int]]:
        """Yield the number of a text and the position in it, where the quote stands exactly."""
        if self.impossible:
            return
        quote, texts = self._quote, self._index.texts
        for count, first, anchor in self._ranked:
            if anchor.residue is not None:
                continue
            for place in self._index.places(first, first + count):
                number, base = self._index.home(place)
                start = place - base - anchor.offset
                if start >= 0 and texts[number].startswith(quote, start):
                    yield number, start
            return
        yield from self._scanned()

    def _scanned(self) -> Iterator[tuple[int, int]]:
        """Look through the texts themselves, for a quote without a whole word inside."""
        bases, quote = self._index.bases, self._quote
        first = self._index.home(self._low)[0] if self._low else 0
        for number in range(first, len(bases)):
            if self._high is not None and bases[number] >= self._high:
                return
            text = self._index.texts[number]
            at = text.find(quote)
            while at >= 0:
                yield number, at
                at = text.find(quote, at + 1)

    def guesses(self, most: int) -> list[Guess]:
        """Return the places for which the words vote, the likeliest first."""
        width = max(24, min(len(self._quote), _HEAD) // 3)
        # Two grids, shifted by half a bucket, so that no place is torn apart by both.
        grids: tuple[dict[int, float], dict[int, float]] = ({}, {})
        noted: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._vote(grids, noted, width)
        found = [
            (weight, grid, bucket)
            for grid, votes in enumerate(grids)
            for bucket, weight in votes.items()
        ]
        found.sort(key=lambda item: (-item[0], item[2], item[1]))
        guesses: list[Guess] = []
        seen: set[tuple[int, int]] = set()
        for weight, grid, bucket in found:
            pairs = noted[grid, bucket]
            if pairs[0] in seen:
                continue
            seen.update(pairs)
            guesses.append(Guess(weight, pairs))
            if len(guesses) == most:
                break
        return guesses

    def _vote(
        self,
        grids: tuple[dict[int, float], dict[int, float]],
        noted: dict[tuple[int, int], list[tuple[int, int]]],
        width: int,
    ) -> None:
        asked = 0
        size = max(self._index.size, 2)
        for words, (count, first, anchor) in enumerate(self._ranked):
            if asked >= _ENOUGH and words >= _FEWEST_WORDS:
                return
            taken = min(count, _MOST - asked)
            if taken <= 0:
                return
            asked += taken
            weight = math.log(1 + size / count)
            offset = anchor.offset
            for place in self._index.places(first, first + taken):
                for grid, shift in enumerate((0, width // 2)):
                    bucket = (place - offset + shift) // width
                    votes = grids[grid]
                    votes[bucket] = votes.get(bucket, 0.0) + weight
                    pairs = noted.setdefault((grid, bucket), [])
                    if len(pairs) < _NOTED:
                        pairs.append((place, offset))
