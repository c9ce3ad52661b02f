"""The sentences of an answer that its citations are for.

What claims nothing, such as a greeting, needs no citation, and is not judged with a sentence.

A citation that marks words is for the sentences of these words. One that marks a link in brackets
or a marker, or a mere position, is for the sentence that the mark follows; the mark itself is no
part of the sentence. One without a place is for all sentences of its text block that have no
citation of their own.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from groundtypes.citations.providers.answer import ProviderAnswer, ProviderCitation
from groundtypes.citations.statements.claiming import claiming_words
from groundtypes.citations.statements.prose import prose_hypotheses
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["Statement", "find_statements"]

_LINK: Final = r"\[[^\[\]\n]{0,300}\]\((?:[^()\s]|\([^()\s]{0,300}\)){1,2000}\)"
#: What stands in a text for a citation: links in brackets, links behind a sentence, the markers of
#: OpenAI, which are in lenticular brackets or between private characters, and numbers in brackets.
_MARK: Final = re.compile(
    rf"[ \t]{{0,9}}\([ \t]{{0,9}}{_LINK}(?:[\s,;|]{{1,9}}{_LINK}){{0,50}}[ \t]{{0,9}}\)"
    rf"|(?<=[.!?])[ \t]{{1,9}}{_LINK}(?:[ \t,;|]{{1,9}}{_LINK}){{0,50}}(?=\s|$)"
    r"|[ \t]{0,9}\u3010[^\u3010\u3011\n]{1,200}\u3011"
    r"|[ \t]{0,9}\[(?:doc)?\d{1,9}(?:[ ,;\u2013-]{1,3}\d{1,9}){0,50}\]"
    r"|[ \t]{0,9}\ue200[^\ue200\ue201\n]{1,300}\ue201"
)
#: White space of more characters before a mark does not begin a line.
_INDENT: Final = 100
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer with its citations.

    Attributes:
        text: The sentence as it is judged: without markers and Markdown.
        start: Where it starts in the answer, in code points.
        end: Where it ends.
        citations: The numbers of its citations, from 0, in the order of `ProviderAnswer.citations`.
    """

    text: str
    start: int
    end: int
    citations: tuple[int, ...]


def find_statements(answer: ProviderAnswer) -> list[Statement]:
    """Return the sentences of an answer that claim something, each with its citations."""
    placed = [
        (number, citation) for number, citation in enumerate(answer.citations) if citation.is_placed
    ]
    cut = _CutText(answer.text, [citation for _, citation in placed])
    sentences = prose_hypotheses(cut.text, _apart(cut, answer.citations))
    citing: list[list[int]] = [[] for _ in sentences]
    finder = _Finder(cut.text, sentences)
    for number, citation in placed:
        for at in finder.marked(cut.position(citation.start), cut.position(citation.end)):
            citing[at].append(number)
    sentences, claiming = _claims(sentences, citing)
    free = [at for at in sorted(claiming) if not citing[at]]
    for number, citation in enumerate(answer.citations):
        if not citation.is_placed and citation.place_fault is None:
            low, high = cut.position(citation.start), cut.position(citation.end)
            for at in free:
                if sentences[at].start < high and low < sentences[at].end:
                    citing[at].append(number)
    return [
        Statement(
            sentence.text,
            cut.original(sentence.start),
            cut.original(sentence.end, is_end=True),
            tuple(citing[at]),
        )
        for at, sentence in enumerate(sentences)
        if at in claiming
    ]


def _apart(cut: "_CutText", citations: Sequence[ProviderCitation]) -> list[int]:
    """Return the positions at which a sentence ends, however short it and the next one are.

    What a citation marks is not judged with what is before or behind it.
    """
    places = {cut.position(place) for each in citations for place in (each.start, each.end)}
    return sorted(_without_space(cut.text, place) for place in places)


