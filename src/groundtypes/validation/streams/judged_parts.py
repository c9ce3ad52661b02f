"""The parts of a unit that are judged, and fail, by themselves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.text.hypotheses import Hypothesis, hypotheses, worded_segments
from groundtypes.text.layout import BlockKind
from groundtypes.validation.streams.text_units import Unit

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
        joined: A short sentence together with the one before it, which is in an earlier unit.
        is_wordless: Whether it is a whole answer without a word, which every check judges as it is.
    """

    start: int
    body: int
    end: int
    text: str
    kind: BlockKind | None
    claims: tuple[Hypothesis, ...]
    before: tuple[Hypothesis, ...] = ()
    joined: tuple[Hypothesis, ...] = ()
    is_wordless: bool = False


def parts_of(unit: Unit) -> list[Part]:
    """Return the parts of a unit, in order; together they have every visible character.

    Their wording is that of `hypotheses` for the unit behind its context, so that a list item has
    the introduction of its list, and a row the header of its table.
    """
    lead = len(unit.context)
    whole = unit.context + unit.text
    regions = [(start + lead, end + lead) for start, end in unit.code]
    parts: list[Part] = []
    before: list[Hypothesis] = []
    for part in _parts(whole, lead, regions):
        if part.end > lead:
            parts.append(_moved(part, unit.start - lead, tuple(before[-_BEFORE:])))
        before.extend(part.claims)
    return parts


def as_one_claim(parts: list[Part], text: str) -> Part:
    """Return parts that claim nothing as one that does, as `Entailed` judges such a text."""
    first, last = parts[0], parts[-1]
    words = Hypothesis(" ".join(text.split()), 0, len(text))
    kind = last.kind if len(parts) == 1 or last.kind is None else BlockKind.PROSE
    return Part(first.start, first.body, last.end, text.strip(), kind, (words,), first.before)


def wordless(unit: Unit) -> Part:
    """Return a unit without a word, perhaps an empty one, as a part that is judged as it is."""
    text = unit.text.strip()
    start = unit.start + (unit.text.index(text) if text else 0)
    kind = BlockKind.PROSE
    return Part(start, start, start + len(text), text, kind, (), is_wordless=True)


def _moved(part: Part, shift: int, before: tuple[Hypothesis, ...]) -> Part:
    start, body, end = part.start + shift, part.body + shift, part.end + shift
    return replace(part, start=start, body=body, end=end, before=before)


def _parts(whole: str, lead: int, regions: list[tuple[int, int]]) -> Iterator[Part]:
    """Yield the segments of a text, none of them across its lead, and each block of code as one."""
    open_region: tuple[int, int] | None = None
    part: Part | None = None
    for segment, hypothesis in worded_segments(whole):
        claims: tuple[Hypothesis, ...] = (hypothesis,) if hypothesis.is_claim else ()
        start, end = segment.start, segment.end
        joined: tuple[Hypothesis, ...] = ()
        if start < lead < end:
            start = end - len(whole[lead:end].lstrip())
            alone = tuple(each for each in hypotheses(whole[start:end]) if each.is_claim)
            claims, joined = (alone, claims) if claims and alone else ((), ())
        region = next((each for each in regions if start < each[1] and each[0] < end), None)
        if part is not None and region is not None and region == open_region:
            text = whole[part.start : end]
            part = replace(part, end=end, text=text, kind=None, claims=part.claims + claims)
            continue
        if part is not None:
            yield part
        open_region = region
        kind = segment.kind if region is None else None
        body = max(start, segment.body)
        part = Part(start, body, end, whole[start:end], kind, claims, joined=joined)
    if part is not None:
        yield part
