"""The sentences of a text with citation markers, and what each of them cites."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.text.hypotheses import Hypothesis, hypotheses
from groundtypes.text.layout import BlockKind, blocks
from groundtypes.text.markdown import prose_of
from groundtypes.text.punkt import CLOSING, TERMINATORS


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and what it cites.

    Attributes:
        hypothesis: The sentence without markers, worded so that it can be judged alone; its start
            and end are those of its words in the text with markers.
        markers: The markers that count for it, in the order of the text.
        labels: What they name, each once.
    """

    hypothesis: Hypothesis
    markers: tuple[Marker, ...]
    labels: tuple[str, ...]


_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
_ENDED: Final = re.compile(rf"[{TERMINATORS}:][{CLOSING}\s]{{0,8}}\Z")
#: So many characters of a paragraph show whether it has more than one word.
_FEW: Final = 100
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\r?\n")


def cited_sentences(
    marked: MarkedText, scope: Literal["sentence", "paragraph"] = "sentence"
) -> list[CitedSentence]:
    """Return the sentences of a text and what each of them cites.

    The sentences are those of the plain text, which `hypotheses` finds. If none claims anything,
    the whole text counts as one that does; a text without any letter or digit has none.

    A marker counts for the sentence that it is in, or behind the full stop of. At the start of a
    line it counts for the sentence after it, and so do the others of a paragraph that starts with
    a marker and does not end with one. An element counts for all sentences that its content has a
    part of. The markers of a line that introduces a list count for those items that have none.

    Args:
        marked: The text.
        scope: With `"paragraph"`, the markers at the end of a paragraph or list item count for all
            its sentences if there are no others in it.
    """
    plain = marked.plain
    sentences = hypotheses(prose_of(plain), _apart(marked))
    if not any(sentence.is_claim for sentence in sentences):
        if not _LETTER_OR_DIGIT.search(plain):
            return []
        sentences = [Hypothesis(" ".join(plain.split()), 0, len(plain))]
    layout = _Layout(marked, sentences)
    layout.add_markers()
    layout.share_in_split_sentences()
    layout.share_introductions()
    if scope == "paragraph":
        layout.share_in_paragraphs()
    return [layout.cited(number) for number in range(len(sentences))]


def _apart(marked: MarkedText) -> list[int]:
    """Return the positions in the plain text of sentences that are not joined, however short."""
    plain, start, ends = marked.plain, 0, []
    for marker in marked.markers:
        for place in marker.content or (marker.start,):
            end = marked.position_in_plain(place)
            while end and plain[end - 1].isspace():
                end -= 1
            ends.append(end)
    for blank in _BLANK_LINE.finditer(plain):
        end = blank.start()
        if len(plain[start : min(start + _FEW, end)].split()) > 1:
            ends.append(end)
        start = blank.end()
    return sorted(ends)


