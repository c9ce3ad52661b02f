"""The inner search: where one quote without ellipses occurs, and the passage most like it.

Occurrences are looked for in the order of their cost: exact ones, then candidates on the fast path,
then those that are left on the slow path, and at last passages that differ by a few typos.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from groundtypes.quotes.alignment import Alignment, Edit
from groundtypes.quotes.candidates import Candidate, CandidateSearch
from groundtypes.quotes.fast_path import FastMatch, FoldedQuote, fast_match
from groundtypes.quotes.layout import layout_difference, stretch_with_marks
from groundtypes.quotes.letter_case import case_difference
from groundtypes.quotes.matches import MatchKind, Occurrence
from groundtypes.quotes.page_breaks import without_interruptions
from groundtypes.quotes.slow_path import TokenComparison
from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.quotes.tokens import MEANINGFUL
from groundtypes.quotes.tolerance import are_tolerable
from groundtypes.quotes.word_index import WordIndex
from groundtypes.text.characters import QUOTATION_MARKS

#: A longer quote is searched for exactly, but not compared token by token.
_LONGEST: Final = 100_000
#: How many candidates are tried for an occurrence, and how many for typos and near misses.
_CANDIDATES: Final = 12
_NEAR_CANDIDATES: Final = 3
#: A candidate must have this share of the quote's words, by weight, ...
_LEAST_SHARE: Final = 0.3
#: After an occurrence with typos, another candidate is tried only if its share is at least this
#: part of that one's.
_RIVAL_SHARE: Final = 0.8
#: After this many exact occurrences no further exact one is looked for; most are inside longer
#: words.
_MOST_EXACT: Final = 1_000
#: How much text around a passage with page breaks is read.
_PAGE_CONTEXT: Final = 200
#: Characters at a quote's end in which a full stop is looked for.
_QUOTE_END: Final = 12
#: A full stop at the end of a quote, and a question or exclamation mark in its place in the text.
_FULL_STOP: Final = re.compile(rf"(?<!\.)[.\u3002][{QUOTATION_MARKS}*_)\]\s]{{0,9}}\Z")
_QUESTION_MARK: Final = re.compile(rf"[{QUOTATION_MARKS}*_)\]\s]{{0,9}}[?!\uff1f\uff01]")


class OccurrenceSearch:
    """The search for one quote between two positions of an index."""

    def __init__(self, index: WordIndex, quote: str, low: int, high: int) -> None:
        """Prepare the search for the quote from position `low` to `high` of the index."""
        self._index = index
        self._quote = quote
        self._candidates = CandidateSearch(index, quote, low, high)
        self._comparison = TokenComparison(quote, index.texts, _LONGEST)

    def occurrences(self, *, fuzzy: bool, exact: bool = True) -> Iterator[Occurrence]:
        """Yield where the whole quote occurs: exactly, then up to typography, then with typos.

        Without `exact`, it is known that the quote occurs nowhere exactly.
        """
        for occurrence in self._all_occurrences(fuzzy=fuzzy, exact=exact):
            number, start, end, how = occurrence
            text = self._index.texts[number]
            if is_struck_out(text, start, end, self._quote):
                continue
            if how is MatchKind.EXACT:
                yield occurrence
            elif stretch := self._stretch_over_pages(text, start, end):
                yield Occurrence(number, *stretch, how)

    def _stretch_over_pages(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the stretch with the quote's list marks; page breaks in it make no difference."""
        if stretch := self._stretch_with_marks(text, start, end):
            return stretch
        low, high = max(0, start - _PAGE_CONTEXT), min(len(text), end + _PAGE_CONTEXT)
        window = without_interruptions(text, low, high)
        if window is not None:
            stretch = self._stretch_with_marks(window, start - low, end - low)
        return (low + stretch[0], low + stretch[1]) if stretch else None

    def _stretch_with_marks(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the stretch with the quote's list marks, or `None` if meaning differs."""
        quote = self._quote
        if (
            # A quote may leave out a full stop or add one, but may not turn a question into a
            # statement.
            (_QUESTION_MARK.match(text, end) and _FULL_STOP.search(quote[-_QUOTE_END:]))
            or layout_difference(quote, text, start, end)
            or case_difference(quote, text[start:end])
        ):
            return None
        return stretch_with_marks(quote, text, start, end)

    def nearest(self) -> tuple[int, Alignment] | None:
        """Return the passage most like the quote, and the number of its text."""
        best: tuple[int, Alignment] | None = None
        for candidate in self._candidates.from_votes(_NEAR_CANDIDATES):
            alignment = self._comparison.align(candidate)
            if alignment and (best is None or alignment.similarity > best[1].similarity):
                best = candidate.number, alignment
        return best

    def _all_occurrences(self, *, fuzzy: bool, exact: bool) -> Iterator[Occurrence]:
        size = len(self._quote)
        places = self._candidates.exact_matches() if exact else ()
        for number, start in islice(places, _MOST_EXACT):
            yield Occurrence(number, start, start + size, MatchKind.EXACT)
        if size > _LONGEST:
            return
        folded = FoldedQuote.of(self._quote)
        candidates = self._candidates.from_long_word()
        yield from self._at(candidates, folded, fuzzy=fuzzy, is_thorough=False)
        candidates = self._candidates.from_votes(_CANDIDATES, _LEAST_SHARE)
        yield from self._at(candidates, folded, fuzzy=fuzzy, is_thorough=True)

    def _at(
        self,
        candidates: Iterable[Candidate],
        folded: FoldedQuote,
        *,
        fuzzy: bool,
        is_thorough: bool,
    ) -> Iterator[Occurrence]:
        """Yield the occurrences at some places, those with typos last.

        If it is thorough, the slow path decides where the fast one cannot.
        """
        with_typos: list[Occurrence] = []
        undecided: list[Candidate] = []
        least_share = 0.0
        for candidate in candidates:
            if candidate.share < least_share:
                continue
            text = self._index.texts[candidate.number]
            match = fast_match(self._quote, folded, text, candidate.anchors)
            if match is not None and match.edits is None:
                yield _occurrence(candidate, match, MatchKind.NORMALISED)
            elif match and match.edits and fuzzy and self._are_tolerable(match.edits, text):
                with_typos.append(_occurrence(candidate, match, MatchKind.FUZZY))
                least_share = candidate.share * _RIVAL_SHARE
            elif not (match and match.edits and match.is_sure and _replaces_a_word(match.edits)):
                undecided.append(candidate)
        for candidate in undecided if is_thorough else ():
            if stretch := self._comparison.match(candidate):
                yield Occurrence(candidate.number, *stretch, MatchKind.NORMALISED)
        yield from with_typos

    def _are_tolerable(self, edits: Sequence[Edit], text: str) -> bool:
        word_count = self._candidates.word_count
        return are_tolerable(edits, self._quote, text, word_count, self._index.has_word)


def _occurrence(candidate: Candidate, match: FastMatch, how: MatchKind) -> Occurrence:
    return Occurrence(candidate.number, match.start, match.end, how)


def _replaces_a_word(edits: Sequence[Edit]) -> bool:
    """Whether one word takes another's place, which can never be typography."""
    return any(
        any(token.kind in MEANINGFUL for token in edit.quoted)
        and any(token.kind in MEANINGFUL for token in edit.original)
        for edit in edits
    )
