"""Finding quotes: forgiving about typography, strict about meaning.

A quote is looked for by its rarest words, which an index over all references places. Where one
stands, the quote is compared outward from it, first character by character, then token by token.
What is nowhere the same is laid beside the passage most like it, which tells what was changed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, pairwise
from typing import Final, NamedTuple

from groundtypes.errors import clip
from groundtypes.references import References, Span
from groundtypes.text.align import COUNTED, Alignment, Edit, RanOut, Unit, align, core, walk
from groundtypes.text.characters import is_spaceless
from groundtypes.text.edges import cuts
from groundtypes.text.gaps import hidden_word
from groundtypes.text.index import Index
from groundtypes.text.normalise import (
    DASH,
    ELLIPSIS,
    HYPHEN,
    POINT,
    QUOTATION,
    WORD_KIND,
    Tokens,
    scan,
)
from groundtypes.text.places import Guess, Places
from groundtypes.text.slips import is_slip

__all__ = ["How", "NearMiss", "QuoteMatch", "count_words", "find_quote", "search"]

#: A longer quote is looked for exactly, but not token by token.
_LONGEST: Final = 100_000
#: What is laid beside a passage is at most so much of a quote.
_COMPARED: Final = 4_000
#: How many places are tried for a quote that is the same up to typography, and for a near miss.
_TRIED: Final = 12
_NEAR: Final = 3
#: Of the places where a quote stands inside longer words, so many are passed over.
_CUTS_PASSED: Final = 1_000
_ALTERED_SHARE: Final = 0.6
_PASSAGE: Final = 200
_REMEMBERED: Final = 4_096
#: A passage that ends so close to the end of what was looked at may go on behind it.
_MARGIN: Final = 30
#: At most so many parts between ellipses.
_PARTS: Final = 20


class How(StrEnum):
    """How a quote was found."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote stands: `text` are the reference's own words, cut out by `span`.

    `cut` says that the stretch starts or ends inside a word or number of the reference.
    """

    text: str
    span: Span
    how: How
    cut: bool = False


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The passage most like a quote that stands nowhere.

    `passage` is at most 200 characters of it, cut at words; `span` is all of it; `similarity` is
    the share of words that both have in common, between 0 and 1. `altered` says that the quote is
    a changed copy of the passage; `differences` are pairs of what the quote says and what the
    reference says in its place.
    """

    passage: str
    span: Span
    similarity: float
    altered: bool
    differences: tuple[tuple[str, str], ...]

    def explain(self) -> str:
        """Return the first differences in words, for the message to the LLM."""
        parts = [_told(*pair) for pair in self.differences[:3]]
        more = len(self.differences) - len(parts)
        if more:
            parts.append(f"and {more} more")
        return ", ".join(parts) or "some of it stands elsewhere"


def find_quote(quote: str, references: object, fuzzy: bool = False) -> QuoteMatch | None:
    """Return where a quote stands in the references, or `None`.

    The quote must be the reference's words up to typography; an ellipsis in it joins stretches
    that stand in this order in one reference. With `fuzzy`, slips of the pen are forgiven too.
    `references` is anything that `References.of` reads.

    Raises:
        TypeError: The quote is no text.
        ReferencesError: The references cannot be read.
    """
    found = search(quote, References.of(references), fuzzy=fuzzy)
    return found if isinstance(found, QuoteMatch) else None


def search(
    quote: str, references: References, *, fuzzy: bool = False, within: str | None = None
) -> QuoteMatch | NearMiss | None:
    """Return where a quote stands, else the passage most like it, else `None`.

    `within` is the id of the only reference to search. What was found is remembered with the
    references.
    """
    if not isinstance(quote, str):
        raise TypeError(f"a quote is a str, not {type(quote).__name__}")
    memory = references.memory
    key = (quote, fuzzy, within)
    if key in memory:
        found: QuoteMatch | NearMiss | None = memory[key]
        return found
    found = _Search(quote, references, within).run(fuzzy=fuzzy)
    if len(memory) >= _REMEMBERED:
        memory.clear()
    if len(quote) <= _COMPARED:
        memory[key] = found
    return found


def count_words(text: str) -> int:
    """Return the number of words: at least two letters or digits, or two spaceless characters."""
    tokens = scan(text)
    words = spaceless = 0
    for key, kind in zip(tokens.keys, tokens.kinds, strict=True):
        if kind == WORD_KIND and is_spaceless(key[0]):
            spaceless += 1
        elif kind in COUNTED and sum(map(str.isalnum, key)) >= 2:
            words += 1
    return words + spaceless // 2


class _Found(NamedTuple):
    """A stretch of the text with this number."""

    number: int
    start: int
    end: int
    how: How


