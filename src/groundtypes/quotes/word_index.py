"""The word index: at which positions each word occurs, over many texts, in a few bytes a word.

All texts share one coordinate, the *position*: text `i` begins at position `bases[i]`, and one
character lies between two texts. A word is folded once for each distinct spelling, not at each
occurrence. Runs of scripts that put no spaces between words are cut into blocks of two characters;
where a block begins in the text is not known, so a quote is cut in both possible ways.
"""

import re
from array import array
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundtypes.quotes.patterns import compiled
from groundtypes.text.characters import INVISIBLE, MARKS, SPACELESS, WORD, fold

_ASCII_WORD: Final = re.compile(r"[0-9A-Za-z]+")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
#: Characters among which all words are ASCII: they separate words, and have no other case.
_ASCII_WORDS: Final = frozenset("\xa0\u2009\u202f\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2026")
_BLOCK: Final = rf"[{SPACELESS}][{MARKS}]*(?:[{SPACELESS}][{MARKS}]*)?"
_WORD_OR_BLOCK: Final = rf"{WORD}+|{_BLOCK}"
_WORD_OR_SPACELESS_RUN: Final = rf"({WORD}+)|((?:[{SPACELESS}][{MARKS}]*)+)"
_SPACELESS_CHARACTER: Final = rf"[{SPACELESS}][{MARKS}]*"
_MARK: Final = f"[{MARKS}]"
#: A hyphen at the end of a line, or of what was one; a word is looked up in one piece, too.
_HYPHENATION: Final = re.compile(
    rf"[-\u00ac\u00ad\u2010](?:{INVISIBLE.pattern})?\s{{1,40}}(?:{INVISIBLE.pattern})?(?=[^\W\d_])"
)
_FIRST_PART: Final = rf"{WORD}+\Z"
_LAST_PART: Final = rf"{WORD}+"
_LONGEST_PART: Final = 40
#: A word or block of a quote: its folded form, its offset in the quote, and whether it is
#: *required*: every exact occurrence of the quote has this word at this offset. A word at the edge
#: of the quote is not, because the quote may begin or end inside a longer word of the text.
QuoteWord = tuple[str, int, bool]


