"""The outer search for quotes: tolerant of typography, strict about meaning.

It adds what occurrences lack: parts joined by an ellipsis, the span in one of the references,
whether whole words match at both ends, and a near miss for a quote that occurs nowhere.
"""

from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Final, Literal, TypeAlias

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.quotes.advice import Advice, Stretch
from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.cell_matches import cuts_code, find_value, named_cell_match
from groundtypes.quotes.ellipses import Joiner, split_at_ellipses
from groundtypes.quotes.exact_search import first_whole_place, is_scanned, places_by_scanning
from groundtypes.quotes.gaps import EllipsisRule
from groundtypes.quotes.letter_case import have_equal_i, with_dotless_i, with_dotted_i
from groundtypes.quotes.matches import QuoteMatch
from groundtypes.quotes.near_miss import ELLIPSIS_DIFFERENCE, NearMiss, near_miss
from groundtypes.quotes.negations import negation_before
from groundtypes.quotes.occurrences import MatchKind, Occurrence, OccurrenceSearch
from groundtypes.quotes.verses import are_lines, lines_of_verse
from groundtypes.quotes.word_index import WordIndex
from groundtypes.quotes.word_limits import ANY_LENGTH, WordLimits
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.characters import INVISIBLE

__all__ = ["QuoteMatch", "advice_for", "find_quote", "search"]

#: The most parts between ellipses, and the most occurrences of each that are looked at.
_MOST_PARTS: Final = 20
_MOST_OCCURRENCES: Final = 1_000
#: Results are cached for quotes of at most this many characters.
_CACHED_CHARACTERS: Final = 4_000
#: So few texts are measured anew for each quote.
_FEW_TEXTS: Final = 16
#: The most results that are cached for one collection of references.
_CACHED_RESULTS: Final = 4_096

_word_index: Final = PerReferences(lambda references: WordIndex(references.texts))
_size: Final = PerReferences(lambda references: sum(map(len, references.texts)))


#: What a search depends on, beside its references: the quote, `fuzzy`, `ellipsis`, `within` and the
#: limits of what is advised.
_SearchKey: TypeAlias = tuple[str, bool, str, str | None, WordLimits]
#: Earlier results, each in a tuple, because a result may be `None`.
_earlier_results: Final[
    PerReferences[BoundedCache[_SearchKey, tuple["QuoteMatch | NearMiss | None"]]]
] = PerReferences(lambda _: BoundedCache(_CACHED_RESULTS))


def find_quote(
    quote: str,
    references: object,
    fuzzy: bool = False,  # noqa: FBT001, FBT002 # a fixed name of the public interface
    *,
    ellipsis: Literal["strict", "lenient", "refuse"] = "strict",
) -> QuoteMatch | None:
    """Return where a quote occurs in the references, or `None`.

    The quote must have the reference's words up to typography; an ellipsis in it joins parts that
    occur in this order in one reference. With `fuzzy`, a few typos are tolerated, too. `references`
    is anything that `References.of` reads.

    `ellipsis` says what an ellipsis between two parts may hide. `"strict"`: whole sentences, or
    words inside one sentence that neither reverse nor restrict it. `"lenient"`: anything but words
    that are known to do so. `"refuse"`: nothing.

    Raises:
        TypeError: The quote is not a text.
        ValueError: `ellipsis` is none of the three.
        ReferencesError: The references cannot be read.
    """
    rule = EllipsisRule(ellipsis)
    return _QuoteSearch(quote, References.of(references), None, fuzzy=fuzzy, ellipsis=rule).find()


def search(
    quote: str,
    references: References,
    *,
    fuzzy: bool = False,
    ellipsis: Literal["strict", "lenient", "refuse"] = "strict",
    within: str | None = None,
    limits: WordLimits = ANY_LENGTH,
) -> QuoteMatch | NearMiss | None:
    """Return where a quote occurs, else the passage most like it, else `None`.

    `within` is the id of the only reference to search, and `limits` are those of the passage that
    is advised. The result is remembered with the references.
    """
    results = _earlier_results(references)
    key = (quote, fuzzy, ellipsis, within, limits)
    if (earlier := results.get(key)) is not None:
        return earlier[0]
    rule = EllipsisRule(ellipsis)
    quote_search = _QuoteSearch(quote, references, within, fuzzy=fuzzy, ellipsis=rule)
    result = quote_search.find() or quote_search.near_miss(limits)
    if len(quote) <= _CACHED_CHARACTERS:
        results.put(key, (result,))
    return result


def advice_for(
    references: References, within: str, limits: WordLimits, ellipsis: EllipsisRule
) -> Advice:
    """Return what can be advised as a quote of one reference: whole words, of these limits."""

    def holds(text: str) -> bool:
        match = _QuoteSearch(text, references, within, fuzzy=False, ellipsis=ellipsis).find()
        if match is None or match.cut:
            return False
        reference = references[within]
        if limits.fault(match.span, reference) is None:
            return True
        value = find_value(text, references, within)
        return value is not None and limits.fault(value.span, reference) is None

    return Advice(holds, limits)


