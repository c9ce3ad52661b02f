"""The search for a quote that stands nowhere exactly: tolerant of typography, strict about meaning.

It adds what occurrences lack: parts joined by an ellipsis, the span in one of the references,
whether whole words match at both ends, and a near miss for a quote that occurs nowhere.
"""

from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.exact_search import cuts_code, exact_match, range_of, word_index
from groundtypes.quotes.matches import (
    ELLIPSIS_DIFFERENCE,
    EllipsisRule,
    MatchKind,
    NearMiss,
    Occurrence,
    QuoteMatch,
)
from groundtypes.quotes.negations import left_out
from groundtypes.quotes.occurrences import OccurrenceSearch
from groundtypes.quotes.other_forms import is_same, other_form
from groundtypes.quotes.word_limits import WordLimits
from groundtypes.references import References, Span
from groundtypes.text.characters import INVISIBLE

if TYPE_CHECKING:
    from groundtypes.quotes.advice import Advice

#: The most parts between ellipses, and the most occurrences of each that are looked at.
_MOST_PARTS: Final = 20
_MOST_OCCURRENCES: Final = 1_000
#: One of these is in every quote with an ellipsis; most quotes have none of them.
_ELLIPSIS_SIGNS: Final = ("...", "\u2026", "\u22ef", ". . .")


def advice_for(
    references: References, within: str, limits: WordLimits, ellipsis: EllipsisRule
) -> "Advice":
    """Return what can be advised as a quote of one reference: whole words, of these limits."""
    from groundtypes.quotes.advice import Advice  # noqa: PLC0415 # not for a quote that is found

    def holds(text: str) -> bool:
        match = TolerantSearch(text, references, within, fuzzy=False, ellipsis=ellipsis).find()
        if match is None or match.cut:
            return False
        reference = references[within]
        if limits.fault(match.span, reference) is None:
            return True
        if not references.structures:
            return False
        from groundtypes.quotes.cells import whole_value  # noqa: PLC0415 # not for prose

        value = whole_value(text, references, within)
        return value is not None and limits.fault(value.span, reference) is None

    return Advice(holds, limits)