class WordIndex:
    """An immutable index over texts."""

    __slots__ = ("_hashes", "_offsets", "_positions", "bases", "size", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the words of the texts."""
        self.texts = texts
        is_wide = sum(map(len, texts)) + len(texts) >= 1 << 32
        self.bases = array("Q")
        by_hash = _by_folded_hash(_positions_of_spellings(texts, self.bases))
        self.size = self.bases[-1] + len(texts[-1]) if texts else 0
        #: The words by their hash, ascending; the positions of word `i` are
        #: `_positions[_offsets[i] : _offsets[i + 1]]`.
        self._hashes = array("q", sorted(by_hash))
        self._offsets = array("Q" if is_wide else "I", [0])
        self._positions = array("Q" if is_wide else "I")
        for key in self._hashes:
            positions = by_hash.pop(key)
            self._positions.extend(positions)
            self._offsets.append(len(self._positions))

    def posting_ranges(
        self, words: Iterable[str], low: int = 0, high: int | None = None
    ) -> list[tuple[int, int]]:
        """Return which postings of each word lie between two positions; `(0, 0)` for none."""
        hashes, offsets, positions = self._hashes, self._offsets, self._positions
        high = self.size if high is None else high
        is_part = low > 0 or high < self.size
        ranges: list[tuple[int, int]] = []
        for word_hash in map(hash, words):
            at = bisect_left(hashes, word_hash)
            if at == len(hashes) or hashes[at] != word_hash:
                ranges.append((0, 0))
                continue
            first, last = offsets[at], offsets[at + 1]
            if is_part:
                first = bisect_left(positions, low, first, last)
                last = bisect_left(positions, high, first, last)
            ranges.append((first, last))
        return ranges

    def positions(self, first: int, last: int) -> "array[int]":
        """Return the positions in a range of postings, ascending."""
        return self._positions[first:last]

    def locate(self, position: int) -> tuple[int, int]:
        """Return the number of the text that holds a position, and the text's base."""
        if len(self.bases) == 1:
            return 0, 0
        number = bisect_right(self.bases, position) - 1
        return number, self.bases[number]

    def has_word(self, word: str) -> bool:
        """Whether the folded word occurs in the texts."""
        ((first, last),) = self.posting_ranges((word,))
        return first < last


def _positions_of_spellings(texts: Sequence[str], bases: "array[int]") -> dict[str, list[int]]:
    """Return the positions of every spelling, and append the base of each text to `bases`."""
    positions: dict[str, list[int]] = defaultdict(list)
    base = 0
    for text in texts:
        bases.append(base)
        pattern = _ASCII_WORD if text.isascii() else compiled(_WORD_OR_BLOCK)
        for match in pattern.finditer(text):
            positions[match[0]].append(base + match.start())
        for word, offset in _hyphenated_words(text):
            insort(positions[word], base + offset)
        base += len(text) + 1
    return positions


def _hyphenated_words(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word that is hyphenated across lines in one piece, and where it begins."""
    for match in _HYPHENATION.finditer(text):
        start, end = match.span()
        first = compiled(_FIRST_PART).search(text, max(0, start - _LONGEST_PART), start)
        last = compiled(_LAST_PART).match(text, end, end + _LONGEST_PART)
        if first and last and text[start - 1].isalpha():
            yield first[0] + last[0], first.start()


def _by_folded_hash(by_spelling: dict[str, list[int]]) -> dict[int, list[int]]:
    """Return the positions by the hash of the folded word, over all its spellings."""
    by_hash: dict[int, list[int]] = {}
    for spelling in list(by_spelling):
        positions = by_spelling.pop(spelling)
        word = fold(spelling)
        if not word:
            continue
        all_positions = by_hash.setdefault(hash(word), positions)
        if all_positions is not positions:
            all_positions += positions
            all_positions.sort()
    return by_hash


def words_of_quote(quote: str) -> list[QuoteWord]:
    """Return the words and blocks of a quote by which it can be looked up."""
    size = len(quote)
    is_ascii = quote.isascii()
    words: list[QuoteWord] = []
    if not is_ascii or "-" in quote:
        words = [(fold(word), start, False) for word, start in _hyphenated_words(quote)]
    if is_ascii or _ASCII_WORDS.issuperset(_NOT_ASCII.findall(quote)):
        first = len(words)
        words += [(match[0], match.start(), True) for match in _ASCII_WORD.finditer(quote.lower())]
        if first < len(words):
            for at in (first, -1):
                word, start, _ = words[at]
                words[at] = (word, start, start > 0 and start + len(word) < size)
        return words
    for match in compiled(_WORD_OR_SPACELESS_RUN).finditer(quote):
        start, end = match.span()
        if match[1] is not None:
            if word := fold(match[1]):
                words.append((word, start, start > 0 and end < size))
        else:
            words += _blocks(quote, start, end)
    return words


def _blocks(quote: str, start: int, end: int) -> Iterator[QuoteWord]:
    """Yield the blocks of two characters of a run without spaces, in both ways of cutting it.

    A block is required where the text must be cut in the same way: where the run begins inside the
    quote, every second block. A mark before the run may belong to a character that the quote leaves
    out, and a mark after its last character may be left out too; such blocks are not required.
    """
    starts = [match.start() for match in compiled(_SPACELESS_CHARACTER).finditer(quote, start, end)]
    starts.append(end)
    begins_inside = start > 0 and not compiled(_MARK).match(quote, start - 1)
    for number in range(len(starts) - 1):
        last = min(number + 2, len(starts) - 1)
        word = fold(quote[starts[number] : starts[last]])
        if not word:
            continue
        ends_inside = end < len(quote) or last < len(starts) - 1
        yield word, starts[number], begins_inside and ends_inside and number % 2 == 0
