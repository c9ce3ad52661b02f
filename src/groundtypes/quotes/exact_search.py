"""The search for a quote that stands in a text exactly, before anything else is looked up.

Where an index exists, the places of one word of the quote are tried. Where there is none yet, or
the word is common, short texts are scanned: that is faster than to build an index.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.quotes.word_index import WordIndex
from groundtypes.text.characters import fold, is_spaceless

__all__ = ["first_whole_match"]

#: Texts of more characters in all, or more texts, are not scanned; with an index, much fewer are.
_SCANNED: Final = 1_000_000
_SCANNED_WITH_INDEX: Final = 60_000
_SCANNED_TEXTS: Final = 64
#: At most so many exact occurrences are tried.
_MOST_PLACES: Final = 32
#: So many words in the first characters are looked up, and one that occurs more often is not used.
_LOOKED_UP: Final = 3
_LOOKED_AT: Final = 240
_MOST_POSTINGS: Final = 200


def first_whole_match(
    quote: str, texts: Sequence[str], numbers: range, size: int, index: WordIndex | None
) -> tuple[int, int] | None:
    """Return the number of a text and the start where the quote occurs exactly and cuts no word.

    Only the texts with these `numbers` are searched, which have `size` characters. The result is
    `None` also where the search would take long.
    """
    places = None
    if index is not None and size > _SCANNED_WITH_INDEX:
        places = _places_by_index(quote, texts, numbers, index)
    if places is None:
        if size > _SCANNED or len(numbers) > _SCANNED_TEXTS:
            return None
        places = _places_by_scanning(quote, texts, numbers)
    length = len(quote)
    for number, start in islice(places, _MOST_PLACES):
        text, end = texts[number], start + length
        if not is_cut(text, start, end) and not is_struck_out(text, start, end, quote):
            return number, start
    return None


def _places_by_scanning(
    quote: str, texts: Sequence[str], numbers: range
) -> Iterator[tuple[int, int]]:
    for number in numbers:
        text = texts[number]
        at = text.find(quote)
        while at >= 0:
            yield number, at
            at = text.find(quote, at + 1)


def _places_by_index(
    quote: str, texts: Sequence[str], numbers: range, index: WordIndex
) -> Iterator[tuple[int, int]] | None:
    """Return the places by the rarest of a few long words inside the quote.

    The result is `None` where there is no such word, or all of them are common.
    """
    words = sorted(filter(str.isalpha, quote[:_LOOKED_AT].split(" ")[1:-1]), key=len, reverse=True)[
        :_LOOKED_UP
    ]
    words = [word for word in words if word.isascii() or not any(map(is_spaceless, word))]
    if not words:
        return None
    ranges = index.posting_ranges(map(fold, words))
    count, (first, last), word = min(
        (last - first, (first, last), word)
        for (first, last), word in zip(ranges, words, strict=True)
    )
    if count > _MOST_POSTINGS:
        return None
    offset = quote.index(f" {word} ") + 1
    return _places_of_word(quote, texts, numbers, index, (first, last), offset)


def _places_of_word(
    quote: str,
    texts: Sequence[str],
    numbers: range,
    index: WordIndex,
    postings: tuple[int, int],
    offset: int,
) -> Iterator[tuple[int, int]]:
    for position in index.positions(*postings):
        number, base = index.locate(position)
        start = position - base - offset
        if start >= 0 and number in numbers and texts[number].startswith(quote, start):
            yield number, start
