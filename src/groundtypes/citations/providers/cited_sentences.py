"""The sentences of a provider's answer that its citations are for.

A citation that marks words is for their sentences; one that marks a link, a marker or a position,
for the sentence before it; one without a place, for all sentences of its text block that have no
citation of their own. Citations are read as markers, so that all else is as for `Cited`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Final

from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.providers.provider_answer import ProviderAnswer
from groundtypes.citations.statements.sentences import cited_sentences
from groundtypes.text.claiming import claiming_words

_LINK: Final = r"\[[^\[\]\n]{0,300}\]\((?:[^()\s]|\([^()\s]{0,300}\)){1,2000}\)"
#: Links in brackets, whatever their words are.
_LINKS: Final = re.compile(rf"\([ \t]{{0,9}}{_LINK}(?:[\s,;|]{{1,9}}{_LINK}){{0,50}}[ \t]{{0,9}}\)")
#: So much white space before a citation may be left out.
_SPACES: Final = 200
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
    sentences = cited_sentences(_with_markers(answer))
    citing = [sorted(map(int, sentence.labels)) for sentence in sentences]
    counts = Counter(chain.from_iterable(citing))
    found: list[tuple[str, int, int, list[int]]] = []
    for sentence, numbers in zip(sentences, citing, strict=True):
        hypothesis = sentence.hypothesis
        # A citation of several sentences does not say of each that it claims something.
        is_cited_alone = any(counts[number] == 1 for number in numbers)
        words = claiming_words(hypothesis.text, cites=is_cited_alone)
        if hypothesis.is_claim and words:
            found.append((words, hypothesis.start, hypothesis.end, numbers))
    free = [each for each in found if not each[3]]
    for number, citation in enumerate(answer.citations):
        if not citation.is_placed and citation.place_fault is None:
            for _, start, end, numbers in free:
                if start < citation.end and citation.start < end:
                    numbers.append(number)
    return [Statement(text, start, end, tuple(numbers)) for text, start, end, numbers in found]


def _with_markers(answer: ProviderAnswer) -> MarkedText:
    """Return the answer with its citations as markers, whose labels are their numbers."""
    text = answer.text
    placed = [(at, citation) for at, citation in enumerate(answer.citations) if citation.is_placed]
    starts = sorted(citation.start for _, citation in placed)
    ends = sorted(citation.end for _, citation in placed)
    spans = [match.span() for match in _LINKS.finditer(text)]
    spans += [(each.start, each.end) for each in read_markers(text, ()).markers if not each.content]
    marks = [
        Marker(low, high, (), "provider")
        for low, high in sorted(spans)
        if bisect_right(starts, high) > bisect_left(ends, low)  # a citation overlaps or touches it
    ]
    bare = MarkedText(text, tuple(marks))
    mark_starts = [mark.start for mark in marks]
    markers = list(marks)
    for number, citation in placed:
        start, end = citation.start, citation.end
        low, high = bare.position_in_plain(start), bare.position_in_plain(end)
        if _LETTER_OR_DIGIT.search(bare.plain, low, high):
            content = start, start + len(text[start:end].rstrip())
            markers.append(Marker(*content, (str(number),), "provider", content))
            continue
        at = bisect_right(mark_starts, end) - 1
        if at >= 0 and marks[at].end >= start:
            start = marks[at].start
        start = _behind_words(text, start)
        markers.append(Marker(start, start, (str(number),), "provider"))
    markers.sort(key=lambda marker: (marker.start, marker.end))
    return MarkedText(text, tuple(markers))


def _behind_words(text: str, position: int) -> int:
    """Return where the words before a position end; the position itself if it begins a line."""
    before = text[max(0, position - _SPACES) : position]
    words = before.rstrip(" \t")
    is_line_start = not words or words.endswith("\n")
    return position if is_line_start else position - len(before) + len(words)
