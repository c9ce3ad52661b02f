"""Quotes with an ellipsis: their parts, where these occur in order, and what is left out."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Final

from groundtypes.quotes.matches import EllipsisRule, MatchKind, Occurrence
from groundtypes.quotes.turning_words import (
    DELIMITER,
    SEMICOLON,
    Language,
    folded_words,
    languages_of,
    possible_languages,
)
from groundtypes.text.characters import SPACELESS
from groundtypes.text.layout import BlockKind, blocks
from groundtypes.text.message_excerpts import clip
from groundtypes.text.punkt import sentence_ends

#: So many characters around a gap are read for the boundaries of its sentences and the language.
_REACH: Final = 600
#: A longer gap is not read: it hides too much to be known.
_LONGEST: Final = 100_000
#: The most characters of the hidden words in a message.
_SHOWN: Final = 60
_VISIBLE: Final = re.compile(r"[^\W_]")
_QUESTION: Final = re.compile(r"[?\uff1f\u061f\u037e]")
_DELIMITED_END: Final = re.compile(r"[,;:()\[\]\u2013\u2014\uff0c\u3001\uff1b\uff1a\u060c]\s*\Z")
_DELIMITED_START: Final = re.compile(r"\s*[,;:()\[\]\u2013\u2014\uff0c\u3001\uff1b\uff1a\u060c]")
#: A sign that belongs to the number behind it.
_SIGN_END: Final = re.compile(
    r"[<>=~\u2264\u2265\u00b1\u2248$\u20ac\u00a3\u00a5+\u2212/\u00d7]\s*\Z"
)
_STOP_BEFORE: Final = re.compile(r"[.!?][^\w\s]{0,3}\s+\W{0,3}\Z")
_STOP_REACH: Final = 10
#: The most characters of a sentence such as "None of the following is true."
_LONGEST_DENIAL: Final = 80
#: A parenthesis of fewer words may belong to the word beside it: "the (former) president".
_PARENTHESIS_WORDS: Final = 3
_SPACELESS_PHRASE: Final = re.compile(f"[{SPACELESS}]{{6}}")
#: So many hidden words before the second part are at the edge of what is hidden.
_WORDS_AT_EDGE: Final = 3
#: Before a number that a part begins with, so many hidden words are read.
_WORDS_BEFORE_NUMBER: Final = 3


@dataclass(frozen=True)
class Gap:
    """The stretch that an ellipsis hides; it is closed if the quote shows a full stop before it."""

    text: str
    start: int
    end: int
    closed: bool

    def fault(self, rule: EllipsisRule) -> str | None:
        """Return the hidden words for which the ellipsis is refused, or `None`."""
        hidden = self.text[self.start : self.end]
        if rule is EllipsisRule.REFUSE:
            return self._shown(hidden)
        if not _VISIBLE.search(hidden):
            return None
        if len(hidden) > _LONGEST:
            return self._shown(hidden)
        if self._crossed:
            return self._fault_over_sentences(rule)
        return self._fault_inside(self.start, self.end, rule)

    def _shown(self, hidden: str) -> str:
        return clip(" ".join(hidden.split()), _SHOWN)

    @cached_property
    def _boundaries(self) -> list[int]:
        """Where sentences, items, rows and headings begin and end, around the gap."""
        low = max(0, self.start - _REACH)
        high = min(len(self.text), self.end + _REACH)
        window = self.text[low:high]
        found: set[int] = {0} if low == 0 else set()
        for block in blocks(window):
            found.update((block.start, block.body, block.end))
            if block.kind is not BlockKind.ROW:
                found.update(sentence_ends(window, block.body, block.end))
        return sorted(low + place for place in found)

    @cached_property
    def _crossed(self) -> list[int]:
        return [place for place in self._boundaries if self.start <= place <= self.end]

    def _is_boundary(self, place: int) -> bool:
        """Whether a sentence begins or ends here, apart from white space and signs."""
        return any(
            not _VISIBLE.search(self.text, min(place, boundary), max(place, boundary))
            for boundary in self._boundaries
        )

    def _fault_over_sentences(self, rule: EllipsisRule) -> str | None:
        """Judge a gap that the boundary of a sentence lies in."""
        hidden = self.text[self.start : self.end]
        # A stop may also end an abbreviation; it ends a sentence if the quote shows it, too.
        starts_whole = self._is_boundary(self.end) or (
            self.closed
            and not self.text[self.end].islower()
            and bool(_STOP_BEFORE.search(self.text[max(0, self.end - _STOP_REACH) : self.end]))
        )
        if starts_whole and self._is_boundary(self.start):
            return self._denial()
        if rule is EllipsisRule.LENIENT:
            return self._turning_word(self.start, self.end, rule)
        if self.closed and starts_whole:
            return self._fault_inside(self.start, self._crossed[0], rule) or self._denial()
        return self._shown(hidden)

    def _denial(self) -> str | None:
        """Return the words by which a hidden sentence turns the sentences around it."""
        languages = self._languages(self.start, self.end) or ()
        for start, end in pairwise([self.start, *self._crossed, self.end]):
            words = self._words(start, end)
            # A longer sentence has something of its own to say.
            for language in languages if len(words) <= _LONGEST_DENIAL else ():
                if match := language.find("denials", words):
                    return match[0].strip()
        return None

    def _words(self, start: int, end: int) -> str:
        return folded_words(self.text[start:end])

    def _languages(self, start: int, end: int) -> list[Language] | None:
        """Return the languages of a hidden stretch; `None` if one is unknown."""
        around = self._words(max(0, start - _REACH), min(len(self.text), end + _REACH))
        return languages_of(self._words(start, end), self._sentence(start, end), around)

    def _sentence(self, start: int, end: int) -> str:
        """Return the words of the sentences that a hidden stretch belongs to."""
        before = [place for place in self._boundaries if place <= self.start]
        after = [place for place in self._boundaries if place >= self.end]
        low = before[-1] if before else max(0, start - _REACH)
        high = after[0] if after else min(len(self.text), end + _REACH)
        return self._words(low, high)

    def _turning_word(self, start: int, end: int, rule: EllipsisRule) -> str | None:
        """Return a word that turns its sentence; strictly, in an unknown language, all words."""
        words = self._words(start, end)
        languages = self._languages(start, end)
        if languages is None:
            if rule is EllipsisRule.STRICT:
                return self._shown(self.text[start:end])
            languages = possible_languages(words, self._sentence(start, end))
        tokens = [token for token in words.split() if token not in (DELIMITER, SEMICOLON)]
        edges = f" {' '.join([*tokens[:1], DELIMITER, *tokens[1:][-_WORDS_AT_EDGE:]])} "
        keys = {"turns": words, "limits": words, "edges": edges}
        is_long = len(tokens) >= _PARENTHESIS_WORDS or _SPACELESS_PHRASE.search(words)
        if is_long and self._is_delimited(start) and self._is_delimited(end):
            keys = {"turns": words}
        for language in languages:
            for key, searched in keys.items():
                if match := language.find(key, searched):
                    return match[0].strip()
        return None

    def _is_delimited(self, place: int) -> bool:
        return bool(
            _DELIMITED_START.match(self.text, place)
            or _DELIMITED_END.search(self.text[max(0, place - 3) : place])
        )

    def _fault_inside(self, start: int, end: int, rule: EllipsisRule) -> str | None:
        """Judge a hidden stretch inside one sentence."""
        if word := self._turning_word(start, end, rule):
            return word
        hidden = self.text[start:end]
        if rule is EllipsisRule.STRICT and (
            _QUESTION.search(hidden) or self._tears_number(start, end)
        ):
            return self._shown(hidden)
        return None

    def _tears_number(self, start: int, end: int) -> bool:
        """Whether a number at the edge of a part loses its range, its unit or its sign."""
        before = re.search(r"(\d)[\s%]*\Z", self.text[max(0, start - 6) : start])
        after = re.match(r"\W{0,3}\d", self.text[end : end + 4])
        words = self._words(start, end)
        languages = self._languages(start, end) or []
        if before and not self._is_delimited(start):
            clause = re.split(" [,;] ", words)[0]
            first = clause.split()[:1]
            is_function_word = any(word in one.common for word in first for one in languages)
            has_lists = any(one.common for one in languages)
            if re.search(r"\d", clause) or (has_lists and not is_function_word):
                return True
        if after and not self._is_delimited(end):
            clause = re.split(" [,;] ", words)[-1]
            last = " ".join(["", *clause.split()[-_WORDS_BEFORE_NUMBER:], ""])
            if re.search(r"\d", clause) or _SIGN_END.search(self.text[start:end]):
                return True
            return any(one.find("measures", last) for one in languages)
        return False


_ELLIPSIS: Final = re.compile(
    r"\[\s?(?:\.{3,}|\u2026|\. \. \.)\s?\]|\(\s?(?:\.{3,}|\u2026|\. \. \.)\s?\)"
    r"|\.{3,}|[\u2026\u22ef]+|\. \. \."
)
#: A full stop that closes a part: "in 1889. ..." or "in 1889....".
_CLOSED: Final = re.compile(r"[.!?\u3002\uff01\uff1f\u0964][\"'\u201d\u2019\u00bb)\]]{0,2}\s*\Z")
#: The most gaps of one quote that are judged, and the most characters that they may hide together.
_MOST_JUDGED: Final = 300
_MOST_HIDDEN: Final = 300_000


def split_at_ellipses(quote: str) -> list[tuple[str, bool]]:
    """Return the parts between ellipses, and whether a full stop closes each before them."""
    parts = []
    start = 0
    ends = [match.span() for match in _ELLIPSIS.finditer(quote)]
    for end, following in (*ends, (len(quote), len(quote))):
        part = quote[start:end]
        has_fourth_dot = quote.startswith("....", end)
        if any(map(str.isalnum, part)):
            parts.append((part.strip(), has_fourth_dot or bool(_CLOSED.search(part))))
        start = following
    return parts


class Joiner:
    """The joining of the parts of one quote in one text at a time; its work is bounded.

    `fault` is the first gap that was refused: the parts around it, its start, and the hidden words.
    """

    def __init__(self, closed: Sequence[bool], rule: EllipsisRule) -> None:
        self._closed = closed
        self._rule = rule
        self._judged = 0
        self._hidden = 0
        self.fault: tuple[Occurrence, int, str] | None = None

    def join(self, text: str, occurrences: Sequence[Sequence[Occurrence]]) -> Occurrence | None:
        """Return a short stretch in which all parts occur in order and no gap hides too much.

        `occurrences` are those of each part, all in `text` and in the order of their starts. Each
        of the first part is followed by the nearest ones of the other parts that may follow it.
        """

        def chain_from(first: Occurrence, *, judged: bool) -> list[Occurrence] | None:
            chain = [first]
            for closed, of_part in zip(self._closed, occurrences[1:], strict=False):
                before = chain[-1]
                at = bisect_left(of_part, before.end, key=attrgetter("start"))
                following = (
                    one
                    for one in map(of_part.__getitem__, range(at, len(of_part)))
                    if not judged or self._is_allowed(text, before, one, closed=closed)
                )
                if (one := next(following, None)) is None:
                    return None
                chain.append(one)
            return chain

        nearest = [
            (chain[-1].end - first.start, first)
            for first in occurrences[0]
            if (chain := chain_from(first, judged=False))
        ]
        chains = (chain_from(first, judged=True) for _, first in sorted(nearest))
        return next((_joined(chain) for chain in chains if chain), None)

    def _is_allowed(
        self, text: str, before: Occurrence, after: Occurrence, *, closed: bool
    ) -> bool:
        hidden = after.start - before.end
        if self._judged >= _MOST_JUDGED or self._hidden + hidden > _MOST_HIDDEN:
            return False
        self._judged += 1
        self._hidden += hidden
        fault = Gap(text, before.end, after.start, closed).fault(self._rule)
        if fault is not None and self.fault is None:
            self.fault = _joined([before, after]), before.end, fault
        return fault is None


def _joined(chain: Sequence[Occurrence]) -> Occurrence:
    """Return the occurrence from the first part of a chain to the last."""
    is_fuzzy = any(occurrence.how is MatchKind.FUZZY for occurrence in chain)
    how = MatchKind.FUZZY if is_fuzzy else MatchKind.NORMALISED
    return chain[0]._replace(end=chain[-1].end, how=how)
