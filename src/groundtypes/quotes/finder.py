"""The search for one quote in an index: exactly, up to typography, up to slips, or nearly."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from rapidfuzz.fuzz import partial_ratio

from groundtypes.quotes.align import COUNTED, Alignment, Edit, RanOut, align, core, walk
from groundtypes.quotes.candidates import Guess, Places
from groundtypes.quotes.fast_path import Crossing, Shaped, cross, shape_of
from groundtypes.quotes.patterns import FOOTNOTE, MARKUP, POINT, QUOTATION
from groundtypes.quotes.tokens import Tokens, scan
from groundtypes.quotes.tolerance import forgiven
from groundtypes.quotes.word_index import Index
from groundtypes.text.characters import QUOTATION_MARKS

__all__ = ["Finder", "Found", "How", "Near"]

#: A longer quote is looked for exactly, but not word by word.
_LONGEST: Final = 100_000
#: Of a quote, so many tokens are laid beside a passage.
_COMPARED: Final = 500
#: Of the texts, so many characters are read token by token, and so many for each of the quote's.
_READ: Final = 40_000
_READ_EACH: Final = 10
#: How many places are tried for a quote that is the same up to typography, and for a near miss.
_TRIED: Final = 12
_NEAR: Final = 3
#: The least share of the quote's words, by weight, that must vote for a place to try it at all.
_PROMISING: Final = 0.3
#: And of these, in the quote's order; fewer words than so many tell nothing.
_IN_ORDER: Final = 0.7
_FEW: Final = 6
#: Where a slip was found, a rival place must have so much of its share.
_RIVAL: Final = 0.8
#: The least similarity of the characters, in percent, to look for slips.
_SIMILAR: Final = 75
#: The characters of a longer quote are not compared: that grows with the square.
_CHARACTERS: Final = 1_000
#: So many pairs of one guess are tried as the place from which the quote is compared.
_PAIRS: Final = 16
#: Of the places where a quote stands inside longer words, so many are passed over.
_CUTS_PASSED: Final = 1_000
#: A passage that ends so close to the end of what was looked at may go on behind it.
_MARGIN: Final = 30
#: A quote that ends with a full stop, and a text that goes on with a question or exclamation mark.
_END: Final = 12
_STATED: Final = re.compile(rf"(?<!\.)[.\u3002][{QUOTATION_MARKS}*_)\]\s]{{0,9}}\Z")
_ASKED: Final = re.compile(rf"[{QUOTATION_MARKS}*_)\]\s]{{0,9}}[?!\uff1f\uff01]")
#: Kinds of tokens that stand around a quote and its footnote marks.
_AROUND: Final = frozenset((FOOTNOTE, MARKUP, POINT, QUOTATION))


class How(StrEnum):
    """How a quote was found."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"


class Found(NamedTuple):
    """A stretch of the text with this number that the quote stands for."""

    number: int
    start: int
    end: int
    how: How


class Near(NamedTuple):
    """A stretch of the text with this number that is like the quote."""

    number: int
    alignment: Alignment


