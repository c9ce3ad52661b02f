"""The sentences of a provider's answer that its citations are for.

A citation that marks words is for their sentences; one that marks a link, a marker or a position,
for the sentence before it; one without a place, for all sentences of its text block that have no
citation of their own. Citations are read as markers, so that all else is as for `Cited`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Final

from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.citations.providers.provider_answer import ProviderAnswer, ProviderCitation
from groundtypes.citations.statements.claiming import claiming_words
from groundtypes.citations.statements.sentences import cited_sentences

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
    spans = [match.span() for match in _MARK.finditer(text)]
    marks = [
        Marker(*spans[at], (), "provider") for at in _touched(spans, [each for _, each in placed])
    ]
    bare = MarkedText(text, tuple(marks))
    starts = [mark.start for mark in marks]
    markers = list(marks)
    for number, citation in placed:
        start, end = citation.start, citation.end
        low, high = bare.position_in_plain(start), bare.position_in_plain(end)
        if _LETTER_OR_DIGIT.search(bare.plain, low, high):
            content = start, start + len(text[start:end].rstrip())
            markers.append(Marker(*content, (str(number),), "provider", content))
            continue
        at = bisect_right(starts, end) - 1
        if at >= 0 and marks[at].end >= start:
            start = marks[at].start
        start = _behind_words(text, start)
        markers.append(Marker(start, start, (str(number),), "provider"))
    markers.sort(key=lambda marker: (marker.start, marker.end))
    return MarkedText(text, tuple(markers))


def _behind_words(text: str, position: int) -> int:
    """Return where the words before a position end; the position itself if it begins a line."""
    before = position
    while before and text[before - 1] in " \t":
        before -= 1
    return position if before == 0 or text[before - 1] == "\n" else before


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
    yield from (number for number, count in enumerate(accumulate(changes[:-1])) if count)
