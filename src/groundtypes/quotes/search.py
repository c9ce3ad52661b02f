"""Finding quotes: forgiving about typography, strict about meaning.

A quote is looked for by its rarest words, which an index over all references places. Where one
stands, the quote is compared outward from it, first character by character, then token by token.
What is nowhere the same is laid beside the passage most like it, which tells what was changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

from groundtypes.errors import clip
from groundtypes.quotes.align import COUNTED, Unit
from groundtypes.quotes.boundaries import cuts
from groundtypes.quotes.ellipses import chains, parts
from groundtypes.quotes.finder import Finder, Found, How, Near
from groundtypes.quotes.gaps import hidden_word, sentence_around
from groundtypes.quotes.patterns import WORD_KIND
from groundtypes.quotes.tokens import scan
from groundtypes.quotes.word_index import Index
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.characters import INVISIBLE, is_spaceless

__all__ = ["How", "NearMiss", "QuoteMatch", "count_words", "find_quote", "search"]

#: At most so many parts between ellipses, and so many places of each.
_PARTS: Final = 20
_PLACES: Final = 1_000
#: A quote of which so many words stand in one passage is a changed copy of it.
_ALTERED_SHARE: Final = 0.6
#: What has fewer words in common with a quote is not like it.
_LIKE_SHARE: Final = 0.25
_PASSAGE: Final = 200
#: Searches are remembered for quotes of at most so many characters, and at most so many.
_MEMORABLE: Final = 4_000
_REMEMBERED: Final = 4_096


_word_index: Final = PerReferences(lambda references: Index(references.texts))


#: The results of earlier searches, by quote, `fuzzy` and `within`; each search bounds their number.
_earlier_results: Final[
    PerReferences[dict[tuple[str, bool, str | None], "QuoteMatch | NearMiss | None"]]
] = PerReferences(lambda _: {})


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
        told = [_told(*pair) for pair in self.differences[:3]]
        more = len(self.differences) - len(told)
        if more:
            told.append(f"and {more} more")
        return ", ".join(told) or "its parts stand in another order"


def find_quote(
    quote: str,
    references: object,
    fuzzy: bool = False,  # noqa: FBT001, FBT002 # a fixed name of the public interface
) -> QuoteMatch | None:
    """Return where a quote stands in the references, or `None`.

    The quote must be the reference's words up to typography; an ellipsis in it joins stretches
    that stand in this order in one reference. With `fuzzy`, slips of the pen are forgiven too.
    `references` is anything that `References.of` reads.

    Raises:
        TypeError: The quote is no text.
        ReferencesError: The references cannot be read.
    """
    return _Search(quote, References.of(references), None, fuzzy=fuzzy).match


def search(
    quote: str, references: References, *, fuzzy: bool = False, within: str | None = None
) -> QuoteMatch | NearMiss | None:
    """Return where a quote stands, else the passage most like it, else `None`.

    `within` is the id of the only reference to search. What was found is remembered with the
    references.
    """
    memory = _earlier_results(references)
    key = (quote, fuzzy, within)
    if key in memory:
        return memory[key]
    one = _Search(quote, references, within, fuzzy=fuzzy)
    found = one.match or one.near_miss
    if len(memory) >= _REMEMBERED:
        memory.clear()
    if len(quote) <= _MEMORABLE:
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


class _Search:
    """The search for one quote."""

    def __init__(
        self, quote: str, references: References, within: str | None, *, fuzzy: bool
    ) -> None:
        if not isinstance(quote, str):
            raise TypeError(f"a quote is a str, not {type(quote).__name__}")
        self._quote = quote
        self._references = references
        self._texts = references.texts
        self._within = within
        self._fuzzy = fuzzy
        #: What an ellipsis of the quote does wrong.
        self._misjoined: NearMiss | None = None

    @cached_property
    def match(self) -> QuoteMatch | None:
        """Where the quote stands."""
        if not self._texts or not self._quote or self._quote.isspace():
            return None
        cut: QuoteMatch | None = None
        for found in self._finder.whole(fuzzy=self._fuzzy):
            match = self._match(found)
            if not match.cut:
                return match
            cut = cut or match
        return cut or self._joined()

    @cached_property
    def near_miss(self) -> NearMiss | None:
        """The passage most like the quote, which stands nowhere."""
        if self.match or not self._texts or not self._quote or self._quote.isspace():
            return None
        if self._misjoined and self._misjoined.altered:
            return self._misjoined
        near = self._finder.nearest()
        return self._near_miss(near) if near else self._misjoined

    @cached_property
    def _finder(self) -> Finder:
        return self._finder_of(self._quote)

    def _finder_of(self, quote: str) -> Finder:
        index = _word_index(self._references)
        low, high = 0, index.size
        if self._within is not None:
            number = self._references.number(self._within)
            low = index.bases[number]
            high = low + len(self._texts[number])
        return Finder(index, quote, low, high)

    def _match(self, found: Found) -> QuoteMatch:
        text = self._texts[found.number]
        number, start, end, how = found
        if how is not How.EXACT:
            while start < end and INVISIBLE.match(text[start]):
                start += 1
        return QuoteMatch(
            text[start:end], self._span(number, start, end), how, cuts(text, start, end)
        )

    def _span(self, number: int, start: int, end: int) -> Span:
        return Span(self._references.ids[number], start, end)

    def _near_miss(self, near: Near) -> NearMiss | None:
        number, alignment = near
        if alignment.share < _LIKE_SHARE:
            return None
        text = self._texts[number]
        start, end = alignment.start, alignment.end
        changed = next((edit.true[0].start for edit in alignment.edits if edit.true), start)
        altered = alignment.share >= _ALTERED_SHARE
        # What is only a little like the quote makes sense in its sentence.
        shown = (start, end) if altered else sentence_around(text, start, end, _PASSAGE)
        return NearMiss(
            _passage(text, *shown, changed),
            self._span(number, start, end),
            alignment.similarity,
            altered,
            tuple(
                (_spelled(self._quote, edit.quoted), _spelled(text, edit.true))
                for edit in alignment.edits
            ),
        )

    def _joined(self) -> QuoteMatch | None:
        """Return the stretch that the parts between ellipses stand in, in their order."""
        pieces = parts(self._quote)
        if not 1 <= len(pieces) <= _PARTS:
            return None
        found: list[dict[int, list[Found]]] = []
        for piece in pieces:
            places = self._occurrences(piece)
            if not places:
                alone = _Search(piece, self._references, self._within, fuzzy=False)
                self._misjoined = alone.near_miss
                return None
            found.append(places)
        joined = [
            chain
            for number in found[0]
            if all(number in places for places in found)
            for chain in chains([places[number] for places in found])
        ]
        joined.sort(key=lambda chain: (chain[-1].end - chain[0].start, chain[0]))
        for chain in joined:
            if not self._hidden(chain):
                return self._match(_whole(chain))
        if joined:
            self._misjoined = self._hiding(joined[0])
        return None

    def _occurrences(self, piece: str) -> dict[int, list[Found]]:
        """Return where a part stands uncut, by the number of the text and in order."""
        found: dict[int, list[Found]] = {}
        for item in islice(self._finder_of(piece).whole(fuzzy=self._fuzzy), _PLACES):
            if item.how is How.FUZZY and found:
                break
            if not cuts(self._texts[item.number], item.start, item.end):
                found.setdefault(item.number, []).append(item)
        for items in found.values():
            items.sort(key=lambda item: (item.start, item.end))
        return found

    def _hidden(self, chain: Sequence[Found]) -> tuple[int, str] | None:
        """Return a word that turns the meaning and that an ellipsis leaves out, and its gap."""
        text = self._texts[chain[0].number]
        for one, other in pairwise(chain):
            if word := hidden_word(text, one.end, other.start):
                return one.end, word
        return None

    def _hiding(self, chain: Sequence[Found]) -> NearMiss | None:
        hidden = self._hidden(chain)
        if hidden is None:
            return None
        gap, word = hidden
        number, start, end, _ = _whole(chain)
        passage = _passage(self._texts[number], start, end, gap)
        return NearMiss(passage, self._span(number, start, end), 1.0, True, (("...", word),))


def _whole(chain: Sequence[Found]) -> Found:
    loose = any(found.how is How.FUZZY for found in chain)
    how = How.FUZZY if loose else How.NORMALISED
    return chain[0]._replace(end=chain[-1].end, how=how)


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