class _QuoteSearch:
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
        if not isinstance(quote, str):
            raise TypeError(f"a quote is a str, not {type(quote).__name__}")
        self._quote = quote
        self._references = references
        self._texts = references.texts
        self._within = within
        self._fuzzy = fuzzy
        self._ellipsis = ellipsis
        #: The index of the references, as soon as it is needed.
        self._index: WordIndex | None = None
        #: Whether it is not known that the quote occurs nowhere exactly.
        self._may_be_exact = True
        #: The search for the first part between ellipses that occurs nowhere.
        self._missing_part: _QuoteSearch | None = None
        #: The first ellipsis that hides too much: the occurrence of the parts before and behind it,
        #: where it begins, and the words for which it is refused.
        self._hiding: tuple[Occurrence, int, str] | None = None

    def find(self) -> QuoteMatch | None:
        """Return where the quote occurs; one that cuts a word only where there is no other."""
        if not self._texts or not self._quote or self._quote.isspace():
            return None
        if match := self._exact_match():
            return match
        if match := named_cell_match(self._quote, self._references, self._within):
            return match
        cutting_match: QuoteMatch | None = None
        for occurrence in self._occurrence_search.occurrences(
            fuzzy=self._fuzzy, exact=self._may_be_exact
        ):
            match = self._quote_match(occurrence)
            if not match.cut:
                return match
            cutting_match = cutting_match or match
        return cutting_match or self._match_of_parts() or self._match_of_another_form()

    def _match_of_another_form(self) -> QuoteMatch | None:
        """Return where the quote occurs in capitals of Turkish, or as lines of verse."""
        quote = self._quote
        dotless = with_dotless_i(quote)
        if dotless is not None and any("\u0131" in text for text in self._texts):
            return self._match_of(dotless)
        if dotted := with_dotted_i(quote):
            match = self._match_of(dotted)
            return match if match and have_equal_i(quote, match.text) else None
        if "/" in quote and (lines := lines_of_verse(quote)):
            match = self._match_of("\n".join(lines))
            return match if match and are_lines(lines, match.text) else None
        return None

    def _match_of(self, quote: str) -> QuoteMatch | None:
        """Return where another form of the quote occurs."""
        match = _QuoteSearch(
            quote, self._references, self._within, fuzzy=False, ellipsis=self._ellipsis
        ).find()
        return None if match is None else replace(match, how=MatchKind.NORMALISED)

    def _exact_match(self) -> QuoteMatch | None:
        """Return where the quote occurs exactly and cuts nothing, if this is found quickly."""
        references, texts = self._references, self._texts
        if self._within is None:
            numbers = range(len(texts))
            # The sum over a few texts is faster than to remember it.
            is_few = len(texts) <= _FEW_TEXTS
            size = sum(map(len, texts)) if is_few else _size(references)
        else:
            number = references.number(self._within)
            numbers, size = range(number, number + 1), len(texts[number])
        self._index = _word_index.existing(references)
        has_index = self._index is not None
        if is_scanned(size, len(numbers), has_index=has_index):
            places = places_by_scanning(self._quote, texts, numbers)
        elif has_index:
            places = self._occurrence_search.exact_places()
        else:
            return None
        first = next(places, None)
        if first is None:
            self._may_be_exact = False
            return None
        place = first_whole_place(self._quote, texts, chain((first,), places))
        if place is None:
            return None
        number, start = place
        end = start + len(self._quote)
        if cuts_code(self._references, number, start, end, self._quote):
            return None  # there may be another place
        return QuoteMatch(self._quote, self._span(number, start, end), MatchKind.EXACT)

    def near_miss(self, limits: WordLimits) -> NearMiss | None:
        """Return the passage most like a quote that `find` has found nowhere."""
        if not self._texts or not self._quote or self._quote.isspace():
            return None
        if self._hiding is not None:
            return self._hiding_miss(*self._hiding, limits)
        part_miss = self._missing_part.near_miss(limits) if self._missing_part else None
        if part_miss and part_miss.altered:
            return part_miss
        nearest = self._occurrence_search.nearest()
        if nearest is None:
            return part_miss
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

    def _advice(self, number: int, limits: WordLimits) -> Advice:
        return advice_for(self._references, self._references.ids[number], limits, self._ellipsis)

    @cached_property
    def _occurrence_search(self) -> OccurrenceSearch:
        return self._search_for(self._quote)

    def _search_for(self, quote: str) -> OccurrenceSearch:
        index = self._index or _word_index(self._references)
        low, high = 0, index.size
        if self._within is not None:
            number = self._references.number(self._within)
            low = index.bases[number]
            high = low + len(self._texts[number])
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
            or negation_before(text, start) is not None
        )
        return QuoteMatch(text[start:end], self._span(number, start, end), how, cut)

    def _span(self, number: int, start: int, end: int) -> Span:
        return self._references.span_at(number, start, end)

    def _match_of_parts(self) -> QuoteMatch | None:
        """Return the shortest stretch in which the parts between ellipses occur in order."""
        parts = split_at_ellipses(self._quote)
        if not 1 <= len(parts) <= _MOST_PARTS:
            return None
        of_parts: list[dict[int, list[Occurrence]]] = []
        for part, _ in parts:
            occurrences = self._occurrences_by_text(part)
            if not occurrences:
                alone = _QuoteSearch(
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