class Finder:
    """The search for one quote between two coordinates of an index."""

    def __init__(self, index: Index, quote: str, low: int, high: int) -> None:
        """Look up where the words of the quote stand."""
        self._index = index
        self._quote = quote
        self._places = Places(index, quote, low, high)
        self._seen: dict[tuple[int, int, int], Tokens] = {}
        self._left = _READ + _READ_EACH * len(quote)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the quote, or of the beginning of one that is too long to compare."""
        return scan(self._quote, 0, min(len(self._quote), _LONGEST))

    @cached_property
    def _core(self) -> tuple[int, int]:
        return core(self.tokens)

    def whole(self, *, fuzzy: bool) -> Iterator[Found]:
        """Yield where the whole quote stands: first exactly, then up to typography, then fuzzy."""
        stated = _STATED.search(self._quote[-_END:]) is not None
        for found in self._places_of_whole(fuzzy=fuzzy):
            # A quote may leave the full stop out, or add one, but no question becomes a statement.
            loose = stated and found.how is not How.EXACT
            if not (loose and _ASKED.match(self._index.texts[found.number], found.end)):
                yield found

    def _places_of_whole(self, *, fuzzy: bool) -> Iterator[Found]:
        size = len(self._quote)
        for passed, (number, start) in enumerate(self._places.exact()):
            yield Found(number, start, start + size, How.EXACT)
            if passed == _CUTS_PASSED:
                break
        if size > _LONGEST:
            return
        shaped = Shaped.of(self._quote)
        for guess in self._places.unique():
            if found := self._crossed(shaped, guess, fuzzy=fuzzy):
                yield found
        slips: list[Found] = []
        unsure: list[Guess] = []
        enough = 0.0
        for guess in self._places.guesses(_TRIED, _PROMISING):
            if guess.share < enough or not _in_order(guess.pairs):
                continue
            crossing = self._crossing(shaped, guess)
            if crossing is None:
                unsure.append(guess)
            elif crossing.edits is None:
                yield Found(guess.number, crossing.start, crossing.end, How.NORMALISED)
            elif fuzzy and self._forgives(crossing.edits, self._index.texts[guess.number]):
                slips.append(Found(guess.number, crossing.start, crossing.end, How.FUZZY))
                enough = guess.share * _RIVAL
            elif not _is_changed(crossing.edits):
                unsure.append(guess)
        for guess in unsure:
            if found := self._compared(guess):
                yield found
        yield from slips
        if fuzzy and not slips:
            yield from self._slipped(shaped, unsure)

    def nearest(self) -> Near | None:
        """Return the passage most like the quote."""
        best: Near | None = None
        for guess in self._places.guesses(_NEAR):
            near = self._aligned(guess)
            if near and (best is None or near.alignment.similarity > best.alignment.similarity):
                best = near
        return best

    def _crossed(self, shaped: Shaped, guess: Guess, *, fuzzy: bool) -> Found | None:
        """Return the stretch here, when it is quick to see that it is the quote."""
        crossing = self._crossing(shaped, guess)
        if crossing is None:
            return None
        if crossing.edits is None:
            return Found(guess.number, crossing.start, crossing.end, How.NORMALISED)
        if fuzzy and self._forgives(crossing.edits, self._index.texts[guess.number]):
            return Found(guess.number, crossing.start, crossing.end, How.FUZZY)
        return None

    def _crossing(self, shaped: Shaped, guess: Guess) -> Crossing | None:
        return cross(self._quote, shaped, self._index.texts[guess.number], guess.pairs)

    def _forgives(self, edits: Sequence[Edit], text: str) -> bool:
        words = self._places.words
        return forgiven(edits, self._quote, text, words, self._index.knows)

    def _compared(self, guess: Guess) -> Found | None:
        """Return the stretch at this place that is the same as the quote, up to typography."""
        for reach in (1, 4, 16):
            if self._left < 0:
                break
            try:
                return self._walked(guess, reach)
            except RanOut:
                continue
        return None

    def _walked(self, guess: Guess, reach: int) -> Found | None:
        tokens, (first, last) = self.tokens, self._core
        if first == last:
            return None
        text = self._index.texts[guess.number]
        place, offset = guess.pairs[0]
        before, after = offset - tokens.starts[first], tokens.ends[last - 1] - offset
        start, end = _window(text, place, max(0, before), max(0, after), reach)
        seen = self._read(guess.number, start, end)
        ran_out = False
        for place, offset in _on_several_lines(guess.pairs):
            at = bisect_right(tokens.ends, offset)
            here = bisect_right(seen.ends, place)
            if not first <= at < last or here == len(seen):
                continue
            try:
                right = walk(tokens, at, last, seen, here, 1)
                left = walk(tokens, at - 1, first - 1, seen, here - 1, -1) if right >= 0 else -1
            except RanOut:
                ran_out = True
                continue
            if left >= 0 and _same_notes(tokens, first, last, seen, left, right):
                left, right = _widened(tokens, first, last, seen, left, right)
                return Found(guess.number, seen.starts[left], seen.ends[right], How.NORMALISED)
        if ran_out and (start > 0 or end < len(text)):
            raise RanOut
        return None

    def _read(self, number: int, start: int, end: int) -> Tokens:
        """Return the tokens of a window; the same one is read once."""
        key = (number, start, end)
        if key not in self._seen:
            self._left -= end - start
            self._seen[key] = scan(self._index.texts[number], start, end)
        return self._seen[key]

    def _slipped(self, shaped: Shaped, guesses: list[Guess]) -> Iterator[Found]:
        """Yield the stretches that are the quote but for slips."""
        if not guesses or self._core[1] - self._core[0] > _COMPARED:
            return
        for guess in guesses[:_NEAR]:
            if not self._is_similar(shaped, guess):
                continue
            near = self._aligned(guess)
            if near is None:
                continue
            alignment = near.alignment
            if self._forgives(alignment.edits, self._index.texts[near.number]):
                yield Found(near.number, alignment.start, alignment.end, How.FUZZY)

    def _is_similar(self, shaped: Shaped, guess: Guess) -> bool:
        """Whether the characters around the place are like the quote's: slips change few."""
        if len(self._quote) > _CHARACTERS:
            return True
        place, offset = guess.pairs[0]
        text = self._index.texts[guess.number]
        start, end = _window(text, place, offset, len(self._quote) - offset, 1)
        around = shape_of(text[start:end])
        return partial_ratio(shaped.text, around, score_cutoff=_SIMILAR) > 0

    def _aligned(self, guess: Guess) -> Near | None:
        tokens, (first, last) = self.tokens, self._core
        last = min(last, first + _COMPARED)
        if first >= last:
            return None
        text = self._index.texts[guess.number]
        at, offset = guess.pairs[0]
        before = max(0, offset - tokens.starts[first])
        after = max(0, tokens.ends[last - 1] - offset)
        near: Near | None = None
        for _ in range(2):
            start, end = _window(text, at, before, after, 1)
            alignment = align(tokens, (first, last), self._read(guess.number, start, end))
            if alignment is None:
                break
            near = Near(guess.number, alignment)
            # What is like the quote may go on outside of the window.
            if (start == 0 or alignment.start - start > _MARGIN) and (
                end == len(text) or end - alignment.end > _MARGIN
            ):
                break
            at, before, after = alignment.start, 0, alignment.end - alignment.start
        return near


