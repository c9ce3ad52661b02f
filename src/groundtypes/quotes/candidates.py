"""Candidates: the places of the indexed texts where a quote may occur, exactly or nearly.

Every word of the quote votes for the positions at which the quote would begin if this occurrence of
the word belonged to it. Rare words weigh more; common ones vote only where rare ones are few.
"""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple

from groundtypes.quotes.word_index import WordIndex, words_of_quote
from groundtypes.text.characters import is_spaceless

__all__ = ["Anchor", "Candidate", "CandidateSearch"]

_by_rarity = itemgetter(0, 1)

#: Of a long quote, only the words in this many characters at its beginning are looked up.
_LOOKED_UP: Final = 2_000
#: Another word does not vote if more than this many occurrences would then have voted ...
_ENOUGH_VOTES: Final = 48
#: ... except the rarest words, of which this many vote in any case, ...
_FEWEST_WORDS: Final = 4
#: ... with at most this many occurrences in all.
_MOST_VOTES: Final = 4_000
#: At most this many words that occur only once are tried before any vote.
_UNIQUE_WORDS: Final = 2

#: A word that the quote and a text share: its start in the text, and its offset in the quote.
Anchor = tuple[int, int]


class Candidate(NamedTuple):
    """A place where a quote may occur.

    `share` is about the share of the quote's words that occur there, by their weight; `number` is
    the number of the text. The anchors on which most words agree come first.
    """

    share: float
    number: int
    anchors: list[Anchor]


class _Bucket:
    """A few neighbouring positions at which the quote may begin: the votes for them."""

    __slots__ = ("anchors", "weight")

    def __init__(self) -> None:
        self.weight = 0.0
        self.anchors: list[Anchor] = []