class _Near(NamedTuple):
    """A stretch of the text with this number that is like the quote."""

    number: int
    alignment: Alignment


class _Search:
    """The search for one quote."""

    def __init__(self, quote: str, references: References, within: str | None) -> None:
        self._quote = quote
        self._references = references
        self._index: Index = references.index
        self._within = within
        self._low, self._high = 0, self._index.size
        if within is not None:
            number = references.number(within)
            self._low = self._index.bases[number]
            self._high = self._low + len(references.texts[number])

    def run(self, *, fuzzy: bool) -> QuoteMatch | NearMiss | None:
        quote = self._quote
        if not quote or quote.isspace() or not self._references.texts:
            return None
        places = Places(self._index, quote, self._low, self._high)
        cut: QuoteMatch | None = None
        for found in self._whole(places):
            match = self._match(found)
            if not match.cut:
                return match
            cut = cut or match
        if len(quote) > _LONGEST:
            return cut
        tokens = scan(quote)
        near: NearMiss | None = None
        if not cut and ELLIPSIS in tokens.kinds:
            joined = self._joined(tokens, fuzzy=fuzzy)
            if isinstance(joined, QuoteMatch):
                return joined
            near = joined
        if near is None or not near.altered:
            other = self._nearest(tokens, places, fuzzy=fuzzy)
            if isinstance(other, QuoteMatch):
                return other
            near = near or other
        return cut or near

    def _match(self, found: _Found) -> QuoteMatch:
        text = self._references.texts[found.number]
        return QuoteMatch(
            text[found.start : found.end],
            Span(self._references.ids[found.number], found.start, found.end),
            found.how,
            cuts(text, found.start, found.end),
        )

    def _whole(self, places: Places, quote: str | None = None) -> Iterator[_Found]:
        """Yield where the whole quote stands, first exactly, then up to typography."""
        quote = self._quote if quote is None else quote
        size = len(quote)
        for passed, (number, start) in enumerate(places.exact()):
            yield _Found(number, start, start + size, How.EXACT)
            if passed == _CUTS_PASSED:
                break
        if size > _LONGEST:
            return
        tokens = scan(quote)
        first, last = core(tokens)
        if first == last:
            return
        for guess in places.guesses(_TRIED):
            if found := self._compared(tokens, first, last, guess):
                yield found

    def _compared(self, tokens: Tokens, first: int, last: int, guess: Guess) -> _Found | None:
        """Return the stretch at this place that is the same as the quote, up to typography."""
        for place, offset in guess.pairs:
            at = bisect_right(tokens.starts, offset) - 1
            if not first <= at < last:
                continue
            number, base = self._index.home(place)
            for reach in (1, 4, 16):
                try:
                    if found := self._walked(tokens, first, last, at, number, place - base, reach):
                        return found
                except RanOut:
                    continue
                break
        return None

    def _walked(
        self, tokens: Tokens, first: int, last: int, at: int, number: int, place: int, reach: int
    ) -> _Found | None:
        text = self._references.texts[number]
        before = tokens.starts[at] - tokens.starts[first]
        after = tokens.ends[last - 1] - tokens.starts[at]
        start, end = _window(text, place, before, after, reach)
        seen = scan(text, start, end)
        here = bisect_right(seen.starts, place) - 1
        if here < 0:
            return None
        try:
            right = walk(tokens, at, last, seen, here, 1)
            left = walk(tokens, at - 1, first - 1, seen, here - 1, -1) if right >= 0 else -1
        except RanOut:
            if start == 0 and end == len(text):
                return None
            raise
        if left < 0:
            return None
        left, right = _widened(tokens, first, last, seen, left, right)
        return _Found(number, seen.starts[left], seen.ends[right], How.NORMALISED)

    def _nearest(
        self, tokens: Tokens, places: Places, *, fuzzy: bool
    ) -> QuoteMatch | NearMiss | None:
        """Return the passage most like the quote; a match when all differences are forgiven."""
        whole = tokens.ends[-1] <= _COMPARED if tokens.ends else True
        span = core(tokens)
        if not whole:
            span = (span[0], bisect_right(tokens.ends, _COMPARED))
        if span[0] >= span[1]:
            return None
        best: _Near | None = None
        for guess in places.guesses(_NEAR):
            near = self._aligned(tokens, span, guess)
            if near and (best is None or near.alignment.similarity > best.alignment.similarity):
                best = near
        if best is None:
            return None
        number, alignment = best
        if fuzzy and whole and self._forgiven(alignment, tokens, number):
            match = self._match(_Found(number, alignment.start, alignment.end, How.FUZZY))
            if not match.cut:
                return match
        return self._near_miss(number, alignment)

    def _aligned(self, tokens: Tokens, span: tuple[int, int], guess: Guess) -> _Near | None:
        place, offset = guess.pairs[0]
        number, base = self._index.home(place)
        text = self._references.texts[number]
        before = max(0, offset - tokens.starts[span[0]])
        after = max(0, tokens.ends[span[1] - 1] - offset)
        at = place - base
        for _ in range(2):
            start, end = _window(text, at, before, after, 1)
            alignment = align(tokens, span, scan(text, start, end))
            if alignment is None:
                return None
            near = _Near(number, alignment)
            # What is like the quote may go on outside of the window.
            if (start == 0 or alignment.start - start > _MARGIN) and (
                end == len(text) or end - alignment.end > _MARGIN
            ):
                break
            at, before, after = alignment.start, 0, alignment.end - alignment.start
        return near

    def _near_miss(self, number: int, alignment: Alignment) -> NearMiss:
        text = self._references.texts[number]
        start, end = alignment.start, alignment.end
        differences = tuple(
            (_spelled(self._quote, edit.quoted), _spelled(text, edit.true))
            for edit in alignment.edits
        )
        changed = next((edit.true[0].start for edit in alignment.edits if edit.true), start)
        return NearMiss(
            _passage(text, start, end, changed),
            Span(self._references.ids[number], start, end),
            alignment.similarity,
            alignment.share >= _ALTERED_SHARE,
            differences,
        )

    def _forgiven(self, alignment: Alignment, tokens: Tokens, number: int) -> bool:
        """Whether all differences are punctuation or slips, and slips are few."""
        words = sum(kind == WORD_KIND for kind in tokens.kinds)
        text = self._references.texts[number]
        slips = 0
        for edit in alignment.edits:
            if _is_punctuation(edit, self._quote, text):
                continue
            if not self._is_slip(edit, text):
                return False
            slips += 1
        return slips * 4 <= words

    def _is_slip(self, edit: Edit, text: str) -> bool:
        if len(edit.quoted) != 1 or len(edit.true) != 1:
            return False
        quoted, true = edit.quoted[0], edit.true[0]
        return is_slip(quoted.key, text[true.start : true.end], self._index.knows)

    def _joined(self, tokens: Tokens, *, fuzzy: bool) -> QuoteMatch | NearMiss | None:
        """Return the stretch that the parts between ellipses stand in, in their order."""
        parts = _parts(self._quote, tokens)
        if not 1 <= len(parts) <= _PARTS:
            return None
        found: list[dict[int, list[_Found]]] = []
        for part in parts:
            places = self._occurrences(part, fuzzy=fuzzy)
            if not places:
                return self._part_missing(part)
            found.append(places)
        chains = [
            chain
            for number in found[0]
            if all(number in places for places in found)
            for chain in _chains([places[number] for places in found])
        ]
        if not chains:
            return None
        chains.sort(key=lambda chain: (chain[-1].end - chain[0].start, chain[0]))
        for chain in chains[:_PARTS]:
            if not self._hidden(chain):
                loose = any(item.how is How.FUZZY for item in chain)
                how = How.FUZZY if loose else How.NORMALISED
                return self._match(chain[0]._replace(end=chain[-1].end, how=how))
        return self._hiding(chains[0])

    def _occurrences(self, part: str, *, fuzzy: bool) -> dict[int, list[_Found]]:
        """Return where a part stands uncut, by the number of the text and in order."""
        found: dict[int, list[_Found]] = {}
        texts = self._references.texts
        places = Places(self._index, part, self._low, self._high)
        for item in islice(self._whole(places, part), _CUTS_PASSED):
            if not cuts(texts[item.number], item.start, item.end):
                found.setdefault(item.number, []).append(item)
        if fuzzy and not found:
            match = self._part(part).run(fuzzy=True)
            if isinstance(match, QuoteMatch) and not match.cut:
                number = self._references.number(match.span.reference)
                found[number] = [_Found(number, match.span.start, match.span.end, match.how)]
        for items in found.values():
            items.sort(key=lambda item: (item.start, item.end))
        return found

    def _part(self, part: str) -> "_Search":
        return _Search(part, self._references, self._within)

    def _part_missing(self, part: str) -> NearMiss | None:
        near = self._part(part).run(fuzzy=False)
        return near if isinstance(near, NearMiss) else None

    def _hidden(self, chain: Sequence[_Found]) -> tuple[int, str] | None:
        text = self._references.texts[chain[0].number]
        for one, other in pairwise(chain):
            if word := hidden_word(text, one.end, other.start):
                return one.end, word
        return None

    def _hiding(self, chain: Sequence[_Found]) -> NearMiss | None:
        hidden = self._hidden(chain)
        if hidden is None:
            return None
        number, start, end = chain[0].number, chain[0].start, chain[-1].end
        at, word = hidden
        return NearMiss(
            _passage(self._references.texts[number], start, end, at),
            Span(self._references.ids[number], start, end),
            1.0,
            altered=True,
            differences=(("...", word),),
        )


