"""Cutting a text into sentences, which are judged one by one.

The text is cut by its layout (`blocks`), then each block by its sentence boundaries (`punkt`). A
segment of more than 500 characters is split at line ends, else where a clause or a word ends. A
sentence of fewer than 20 characters joins the next one (the last one the one before), because
"Yes." alone says nothing; but it never joins another list item, a table row or a heading.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.text.characters import SPACELESS
from groundtypes.text.layout import Block, BlockKind, blocks
from groundtypes.text.punkt import sentence_ends

#: The most characters of a sentence; a longer one is split.
LONGEST: Final = 500
_SHORTEST: Final = 20
#: A segment that a short sentence joined may be a little longer.
_LONGEST_JOINED: Final = LONGEST + _SHORTEST
#: How far before the limit a cut may be, between clauses and between words.
_CLAUSE_REACH: Final = 200
_WORD_REACH: Final = 100
#: In a script without spaces a sentence needs about a third of the characters.
_SPACELESS_WEIGHT: Final = 3
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
_LINE_ENDS: Final = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_CLAUSE_END: Final = re.compile(r"[;:,](?=\s)|[\uff0c\uff1b\u3001\u060c\u061b]")
_SPACE: Final = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence, list item, table row or heading: half open, in code points of the text.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        kind: The kind of its block.
        block: Where its block begins: its paragraph, item or row.
        body: Where its words begin, after the marker of a list item.
        introduces: Whether it may introduce what follows: it has no closing mark but perhaps a
            colon, such as a title or the line before a list.
    """

    start: int
    end: int
    kind: BlockKind
    block: int
    body: int
    introduces: bool = False


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each sentence of a text starts and ends, in code points.

    The spans are in order, do not overlap, neither begin nor end with white space, and together
    have every visible character. None is longer than 520 characters.
    """
    return [(segment.start, segment.end) for segment in segments(text)]


def segments(text: str, apart: Sequence[int] = ()) -> list[Segment]:
    """Return the sentences of a text with what the layout says about them.

    Args:
        text: The text.
        apart: Positions, in order: a short sentence in which or at whose end one of them is, and
            one that follows such a sentence, are not joined.
    """
    joined_segments: list[Segment] = []
    short: Segment | None = None
    for segment in _unjoined_segments(text):
        joined = segment
        if short is not None:
            if _may_join(short, segment) and not _is_at_one(short, apart):
                joined = replace(short, end=segment.end)
            else:
                _append(text, joined_segments, short, apart)
            short = None
        if _is_short(text, joined):
            short = joined
        else:
            _append(text, joined_segments, joined, apart)
    if short is not None:
        _append(text, joined_segments, short, apart)
    return joined_segments


def _is_at_one(segment: Segment, positions: Sequence[int]) -> bool:
    """Whether one of some positions is in a segment or at its end."""
    number = bisect_left(positions, segment.start)
    return number < len(positions) and positions[number] <= segment.end


def _append(
    text: str, joined_segments: list[Segment], segment: Segment, apart: Sequence[int]
) -> None:
    """Append a segment; one that says nothing alone joins the segment before it."""
    if joined_segments:
        before = joined_segments[-1]
        has_words = _LETTER_OR_DIGIT.search(text, segment.start, segment.end)
        is_dependent = (
            not segment.introduces
            and _is_short(text, segment)
            and _belong_together(before, segment)
            and not _is_at_one(before, apart)
        )
        fits = segment.end - before.start <= _LONGEST_JOINED
        if fits and (is_dependent or not has_words):
            joined_segments[-1] = replace(before, end=segment.end)
            return
    joined_segments.append(segment)


def _may_join(short: Segment, following: Segment) -> bool:
    return following.end - short.start <= _LONGEST_JOINED and _belong_together(short, following)


def _belong_together(first: Segment, second: Segment) -> bool:
    """Whether two neighbours are of one block, or sentences of two paragraphs."""
    if first.block == second.block:
        return True
    return first.kind is second.kind is BlockKind.PROSE and not first.introduces


def _is_short(text: str, segment: Segment) -> bool:
    """Whether a segment is a sentence too short to say something alone."""
    if segment.kind in (BlockKind.ROW, BlockKind.HEADING):
        return False
    return is_short(text, segment.start, segment.end)


def is_short(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is too short for a sentence that says something alone."""
    if end - start >= _SHORTEST:
        return False
    spaceless = len(_SPACELESS.findall(text, start, end))
    return end - start + (_SPACELESS_WEIGHT - 1) * spaceless < _SHORTEST


def _unjoined_segments(text: str) -> Iterator[Segment]:
    """Yield the sentences of each block; long ones are split, short ones are not yet joined."""
    for block in blocks(text):
        is_one_segment = block.kind in (BlockKind.ROW, BlockKind.HEADING)
        ends = () if is_one_segment else sentence_ends(text, block.body, block.end)
        start = block.start
        for end in (*ends, block.end):
            yield from _split_segment(text, block, start, end)
            start = end


def _split_segment(text: str, block: Block, start: int, end: int) -> Iterator[Segment]:
    """Yield the segments of one sentence: itself, or the parts of a long one."""
    start, end = _trim(text, start, end)
    spans = [(start, end)] if end - start <= LONGEST else _split(text, start, end)
    for low, high in spans:
        if low < high:
            is_whole_or_colon = low == block.start or text[high - 1] == ":"
            yield Segment(
                low,
                high,
                block.kind,
                block.start,
                max(low, min(block.body, high)),
                block.introduces and high == block.end and is_whole_or_colon,
            )


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a long sentence: its lines, and of long lines the clauses that fit."""
    for low, high in _lines(text, start, end):
        line_start = low
        while high - line_start > LONGEST:
            cut = cut_position(text, line_start)
            yield _trim(text, line_start, cut)
            line_start, _ = _trim(text, cut, high)
        yield line_start, high


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _LINE_ENDS.finditer(text, start, end):
        yield _trim(text, start, match.start())
        start = match.end()
    yield _trim(text, start, end)


def cut_position(text: str, start: int) -> int:
    """Return where to cut a line that is too long: after a clause, a word, or anywhere."""
    limit = start + LONGEST
    for pattern, reach in ((_CLAUSE_END, _CLAUSE_REACH), (_SPACE, _WORD_REACH)):
        cuts = [match.end() for match in pattern.finditer(text, limit - reach, limit)]
        if cuts:
            return cuts[-1]
    return limit


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