class TolerantSearch:
    """The search for one quote in all references or in one of them."""

    def __init__(
        self,
        quote: str,
        references: References,
        within: str | None,
        *,
        fuzzy: bool,
        ellipsis: EllipsisRule,
    ) -> None:
        self._quote = quote
        self._references = references
        self._texts = references.texts
        self._within = within
        self._fuzzy = fuzzy
        self._ellipsis = ellipsis
        #: The search for the first part between ellipses that occurs nowhere.
        self._missing_part: TolerantSearch | None = None
        #: The first ellipsis that hides too much: the occurrence of the parts before and behind it,
        #: where it begins, and the words for which it is refused.
        self._hiding: tuple[Occurrence, int, str] | None = None

    def find(self) -> QuoteMatch | None:
        """Return where the quote occurs; one that cuts a word only where there is no other."""
        match, may_be_exact = exact_match(self._quote, self._references, self._within)
        return match or self.find_elsewhere(may_be_exact=may_be_exact)

    def find_elsewhere(self, *, may_be_exact: bool) -> QuoteMatch | None:
        """Return where a quote occurs for which no exact match was found quickly."""
        if self._references.structures:
            from groundtypes.quotes.cells import named_cell, quoted_row  # noqa: PLC0415 # not for prose

            for find in (quoted_row, named_cell):
                if match := find(self._quote, self._references, self._within):
                    return match
        cutting_match: QuoteMatch | None = None
        for occurrence in self._occurrence_search.occurrences(
            fuzzy=self._fuzzy, exact=may_be_exact
        ):
            match = self._quote_match(occurrence)
            if not match.cut:
                return match
            cutting_match = cutting_match or match
        return cutting_match or self._match_of_parts() or self._match_of_other_form()

    def _match_of_other_form(self) -> QuoteMatch | None:
        form = other_form(self._quote)
        if form is None:
            return None
        search = TolerantSearch(
            form, self._references, self._within, fuzzy=False, ellipsis=self._ellipsis
        )
        match = search.find()
        if match is None or not is_same(self._quote, match.text):
            return None
        return replace(match, how=MatchKind.NORMALISED)

    def near_miss(self, limits: WordLimits) -> NearMiss | None:
        """Return the passage most like a quote that `find` has found nowhere."""
        if self._hiding is not None:
            return self._hiding_miss(*self._hiding, limits)
        part_miss = self._missing_part.near_miss(limits) if self._missing_part else None
        if part_miss and part_miss.altered:
            return part_miss
        nearest = self._occurrence_search.nearest()
        if nearest is None:
            return part_miss
        from groundtypes.quotes.near_miss import near_miss  # noqa: PLC0415 # not for a quote that is found

        number, alignment = nearest
        text = self._texts[number]
        advice = self._advice(number, limits)
        span = partial(self._span, number)
        miss = near_miss(self._quote, text, alignment, span, advice)
        structures = self._references.structures
        if miss is None or not structures or (structure := structures[number]) is None:
            return miss
        from groundtypes.quotes.cells import quotable_passage  # noqa: PLC0415 # not for prose

        start, end = miss.span.start, miss.span.end
        passage = quotable_passage(text, structure, start, end, whole_row=not miss.altered)
        if passage is None or not advice.holds(passage):
            return miss
        return replace(miss, excerpt=passage)

    def _advice(self, number: int, limits: WordLimits) -> "Advice":
        return advice_for(self._references, self._references.ids[number], limits, self._ellipsis)

    @cached_property
    def _occurrence_search(self) -> OccurrenceSearch:
        return self._search_for(self._quote)

    def _search_for(self, quote: str) -> OccurrenceSearch:
        index = word_index(self._references)
        low, high = range_of(self._references, index, self._within)
        return OccurrenceSearch(index, quote, low, high)

    def _quote_match(self, occurrence: Occurrence) -> QuoteMatch:
        number, start, end, how = occurrence
        text = self._texts[number]
        if how is not MatchKind.EXACT:
            while start < end and INVISIBLE.match(text[start]):
                start += 1
        cut = (
            is_cut(text, start, end)
            or cuts_code(self._references, number, start, end, self._quote)
            or left_out(text, start, end) is not None
        )
        return QuoteMatch(text[start:end], self._span(number, start, end), how, cut)

    def _span(self, number: int, start: int, end: int) -> Span:
        return self._references.span_at(number, start, end)

    def _match_of_parts(self) -> QuoteMatch | None:
        """Return the shortest stretch in which the parts between ellipses occur in order."""
        if not any(map(self._quote.__contains__, _ELLIPSIS_SIGNS)):
            return None
        from groundtypes.quotes.ellipses import Joiner, split_at_ellipses  # noqa: PLC0415 # rare

        parts = split_at_ellipses(self._quote)
        if not 1 <= len(parts) <= _MOST_PARTS:
            return None
        of_parts: list[dict[int, list[Occurrence]]] = []
        for part, _ in parts:
            occurrences = self._occurrences_by_text(part)
            if not occurrences:
                alone = TolerantSearch(
                    part, self._references, self._within, fuzzy=False, ellipsis=self._ellipsis
                )
                self._missing_part = None if alone.find() else alone
                return None
            of_parts.append(occurrences)
        joiner = Joiner([is_closed for _, is_closed in parts], self._ellipsis)
        stretches = [
            stretch
            for number in of_parts[0]
            if all(number in occurrences for occurrences in of_parts)
            if (
                stretch := joiner.join(
                    self._texts[number], [occurrences[number] for occurrences in of_parts]
                )
            )
        ]
        if stretches:
            return self._quote_match(min(stretches, key=lambda one: (one.end - one.start, one)))
        self._hiding = joiner.fault
        return None

    def _occurrences_by_text(self, part: str) -> dict[int, list[Occurrence]]:
        """Return where a part occurs as whole words, by the number of the text and in order."""
        by_text: dict[int, list[Occurrence]] = {}
        all_occurrences = self._search_for(part).occurrences(fuzzy=self._fuzzy)
        for occurrence in islice(all_occurrences, _MOST_OCCURRENCES):
            if occurrence.how is MatchKind.FUZZY and by_text:
                break
            number, start, end, _ = occurrence
            if not is_cut(self._texts[number], start, end):
                by_text.setdefault(number, []).append(occurrence)
        for occurrences in by_text.values():
            occurrences.sort(key=lambda occurrence: (occurrence.start, occurrence.end))
        return by_text

    def _hiding_miss(
        self, occurrence: Occurrence, gap: int, words: str, limits: WordLimits
    ) -> NearMiss:
        """Return the near miss of an ellipsis that hides too much; `gap` is where."""
        from groundtypes.quotes.advice import Stretch  # noqa: PLC0415 # not for a quote that is found

        number, start, end, _ = occurrence
        text = self._texts[number]
        # What is hidden is long where the words for which it is refused are a part of it.
        hidden = text[gap:end].lower().find(words.lower())
        focus = (gap, gap + 1) if hidden < 0 else (gap + hidden, gap + hidden + len(words))
        stretch = Stretch(text, start, end, focus)
        return NearMiss(
            self._advice(number, limits).passage(stretch) or "",
            self._span(number, start, end),
            similarity=1.0,
            altered=True,
            differences=((ELLIPSIS_DIFFERENCE, words),),
        )
