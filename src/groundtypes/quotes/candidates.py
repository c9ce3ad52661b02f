"""Candidates: the places of the indexed texts where a quote may occur, exactly or nearly.

Every word of the quote votes for the positions at which the quote would begin if this occurrence of
the word belonged to it. Rare words weigh more; common ones vote only where rare ones are few.
"""

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from groundtypes.quotes.matches import places_by_scanning
from groundtypes.quotes.word_index import QuoteWord, WordIndex, words_of_quote
from groundtypes.text.characters import WORD, fold, is_spaceless

_by_rarity = itemgetter(0, 1)

#: Of a long quote, only the words in this many characters at its beginning are looked up.
_LOOKED_UP: Final = 2_000
#: Another word does not vote if more than this many occurrences would then have voted ...
_ENOUGH_VOTES: Final = 48
#: ... except the rarest words, of which this many vote in any case, ...
_FEWEST_WORDS: Final = 4
#: ... with at most this many occurrences in all.
_MOST_VOTES: Final = 4_000
#: So many long words in the first characters of a quote are looked up before the others; an exact
#: match is looked for at the rarest of them, unless it occurs more often than this.
_LONG_WORDS: Final = 3
_LOOKED_AT: Final = 240
_MOST_POSTINGS: Final = 200
#: The rarest long word is tried before any vote if it occurs at most so often.
_FEW_PLACES: Final = 3
#: Where one long word is missing, the rarer of the other two is compared with the third if it
#: occurs at most so often. They agree where they lie as far apart as in the quote, give or take so
#: many characters.
_COMPARED_PLACES: Final = 6
_SHIFT: Final = 2
_WORD: Final = rf"{WORD}+"

#: A word that the quote and a text share: its start in the text, and its offset in the quote.
Anchor = tuple[int, int]


class Candidate(NamedTuple):
    """A place where a quote may occur.

    `share` is about the share of the quote's words that occur there, by their weight; `number` is
    the number of the text. The anchors of rare words come first.
    """

    share: float
    number: int
    anchors: list[Anchor]


class _Lookup(NamedTuple):
    """What is known about the words of a quote.

    `ranked` has for each word that occurs, the rarest first: the number of its occurrences, its
    offset in the quote, its first posting, and whether it is required. If a required word occurs
    nowhere, an exact match is impossible.
    """

    ranked: list[tuple[int, int, int, bool]]
    missing_weight: float
    is_impossible: bool