def _on_several_lines(pairs: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Return a few pairs that each make the quote begin elsewhere."""
    return islice({place - offset: (place, offset) for place, offset in pairs}.values(), _PAIRS)


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


def _in_order(pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether most words of the quote stand in the text in the quote's order."""
    words = len({offset for _, offset in pairs})
    if words < _FEW:
        return True
    rising: list[int] = []
    # The longest rising run of places; of one word's places at most one counts.
    for place, _ in sorted(pairs, key=lambda pair: (pair[1], -pair[0])):
        at = bisect_left(rising, place)
        rising[at : at + 1] = [place]
    return len(rising) >= _IN_ORDER * words


def _is_changed(edits: Sequence[Edit]) -> bool:
    """Whether a word stands in another's place: that is no typography, however one reads it."""
    return any(
        any(unit.kind in COUNTED for unit in edit.quoted)
        and any(unit.kind in COUNTED for unit in edit.true)
        for edit in edits
    )


def _same_notes(tokens: Tokens, first: int, last: int, seen: Tokens, left: int, right: int) -> bool:
    """Whether footnote marks around the quote are not other ones than those around the passage."""
    return all(
        not ours or not theirs or ours <= theirs
        for ours, theirs in (
            (_notes(tokens, last, 1), _notes(seen, right + 1, 1)),
            (_notes(tokens, first - 1, -1), _notes(seen, left - 1, -1)),
        )
    )


def _notes(tokens: Tokens, at: int, step: int) -> set[str]:
    """Return the footnote marks from a token on, up to the next word."""
    notes: set[str] = set()
    while 0 <= at < len(tokens) and tokens.kinds[at] in _AROUND:
        if tokens.kinds[at] == FOOTNOTE:
            notes.add(tokens.keys[at])
        at += step
    return notes


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