def _without_space(text: str, end: int) -> int:
    """Return where the words before a position end."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _claims(
    sentences: Sequence[Hypothesis], citing: Sequence[Sequence[int]]
) -> tuple[list[Hypothesis], set[int]]:
    """Return the sentences with the words that claim something, and the numbers of those.

    A citation of one sentence alone shows that it claims something; one that marks several does not
    say so of each.
    """
    counts = Counter(number for numbers in citing for number in numbers)
    worded: list[Hypothesis] = []
    claiming, saying = set(), set()
    for at, sentence in enumerate(sentences):
        is_cited_alone = any(counts[number] == 1 for number in citing[at])
        words = claiming_words(sentence.text, cites=is_cited_alone)
        worded.append(replace(sentence, text=words) if words else sentence)
        if words and _LETTER_OR_DIGIT.search(words):
            saying.add(at)
            if sentence.is_claim:
                claiming.add(at)
    return worded, claiming or saying  # without claims, a heading is the answer


class _CutText:
    """A text without the marks of its citations."""

    def __init__(self, text: str, citations: Sequence[ProviderCitation]) -> None:
        marks = [match.span() for match in _MARK.finditer(text)]
        cuts = [marks[number] for number in _touched(marks, citations)]
        #: Where each cut starts and ends, and how much is cut up to its end.
        self._starts = [start for start, _ in cuts]
        self._ends = [end for _, end in cuts]
        self._lost = list(accumulate(end - start for start, end in cuts))
        pieces, at = [], 0
        for start, end in cuts:
            pieces.append(text[at:start])
            at = end
        self.text = "".join([*pieces, text[at:]])
        #: Where each cut is in the text without them.
        self._places = [end - lost for end, lost in zip(self._ends, self._lost, strict=True)]

    def position(self, original: int) -> int:
        """Return where a position of the original is; what is cut is at its beginning."""
        number = bisect_right(self._starts, original) - 1
        if number < 0:
            return original
        if original < self._ends[number]:
            return self._places[number]
        return original - self._lost[number]

    def original(self, position: int, *, is_end: bool = False) -> int:
        """Return where a position is in the original; at a cut, behind it unless it is an end."""
        find = bisect_left if is_end else bisect_right
        number = find(self._places, position) - 1
        return position if number < 0 else position + self._lost[number]


def _touched(
    marks: Sequence[tuple[int, int]], citations: Sequence[ProviderCitation]
) -> Iterator[int]:
    """Yield the numbers of the marks that citations overlap or touch."""
    starts, ends = [start for start, _ in marks], [end for _, end in marks]
    changes = [0] * (len(marks) + 1)
    for citation in citations:
        low = bisect_left(ends, citation.start)
        high = bisect_right(starts, citation.end)
        if low < high:
            changes[low] += 1
            changes[high] -= 1
    for number, count in enumerate(accumulate(changes[:-1])):
        if count:
            yield number


class _Finder:
    """Finds the sentences of marked words."""

    def __init__(self, text: str, sentences: Sequence[Hypothesis]) -> None:
        self._text = text
        self._starts = [sentence.start for sentence in sentences]
        self._ends = [sentence.end for sentence in sentences]

    def marked(self, start: int, end: int) -> range:
        """Return the numbers of the sentences that marked words are in.

        Words without a letter or digit, and mere positions, are for the sentence before them, or
        for the one behind them if they begin its line.
        """
        low, high = bisect_right(self._ends, start), bisect_left(self._starts, end)
        while low < high and not self._has_words(low, start, end):
            low += 1
        while low < high and not self._has_words(high - 1, start, end):
            high -= 1
        if low < high:
            return range(low, high)
        before = bisect_left(self._starts, start) - 1
        indent = self._text[max(0, start - _INDENT) : start].rstrip(" \t")
        if not indent or indent.endswith("\n"):
            behind = before + 1
            line_end = self._text.find("\n", start)
            line_end = len(self._text) if line_end < 0 else line_end
            if behind < len(self._starts) and self._starts[behind] < line_end:
                return range(behind, behind + 1)
        return range(before, before + 1) if before >= 0 else range(0)

    def _has_words(self, number: int, start: int, end: int) -> bool:
        low, high = max(start, self._starts[number]), min(end, self._ends[number])
        return _LETTER_OR_DIGIT.search(self._text, low, high) is not None