class CandidateSearch:
    """The lookup of one quote's words between two positions of an index; the long words first."""

    def __init__(self, index: WordIndex, quote: str, low: int = 0, high: int | None = None) -> None:
        """Look up the long words in the index, from position `low` to `high` or the end."""
        self._index = index
        self._quote = quote
        self._low, self._high = low, high
        self._total_weight = 0.0
        self._long_words = self._find_long_words()
        self._tried_word = self._rarest_long_word()

    @cached_property
    def _words(self) -> list[QuoteWord]:
        return words_of_quote(self._quote[:_LOOKED_UP])

    @property
    def word_count(self) -> int:
        """The number of words in the quote, or in the beginning of a long one."""
        return len(self._words)

    @cached_property
    def _lookup(self) -> _Lookup:
        """All words of the quote in the index."""
        words = self._words
        ranges = self._index.posting_ranges([word for word, _, _ in words], self._low, self._high)
        ranked = [
            (last - first, offset, first, is_required)
            for (_, offset, is_required), (first, last) in zip(words, ranges, strict=True)
            if first < last
        ]
        missing, is_impossible = 0, False
        if len(ranked) < len(words):
            for (word, _, is_required), (first, last) in zip(words, ranges, strict=True):
                if first < last:
                    continue
                is_impossible |= is_required
                # Half of the blocks of a run without spaces are cut differently in the texts.
                missing += not is_spaceless(word[0])
        # Equally rare words stay in the quote's order, so that no result depends on hashes.
        ranked.sort(key=_by_rarity)
        # A word that occurs nowhere weighs as much as one that occurs once.
        missing_weight = missing * math.log(1 + max(self._index.size, 2))
        return _Lookup(ranked, missing_weight, is_impossible)

    def _find_long_words(self) -> list[tuple[int, int, int]]:
        """Return count, offset and first posting of a few long words, the rarest first."""
        quote = self._quote
        words = sorted(quote[:_LOOKED_AT].split(" ")[1:-1], key=len, reverse=True)
        words = list(islice(filter(str.isalpha, words), _LONG_WORDS))
        if not quote.isascii():
            words = [word for word in words if word.isascii() or re.fullmatch(_WORD, word)]
        ranges = self._index.posting_ranges(map(fold, words), self._low, self._high)
        return sorted(
            [
                (last - first, quote.index(f" {word} ") + 1, first)
                for word, (first, last) in zip(words, ranges, strict=True)
            ]
        )

    def exact_matches(self) -> Iterator[tuple[int, int]]:
        """Yield the number of a text and the start in it, wherever the quote occurs exactly."""
        if self._long_words and self._long_words[0][0] <= _MOST_POSTINGS:
            yield from self._exact_matches_at(*self._long_words[0])
            return
        if self._lookup.is_impossible:
            return
        for count, offset, first, is_required in self._lookup.ranked:
            if is_required:
                yield from self._exact_matches_at(count, offset, first)
                return
        first_text = self._index.locate(self._low)[0] if self._low else 0
        high = self._index.size if self._high is None else self._high
        numbers = range(first_text, bisect_left(self._index.bases, high))
        yield from places_by_scanning(self._quote, self._index.texts, numbers)

    def _exact_matches_at(self, count: int, offset: int, first: int) -> Iterator[tuple[int, int]]:
        """Yield the exact matches at the occurrences of one word."""
        quote, texts = self._quote, self._index.texts
        for position in self._index.positions(first, first + count):
            number, base = self._index.locate(position)
            start = position - base - offset
            if start >= 0 and texts[number].startswith(quote, start):
                yield number, start

    def from_long_word(self) -> Iterator[Candidate]:
        """Yield the only places where the quote can be, by its rarest long word, if few."""
        if self._tried_word is not None:
            count, offset, first = self._tried_word
            for position in self._index.positions(first, first + count):
                number, base = self._index.locate(position)
                yield Candidate(1.0, number, [(position - base, offset)])

    def _rarest_long_word(self) -> tuple[int, int, int] | None:
        """Return the rarest long word that occurs, if it occurs only a few times.

        Where another long word is missing, the quote has a typo in that one or occurs nowhere, and
        at most one place is tried.
        """
        known = [word for word in self._long_words if word[0]]
        if not known:
            return None
        if len(known) == len(self._long_words):
            return known[0] if known[0][0] <= _FEW_PLACES else None
        if len(known) > 1 and known[0][0] <= _COMPARED_PLACES:
            return self._where_they_agree(known[0], known[1])
        return known[0] if known[0][0] == 1 else None

    def _where_they_agree(
        self, word: tuple[int, int, int], other: tuple[int, int, int]
    ) -> tuple[int, int, int] | None:
        """Return a word at the first place where it lies as far from another as in the quote."""
        count, offset, first = word
        other_count, other_offset, other_first = other
        nearest = other_offset - offset - _SHIFT
        others = self._index.positions(other_first, other_first + other_count)
        for at, position in enumerate(self._index.positions(first, first + count), first):
            found = bisect_left(others, position + nearest)
            if found < other_count and others[found] <= position + nearest + 2 * _SHIFT:
                return 1, offset, at
        return None

    def from_votes(self, most: int, least_share: float = 0.0) -> Iterator[Candidate]:
        """Yield the likeliest places by votes, at most so many, with so much of the weight."""
        if not self._has_share(least_share):
            return
        votes, anchors = self._votes
        floor = least_share * self._total_weight
        if 2 * max(votes.values(), default=0.0) < floor:
            return
        weights: dict[int, float] = {}
        # A place may lie at the border of two buckets, so each is taken together with the next.
        for bucket, weight in votes.items():
            both = weight + votes.get(bucket + 1, 0.0)
            if both >= floor:
                weights[bucket] = both
        used: set[int] = set()
        for bucket in sorted(weights, key=lambda bucket: (-weights[bucket], bucket)):
            if bucket in used or bucket - 1 in used:
                continue
            used.update((bucket, bucket + 1))
            yield self._candidate(weights[bucket], anchors[bucket] + anchors.get(bucket + 1, []))
            most -= 1
            if not most:
                return

    def _has_share(self, least_share: float) -> bool:
        """Whether the words that occur anywhere have at least this share of the quote's weight."""
        size = max(self._index.size, 2)
        lacking = least_share * self._lookup.missing_weight
        for count, _, _, _ in self._lookup.ranked:
            if lacking <= 0:
                return True
            lacking -= (1 - least_share) * math.log(1 + size / count)
        return lacking <= 0

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
        return Candidate(share, number, in_text)

    @cached_property
    def _votes(self) -> tuple[dict[int, float], dict[int, list[Anchor]]]:
        """The votes of the words, the rarest first; sums up their total weight, too.

        The key is a *bucket*: a few neighbouring positions at which the quote may begin. For each
        there is the weight of the votes and the anchors that voted.
        """
        width = max(16, min(len(self._quote), _LOOKED_UP) // 6)
        weights: dict[int, float] = {}
        anchors: dict[int, list[Anchor]] = {}
        votes = 0
        size = max(self._index.size, 2)
        self._total_weight = self._lookup.missing_weight
        for words, (count, offset, first, _) in enumerate(self._lookup.ranked):
            taken = min(count, _MOST_VOTES - votes)
            # Common words vote only where rare ones are few.
            if (votes + count > _ENOUGH_VOTES and words >= _FEWEST_WORDS) or taken <= 0:
                break
            votes += taken
            weight = math.log(1 + size / count)
            if taken == count:
                self._total_weight += weight
            for position in self._index.positions(first, first + taken):
                bucket = (position - offset) // width
                if bucket in weights:
                    weights[bucket] += weight
                    anchors[bucket].append((position, offset))
                else:
                    weights[bucket] = weight
                    anchors[bucket] = [(position, offset)]
        return weights, anchors