def _parts(quote: str, tokens: Tokens) -> list[str]:
    """Return the stretches of a quote between its ellipses, with or without brackets."""
    parts: list[str] = []
    begin = 0
    count = len(tokens)
    for at, kind in enumerate(tokens.kinds):
        if kind != ELLIPSIS:
            continue
        bracketed = 0 < at < count - 1 and tokens.keys[at - 1] + tokens.keys[at + 1] in ("[]", "()")
        parts.append(quote[begin : tokens.starts[at - bracketed]])
        begin = tokens.ends[at + bracketed]
    parts.append(quote[begin:])
    return [part.strip() for part in parts if any(map(str.isalnum, part))]


def _chains(places: Sequence[Sequence[_Found]]) -> Iterator[list[_Found]]:
    """Yield, for each place of the first part, the closest places of the others behind it."""
    starts = [[item.start for item in items] for items in places]
    for first in places[0]:
        chain = [first]
        for items, begins in zip(places[1:], starts[1:], strict=True):
            at = bisect_left(begins, chain[-1].end)
            if at == len(items):
                return
            chain.append(items[at])
        yield chain


def _window(text: str, place: int, before: int, after: int, reach: int) -> tuple[int, int]:
    """Return the stretch around a place that holds so much text, with room for markup."""
    slack = (60 + (before + after) // 4) * reach
    start, end = max(0, place - before - slack), min(len(text), place + after + slack)
    floor, ceiling = max(0, start - 40), min(len(text), end + 40)
    while start > floor and not text[start - 1].isspace():
        start -= 1
    while end < ceiling and not text[end].isspace():
        end += 1
    return start, end


def _widened(
    tokens: Tokens, first: int, last: int, seen: Tokens, left: int, right: int
) -> tuple[int, int]:
    """Take in the punctuation around the quote that stands around the passage, too."""
    for at in range(first - 1, -1, -1):
        if not (left and _is_same_mark(tokens, at, seen, left - 1)):
            break
        left -= 1
    for at in range(last, len(tokens)):
        if not (right + 1 < len(seen) and _is_same_mark(tokens, at, seen, right + 1)):
            break
        right += 1
    return left, right


def _is_same_mark(tokens: Tokens, at: int, seen: Tokens, place: int) -> bool:
    return tokens.keys[at] == seen.keys[place] and tokens.kinds[at] in (POINT, QUOTATION)


def _is_punctuation(edit: Edit, quote: str, text: str) -> bool:
    """Whether only punctuation differs, and not inside a number or ratio."""
    return all(
        unit.kind in (POINT, DASH, HYPHEN) and not _between_digits(unit, whole)
        for units, whole in ((edit.quoted, quote), (edit.true, text))
        for unit in units
    )


def _between_digits(unit: Unit, text: str) -> bool:
    before, after = text[: unit.start].rstrip()[-1:], text[unit.end : unit.end + 9].lstrip()[:1]
    return before.isdigit() and after.isdigit()


def _spelled(text: str, units: Sequence[Unit]) -> str:
    if not units:
        return ""
    return clip(" ".join(text[units[0].start : units[-1].end].split()), 60)


def _told(quoted: str, true: str) -> str:
    if quoted == "...":
        return f'the ellipsis leaves out "{true}"'
    if not true:
        return f'"{quoted}" was added'
    if not quoted:
        return f'"{true}" is missing'
    return f'"{quoted}" should be "{true}"'


def _passage(text: str, start: int, end: int, changed: int) -> str:
    """Return at most 200 characters of a stretch, with the place where it was changed."""
    if end - start > 4 * _PASSAGE:
        start, end = max(start, changed - 2 * _PASSAGE), min(end, changed + 2 * _PASSAGE)
    whole = " ".join(text[start:end].split())
    if len(whole) <= _PASSAGE:
        return whole
    head, tail = " ".join(text[start:changed].split()), " ".join(text[changed:end].split())
    tail = clip(tail, max(_PASSAGE * 3 // 5, _PASSAGE - len(head) - 2))
    room = _PASSAGE - len(tail) - 2
    if len(head) > room:
        head = head[-room:]
        head = "…" + head[head.find(" ") + 1 :]
    return f"{head} {tail}".strip()