class _Layout:
    """The sentences of a plain text in its blocks, and the markers that count for each."""

    def __init__(self, marked: MarkedText, sentences: Sequence[Hypothesis]) -> None:
        self._marked = marked
        self._plain = prose_of(marked.plain)
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._blocks = list(blocks(self._plain))
        self._block_starts = [block.start for block in self._blocks]
        self._markers: list[dict[Marker, None]] = [{} for _ in sentences]
        #: The markers in order and their labels, by the identity of what they are kept in above.
        self._shared: dict[int, tuple[tuple[Marker, ...], tuple[str, ...]]] = {}
        #: The markers that enclose nothing, with how much of the plain text is before each.
        self._points = [
            (marked.position_in_plain(marker.start), marker)
            for marker in marked.markers
            if marker.content is None
        ]

    def cited(self, number: int) -> CitedSentence:
        """Return a sentence with its place in the text with markers."""
        sentence = self._sentences[number]
        markers, labels = self._shown(self._markers[number])
        start, end = sentence.start, sentence.end
        hypothesis = replace(
            sentence,
            start=self._marked.position_in_text(start),
            end=self._marked.position_in_text(end - 1) + 1 if end > start else start,
        )
        return CitedSentence(hypothesis, markers, labels)

    def _shown(self, markers: dict[Marker, None]) -> tuple[tuple[Marker, ...], tuple[str, ...]]:
        """Return markers in order with their labels: the same object for sentences that share."""
        if id(markers) not in self._shared:
            ordered = tuple(sorted(markers, key=lambda marker: (marker.start, marker.end)))
            labels = dict.fromkeys(label for marker in ordered for label in marker.labels)
            self._shared[id(markers)] = ordered, tuple(labels)
        return self._shared[id(markers)]

    def add_markers(self) -> None:
        """Add each marker to its sentence, or to those that it encloses."""
        leading = self._leading_blocks()
        for position, marker in self._points:
            number = max(0, bisect_right(self._starts, position) - 1)
            leads = self._block_at(position) in leading
            # Where no space is between sentences, the one that ends here is the one before.
            ends_here = number > 0 and self._sentences[number - 1].end == position
            if ends_here and position == self._starts[number] and not leads:
                number -= 1
            if leads and position >= self._sentences[number].end:
                number = self._next_in_block(number, position)
            self._markers[number][marker] = None
        for marker in self._marked.markers:
            if marker.content is not None:
                for number in self._enclosed(*marker.content):
                    self._markers[number][marker] = None

    def _enclosed(self, start: int, end: int) -> Iterator[int]:
        """Yield the sentences of which a visible part is between two positions of the text."""
        low = self._marked.position_in_plain(start)
        high = self._marked.position_in_plain(end)
        first = max(0, bisect_right(self._starts, low) - 1)
        is_found = False
        for number in range(first, len(self._sentences)):
            sentence = self._sentences[number]
            if sentence.start >= high:
                break
            part = self._plain[max(low, sentence.start) : min(high, sentence.end)]
            if _LETTER_OR_DIGIT.search(part):
                is_found = True
                yield number
        if not is_found:
            yield first

    def _leading_blocks(self) -> set[int]:
        """Return the blocks whose markers are before the sentences that they count for."""
        positions: dict[int, list[int]] = {}
        for position, _ in self._points:
            positions.setdefault(self._block_at(position), []).append(position)
        return {
            number
            for number, (first, *_, last) in (
                (number, (found[0], found[-1]))
                for number, found in positions.items()
                if number >= 0
            )
            if first <= self._blocks[number].body
            and _LETTER_OR_DIGIT.search(self._plain, last, self._blocks[number].end)
        }

    def _next_in_block(self, number: int, position: int) -> int:
        following = number + 1
        if following == len(self._sentences):
            return number
        is_same = self._block_at(self._starts[following]) == self._block_at(position)
        return following if is_same else number

    def _block_at(self, position: int) -> int:
        return bisect_right(self._block_starts, position) - 1

    def share_in_split_sentences(self) -> None:
        """Give the markers at the end of a long sentence to the parts it was split into."""
        for number in range(len(self._sentences) - 2, -1, -1):
            sentence, following = self._sentences[number], self._sentences[number + 1]
            block = self._block_at(sentence.start)
            ending = self._plain[max(sentence.start, sentence.end - 10) : sentence.end]
            if (
                not self._markers[number]
                and block == self._block_at(following.start)
                and self._blocks[block].kind in (BlockKind.PROSE, BlockKind.ITEM)
                and _ENDED.search(ending) is None
            ):
                self._markers[number] = self._markers[number + 1]

    def share_introductions(self) -> None:
        """Give the markers of a line that introduces a list to its items without any."""
        introduction: dict[Marker, None] = {}
        for number, sentence in enumerate(self._sentences):
            kind = self._blocks[max(0, self._block_at(sentence.start))].kind
            if kind is BlockKind.PROSE or kind is BlockKind.HEADING:
                introduces = not sentence.is_claim and sentence.text.rstrip("*_ ").endswith(
                    (":", "\uff1a")
                )
                introduction = self._markers[number] if introduces else {}
            elif not self._markers[number]:
                self._markers[number] = introduction

    def share_in_paragraphs(self) -> None:
        """Give the markers at the end of a paragraph or list item to all its sentences."""
        first = 0
        for number in range(len(self._sentences)):
            if number + 1 < len(self._sentences) and self._is_one_paragraph(number, number + 1):
                continue
            last, before = self._markers[number], range(first, number)
            first = number + 1
            if not last or any(self._markers[each] for each in before):
                continue
            start = min(self._marked.position_in_plain(marker.start) for marker in last)
            is_within = _LETTER_OR_DIGIT.search(self._plain, start, self._sentences[number].end)
            if is_within is None and not any(marker.content for marker in last):
                for each in before:
                    self._markers[each] = last

    def _is_one_paragraph(self, first: int, second: int) -> bool:
        end, start = self._sentences[first].end, self._starts[second]
        blocks_of = self._block_at(end - 1), self._block_at(start)
        if blocks_of[0] == blocks_of[1]:
            return True
        kinds = {self._blocks[number].kind for number in blocks_of}
        return kinds == {BlockKind.PROSE} and not _BLANK_LINE.search(self._plain, end, start)
