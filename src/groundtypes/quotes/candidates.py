"""Where in the indexed texts a quote may stand: exactly, or nearly.

Every word of the quote votes for the places at which the quote would begin if this word stood
where the index says. Rare words weigh more; common ones are asked only where rare ones are few.
"""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple

from groundtypes.quotes.word_index import VOTE, Index, anchors_of
from groundtypes.text.characters import is_spaceless

__all__ = ["Guess", "Places"]

_rarity = itemgetter(0, 1)

#: Anchors are taken from so many characters of a long quote.
_HEAD: Final = 2_000
#: So many places of words are looked at; the first few words in any case.
_ENOUGH: Final = 48
_MOST: Final = 4_000
_FEWEST_WORDS: Final = 4
#: So many words are tried that stand in one place only.
_UNIQUE: Final = 2


class Guess(NamedTuple):
    """A place where a quote may stand: pairs of a position and an offset in the quote.

    `share` is about the share of the quote's words that stand there, by their weight; `number` is
    that of the text in which the positions are.
    """

    share: float
    number: int
    pairs: list[tuple[int, int]]


class Places:
    """The words of one quote with their places between two coordinates of an index."""

    def __init__(self, index: Index, quote: str, low: int = 0, high: int | None = None) -> None:
        """Look the words up."""
        self._index = index
        self._quote = quote
        self._low, self._high = low, high
        anchors = anchors_of(quote[:_HEAD])
        #: The number of words in the quote, or in the beginning of a long one.
        self.words = len(anchors)
        #: Some word inside the quote stands nowhere, so that it stands nowhere exactly.
        self.impossible = False
        self._missing = 0
        long = len(quote) > _HEAD
        slots = index.slots([key for key, _, _ in anchors], low, high)
        # The number of a word's places, its offset, their first slot, its residue.
        ranked: list[tuple[int, int, int, int | None]] = []
        for (key, offset, residue), (first, last) in zip(anchors, slots, strict=True):
            if first < last:
                certain = residue is None or not long
                ranked.append((last - first, offset, first, residue if certain else VOTE))
                continue
            if residue is None:
                self.impossible = True
            # Of a run without spaces, half of the blocks are cut otherwise in the texts; names of
            # entities and tags are no words.
            if not is_spaceless(key[0]) and not _is_markup(quote, offset):
                self._missing += 1
        # Of words that are equally rare the first: what is found must not depend on hashes.
        ranked.sort(key=_rarity)
        self._ranked = ranked
        self._weight = 0.0

    def exact(self) -> Iterator[tuple[int, int]]:
        """Yield the number of a text and the position in it, where the quote stands exactly."""
        if self.impossible:
            return
        quote, texts = self._quote, self._index.texts
        for count, offset, first, residue in self._ranked:
            if residue is not None:
                continue
            for place in self._index.places(first, first + count):
                number, base = self._index.home(place)
                start = place - base - offset
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

    def unique(self) -> Iterator[Guess]:
        """Yield the places of words inside the quote that stand in one place only.

        If the quote stands anywhere, it stands there.
        """
        for count, offset, first, residue in self._ranked[:_UNIQUE]:
            if count == 1 and residue is None:
                (place,) = self._index.places(first, first + 1)
                number, base = self._index.home(place)
                yield Guess(1.0, number, [(place - base, offset)])

    def guesses(self, most: int, least: float = 0.0) -> Iterator[Guess]:
        """Yield the places for which the words vote, the likeliest first.

        `most` is their number at most, `least` their least share.
        """
        if self._known < least * (self._known + self._missing * self._rarest):
            return
        votes = self._votes
        floor = least * self._weight
        weights: dict[int, float] = {}
        for bucket, vote in votes.items():
            following = votes.get(bucket + 1)
            weight = vote.weight + following.weight if following else vote.weight
            if weight >= floor:
                weights[bucket] = weight
        given: set[int] = set()
        for bucket in sorted(weights, key=lambda bucket: (-weights[bucket], bucket)):
            if bucket in given or bucket - 1 in given:
                continue
            given.update((bucket, bucket + 1))
            pairs = votes[bucket].pairs
            if bucket + 1 in votes:
                pairs = pairs + votes[bucket + 1].pairs
            yield self._guess(weights[bucket], pairs)
            most -= 1
            if not most:
                return

    @cached_property
    def _rarest(self) -> float:
        """The weight of a word that stands in one place, or in none."""
        return math.log(1 + max(self._index.size, 2))

    @cached_property
    def _known(self) -> float:
        """The weight of all words that stand anywhere."""
        size = max(self._index.size, 2)
        return sum(math.log(1 + size / count) for count, _, _, _ in self._ranked)

    def _guess(self, weight: float, pairs: list[tuple[int, int]]) -> Guess:
        number, base = 0, 0
        if len(self._index.bases) > 1:
            # Near the end of a text, words of the next one may vote for the same bucket.
            homes = Counter(self._index.home(place) for place, _ in pairs)
            number, base = homes.most_common(1)[0][0]
        end = base + len(self._index.texts[number])
        local = [(place - base, offset) for place, offset in pairs if base <= place < end]
        share = weight / self._weight if self._weight else 1.0
        return Guess(share, number, _by_agreement(local))

    @cached_property
    def _votes(self) -> "dict[int, _Vote]":
        """Let the words vote for buckets of places, the rarest first."""
        width = max(16, min(len(self._quote), _HEAD) // 6)
        votes: dict[int, _Vote] = {}
        asked = 0
        size = max(self._index.size, 2)
        self._weight = self._missing * self._rarest
        for words, (count, offset, first, _) in enumerate(self._ranked):
            taken = min(count, _MOST - asked)
            # Common words are asked only where rare ones are few.
            if (asked + count > _ENOUGH and words >= _FEWEST_WORDS) or taken <= 0:
                break
            asked += taken
            weight = math.log(1 + size / count)
            if taken == count:
                self._weight += weight
            for place in self._index.places(first, first + taken):
                bucket = (place - offset) // width
                vote = votes.get(bucket)
                if vote is None:
                    vote = votes[bucket] = _Vote()
                vote.weight += weight
                vote.pairs.append((place, offset))
        return votes


def _is_markup(quote: str, offset: int) -> bool:
    return offset > 0 and quote[offset - 1] in "&</#"


def _by_agreement(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs, first those that agree with most others on where the quote begins."""
    begins = [place - offset for place, offset in pairs]
    if begins.count(begins[0]) == len(begins):
        return pairs
    agreeing = Counter(begins)
    # Among the others the order stays: rare words first.
    return sorted(pairs, key=lambda pair: -agreeing[pair[0] - pair[1]])


class _Vote:
    """The weight of the words that vote for a bucket, and their places."""

    __slots__ = ("pairs", "weight")

    def __init__(self) -> None:
        self.weight = 0.0
        self.pairs: list[tuple[int, int]] = []