class CandidateSearch:
    """The lookup of one quote's words between two positions of an index."""

    def __init__(self, index: WordIndex, quote: str, low: int = 0, high: int | None = None) -> None:
        """Look up the words of the quote in the index, from position `low` to `high` or the end."""
        self._index = index
        self._quote = quote
        self._low, self._high = low, high
        words = words_of_quote(quote[:_LOOKED_UP])
        #: The number of words in the quote, or in the beginning of a long one.
        self.word_count = len(words)
        #: A required word occurs nowhere, so the quote occurs nowhere exactly.
        self._is_impossible = False
        #: The number of words that occur nowhere.
        self._missing = 0
        ranges = index.posting_ranges([word for word, _, _ in words], low, high)
        # The number of a word's occurrences, its offset, its first posting, if it is required.
        ranked: list[tuple[int, int, int, bool]] = []
        for (word, offset, is_required), (first, last) in zip(words, ranges, strict=True):
            if first < last:
                ranked.append((last - first, offset, first, is_required))
                continue
            if is_required:
                self._is_impossible = True
            # Half of the blocks of a run without spaces are cut differently in the texts; the names
            # of HTML entities and tags are not words.
            if not is_spaceless(word[0]) and not _is_markup(quote, offset):
                self._missing += 1
        # Equally rare words stay in the quote's order, so that no result depends on hashes.
        ranked.sort(key=_by_rarity)
        self._ranked = ranked
        self._total_weight = 0.0

    def exact_matches(self) -> Iterator[tuple[int, int]]:
        """Yield the number of a text and the start in it, wherever the quote occurs exactly."""
        if self._is_impossible:
            return
        quote, texts = self._quote, self._index.texts
        for count, offset, first, is_required in self._ranked:
            if not is_required:
                continue
            for position in self._index.positions(first, first + count):
                number, base = self._index.locate(position)
                start = position - base - offset
                if start >= 0 and texts[number].startswith(quote, start):
                    yield number, start
            return
        yield from self._exact_matches_by_scanning()

    def _exact_matches_by_scanning(self) -> Iterator[tuple[int, int]]:
        """Search the texts themselves, for a quote without a required word."""
        bases, quote = self._index.bases, self._quote
        first = self._index.locate(self._low)[0] if self._low else 0
        for number in range(first, len(bases)):
            if self._high is not None and bases[number] >= self._high:
                return
            text = self._index.texts[number]
            at = text.find(quote)
            while at >= 0:
                yield number, at
                at = text.find(quote, at + 1)

    def from_unique_words(self) -> Iterator[Candidate]:
        """Yield the places of required words that occur only once.

        If the quote occurs anywhere, it occurs there.
        """
        for count, offset, first, is_required in self._ranked[:_UNIQUE_WORDS]:
            if count == 1 and is_required:
                (position,) = self._index.positions(first, first + 1)
                number, base = self._index.locate(position)
                yield Candidate(1.0, number, [(position - base, offset)])

    def from_votes(self, most: int, least_share: float = 0.0) -> Iterator[Candidate]:
        """Yield at most `most` places for which the words vote, the likeliest first.

        Places with less than `least_share` of the quote's weight are left out.
        """
        if self._known_weight < least_share * (
            self._known_weight + self._missing * self._largest_weight
        ):
            return
        buckets = self._buckets
        floor = least_share * self._total_weight
        weights: dict[int, float] = {}
        # A place may lie at the border of two buckets, so each is taken together with the next.
        for number, bucket in buckets.items():
            following = buckets.get(number + 1)
            weight = bucket.weight + following.weight if following else bucket.weight
            if weight >= floor:
                weights[number] = weight
        used: set[int] = set()
        for number in sorted(weights, key=lambda number: (-weights[number], number)):
            if number in used or number - 1 in used:
                continue
            used.update((number, number + 1))
            anchors = buckets[number].anchors
            if number + 1 in buckets:
                anchors = anchors + buckets[number + 1].anchors
            yield self._candidate(weights[number], anchors)
            most -= 1
            if not most:
                return

    @cached_property
    def _largest_weight(self) -> float:
        """The weight of a word that occurs once or never."""
        return math.log(1 + max(self._index.size, 2))

    @cached_property
    def _known_weight(self) -> float:
        """The weight of all words that occur anywhere."""
        size = max(self._index.size, 2)
        return sum(math.log(1 + size / count) for count, _, _, _ in self._ranked)

    def _candidate(self, weight: float, anchors: list[Anchor]) -> Candidate:
        """Return the place of anchors whose first members are positions."""
        number, base = 0, 0
        if len(self._index.bases) > 1:
            # Near the end of a text, words of the next one may vote for the same bucket.
            locations = Counter(self._index.locate(position) for position, _ in anchors)
            number, base = locations.most_common(1)[0][0]
        end = base + len(self._index.texts[number])
        in_text = [
            (position - base, offset) for position, offset in anchors if base <= position < end
        ]
        share = weight / self._total_weight if self._total_weight else 1.0
        return Candidate(share, number, _by_agreement(in_text))

    @cached_property
    def _buckets(self) -> dict[int, _Bucket]:
        """The votes of the words, the rarest first; sums up their total weight, too."""
        width = max(16, min(len(self._quote), _LOOKED_UP) // 6)
        buckets: dict[int, _Bucket] = {}
        votes = 0
        size = max(self._index.size, 2)
        self._total_weight = self._missing * self._largest_weight
        for words, (count, offset, first, _) in enumerate(self._ranked):
            taken = min(count, _MOST_VOTES - votes)
            # Common words vote only where rare ones are few.
            if (votes + count > _ENOUGH_VOTES and words >= _FEWEST_WORDS) or taken <= 0:
                break
            votes += taken
            weight = math.log(1 + size / count)
            if taken == count:
                self._total_weight += weight
            for position in self._index.positions(first, first + taken):
                number = (position - offset) // width
                bucket = buckets.get(number)
                if bucket is None:
                    bucket = buckets[number] = _Bucket()
                bucket.weight += weight
                bucket.anchors.append((position, offset))
        return buckets


def _is_markup(quote: str, offset: int) -> bool:
    """Whether the word is the name of an HTML entity or closing tag."""
    return offset > 0 and quote[offset - 1] in "&</#"


def _by_agreement(anchors: list[Anchor]) -> list[Anchor]:
    """Return the anchors, first those that agree with most others on where the quote begins."""
    begins = [start - offset for start, offset in anchors]
    if begins.count(begins[0]) == len(begins):
        return anchors
    agreeing = Counter(begins)
    # Anchors with equal agreement stay in their order: rare words first.
    return sorted(anchors, key=lambda anchor: -agreeing[anchor[0] - anchor[1]])
