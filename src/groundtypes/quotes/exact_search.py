"""The search for a quote that stands in a text exactly, before anything else is looked at.

Where an index exists, the places of one word of the quote are tried. Where there is none yet, short
texts are scanned: that is faster than to build an index.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.matches import MatchKind, QuoteMatch, places_by_scanning
from groundtypes.quotes.negations import left_out
from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.references import PerReferences, References

if TYPE_CHECKING:
    from groundtypes.quotes.word_index import WordIndex

#: Texts of more characters in all, or more texts, are not scanned; with an index, much fewer are.
_SCANNED: Final = 1_000_000
_SCANNED_WITH_INDEX: Final = 100_000
_SCANNED_TEXTS: Final = 64
#: At most so many exact occurrences are tried.
_MOST_PLACES: Final = 32


def _new_index(references: References) -> "WordIndex":
    from groundtypes.quotes.word_index import WordIndex  # noqa: PLC0415 # most quotes need none

    return WordIndex(references.texts)


word_index: Final = PerReferences(_new_index)


def exact_match(
    quote: str, references: References, within: str | None
) -> tuple[QuoteMatch | None, bool]:
    """Return where a quote occurs exactly and cuts nothing, if this is found quickly.

    With it comes whether the quote may occur exactly in another place.
    """
    texts = references.texts
    first_number = 0 if within is None else references.number(within)
    numbers = range(first_number, len(texts) if within is None else first_number + 1)
    index = word_index.existing(references)
    if is_scanned(texts[numbers.start : numbers.stop], has_index=index is not None):
        places = places_by_scanning(quote, texts, numbers)
    elif index is None:
        return None, True
    else:
        from groundtypes.quotes.candidates import CandidateSearch  # noqa: PLC0415 # as above

        places = CandidateSearch(index, quote, *range_of(references, index, within)).exact_matches()
    first = next(places, None)
    if first is None:
        return None, False
    place = first_whole_place(quote, texts, chain((first,), places))
    if place is None:
        return None, True
    number, start = place
    end = start + len(quote)
    if references.structures and cuts_code(references, number, start, end, quote):
        return None, True
    return QuoteMatch(quote, references.span_at(number, start, end), MatchKind.EXACT), True


def range_of(references: References, index: "WordIndex", within: str | None) -> tuple[int, int]:
    """Return the positions of an index between which one reference lies, or all of them."""
    if within is None:
        return 0, index.size
    number = references.number(within)
    low = index.bases[number]
    return low, low + len(references.texts[number])


def cuts_code(references: References, number: int, start: int, end: int, quote: str) -> bool:
    """Whether a span has a part of a code of a JSON value or table, or a key without its value."""
    structure = references.structures[number] if references.structures else None
    if structure is None:
        return False
    from groundtypes.quotes.cells import cuts_cell  # noqa: PLC0415 # not for prose

    return cuts_cell(references.texts[number], structure, start, end, quote)


def is_scanned(texts: Sequence[str], *, has_index: bool) -> bool:
    """Whether so many texts, with so many characters in all, are scanned."""
    most = _SCANNED_WITH_INDEX if has_index else _SCANNED
    return len(texts) <= _SCANNED_TEXTS and sum(map(len, texts)) <= most


def first_whole_place(
    quote: str, texts: Sequence[str], places: Iterable[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the first of a few places where the quote cuts nothing and is not struck out."""
    length = len(quote)
    for number, start in islice(places, _MOST_PLACES):
        text, end = texts[number], start + length
        if is_cut(text, start, end) or is_struck_out(text, start, end, quote):
            continue
        if left_out(text, start, end) is None:
            return number, start
    return None
