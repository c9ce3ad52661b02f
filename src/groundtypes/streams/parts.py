"""The parts of a unit that are judged, and fail, by themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundtypes.streams.units import Unit
from groundtypes.text.hypotheses import Hypothesis, worded_segments
from groundtypes.text.layout import BlockKind

__all__ = ["Part", "as_one_claim", "parts_of"]

#: At most so many sentences before a part are known to it.
_BEFORE: Final = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, list item, table row, heading or block of code; positions are in the stream.

    Attributes:
        start: Where it begins.
        body: Where its words begin, behind the marker of a list item.
        end: Where it ends.
        text: What it is.
        kind: The kind of its block; `None` for code.
        claims: Its sentences that claim something, worded so that they can be judged alone.
        before: Sentences before it.
    """

    start: int
    body: int
    end: int
    text: str
    kind: BlockKind | None
    claims: tuple[Hypothesis, ...]
    before: tuple[Hypothesis, ...] = ()


def parts_of(unit: Unit) -> list[Part]:
    """Return the parts of a unit, in order; together they have every visible character.

    Their wording is that of `hypotheses` for the unit behind its context, so that a list item has
    the introduction of its list, and a row the header of its table.
    """
    lead = len(unit.context)
    whole = unit.context + unit.text
    shift = unit.start - lead
    regions = [(start + lead, end + lead) for start, end in unit.code]
    parts: list[Part] = []
    before: list[Hypothesis] = []
    for start, body, end, kind, claims in _joined(whole, lead, regions):
        known = tuple(before[-_BEFORE:])
        before.extend(claims)
        if end > lead:
            parts.append(
                Part(
                    start + shift, body + shift, end + shift, whole[start:end], kind, claims, known
                )
            )
    return parts


def as_one_claim(parts: list[Part], text: str) -> Part:
    """Return parts that claim nothing as one that does, as `Entailed` judges such a text."""
    first, last = parts[0], parts[-1]
    words = Hypothesis(" ".join(text.split()), 0, len(text))
    kind = first.kind if len(parts) == 1 else BlockKind.PROSE
    visible = text.strip()
    return Part(first.start, first.body, last.end, visible, kind, (words,), first.before)


_Piece = tuple[int, int, int, BlockKind | None, tuple[Hypothesis, ...]]


def _joined(whole: str, lead: int, regions: list[tuple[int, int]]) -> Iterator[_Piece]:
    """Yield the segments of a text, none of them across its lead, and each block of code as one."""
    open_region: tuple[int, int] | None = None
    piece: _Piece | None = None
    for segment, hypothesis in worded_segments(whole):
        claims = (hypothesis,) if hypothesis.is_claim else ()
        start = segment.start
        if start < lead < segment.end:
            start = lead + len(whole[lead : segment.end]) - len(whole[lead : segment.end].lstrip())
        region = next(((a, b) for a, b in regions if start < b and a < segment.end), None)
        if piece is not None and region is not None and region == open_region:
            piece = (*piece[:2], max(piece[2], segment.end), None, piece[4] + claims)
            continue
        if piece is not None:
            yield piece
        open_region = region
        kind = segment.kind if region is None else None
        piece = (start, max(start, segment.body), segment.end, kind, claims)
    if piece is not None:
        yield piece
