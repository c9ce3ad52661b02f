"""The search for a quote that stands in a text exactly, before anything else is looked at.

Where an index exists, the places of one word of the quote are tried. Where there is none yet, short
texts are scanned: that is faster than to build an index.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.negations import negation_before
from groundtypes.quotes.struck_out import is_struck_out

__all__ = ["first_whole_place", "is_scanned", "places_by_scanning"]

#: Texts of more characters in all, or more texts, are not scanned; with an index, much fewer are.
_SCANNED: Final = 1_000_000
_SCANNED_WITH_INDEX: Final = 30_000
_SCANNED_TEXTS: Final = 64
#: At most so many exact occurrences are tried.
_MOST_PLACES: Final = 32


def is_scanned(size: int, count: int, *, has_index: bool) -> bool:
    """Whether so many texts, with so many characters in all, are scanned."""
    return size <= (_SCANNED_WITH_INDEX if has_index else _SCANNED) and count <= _SCANNED_TEXTS


def places_by_scanning(
    quote: str, texts: Sequence[str], numbers: range
) -> Iterator[tuple[int, int]]:
    """Yield the number of a text and the start in it, wherever the quote occurs exactly."""
    for number in numbers:
        text = texts[number]
        at = text.find(quote)
        while at >= 0:
            yield number, at
            at = text.find(quote, at + 1)


def first_whole_place(
    quote: str, texts: Sequence[str], places: Iterable[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the first of these places where the quote cuts nothing and is not struck out.

    The result is `None` also where the search would take long.
    """
    length = len(quote)
    for number, start in islice(places, _MOST_PLACES):
        text, end = texts[number], start + length
        if is_cut(text, start, end) or is_struck_out(text, start, end, quote):
            continue
        if negation_before(text, start) is None:
            return number, start
    return None
