"""The reader: from a text to its figures, with their ranges, modifiers and original offsets."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from groundtypes.figures.bound_words import is_fall
from groundtypes.figures.figure import Comparison, Figure
from groundtypes.figures.joining import join_compounds, join_shares, share_units, with_timestamps
from groundtypes.figures.modifiers import modifier_after, modifier_before
from groundtypes.figures.normalise import OffsetMap, normalise
from groundtypes.figures.ranges import join_range, share_year
from groundtypes.figures.raw_figure import RawFigure
from groundtypes.figures.raw_reader import raw_figures

#: Kinds of figures that "more than" does not compare.
_NOT_COMPARABLE: Final = frozenset(
    ("date", "time", "timestamp", "ordinal", "identifier", "label", "ratio")
)


def find_figures(text: str) -> tuple[Figure, ...]:
    """Return all figures of the text in their order; they do not overlap.

    Examples:
        >>> [figure.text for figure in find_figures("about 5 km in 20 minutes on 4 March 2021")]
        ['about 5 km', '20 minutes', '4 March 2021']
    """
    return tuple(iterate_figures(text))


def iterate_figures(text: str) -> Iterator[Figure]:
    """Yield the figures of the text one by one."""
    normalised, offsets = normalise(text)
    if normalised is text:
        yield from _figures(text)
        return
    for figure in _figures(normalised):
        yield _in_original(figure, text, offsets)


def _in_original(figure: Figure, text: str, offsets: OffsetMap | None) -> Figure:
    """Return the figure with its words and offsets in the original text."""
    start, end = figure.start, figure.end
    if offsets is not None:
        start, end = offsets.original(start), offsets.original(end - 1) + 1
    parts = tuple(_in_original(part, text, offsets) for part in figure.parts)
    return replace(figure, text=text[start:end], start=start, end=end, parts=parts)


def _figures(text: str) -> Iterator[Figure]:
    """Yield the figures of a normalised text; each may be the first end of a range."""
    floor = 0
    previous: RawFigure | None = None
    raws = share_units(text, join_shares(text, join_compounds(text, raw_figures(text))))
    for raw in with_timestamps(text, raws):
        if previous is None:
            previous = raw
            continue
        if figure := join_range(text, previous, raw, floor):
            floor = figure.end
            previous = None
            yield figure
            continue
        share_year(text, previous, raw)
        figure = _with_modifiers(text, previous, floor, raw.start)
        floor = figure.end
        yield figure
        previous = raw
    if previous is not None:
        yield _with_modifiers(text, previous, floor, len(text))


def _with_modifiers(text: str, raw: RawFigure, floor: int, ceiling: int) -> Figure:
    """Return the figure with the modifiers around it, which lie between `floor` and `ceiling`."""
    start, end = raw.start, raw.end
    comparison, approximate = Comparison.EXACTLY, False
    before = modifier_before(text, floor, start, may_be_year=raw.may_be_year)
    after = modifier_after(text, end)
    raw.falls = bool(raw.values) and is_fall(text, floor, before.at if before else start, end)
    if before is None and after is None:
        return raw.to_figure(text)
    is_comparable = not {item.kind.partition(":")[0] for item in raw.readings()} <= _NOT_COMPARABLE
    if before and (before.approximate or is_comparable):
        start, comparison, approximate = before.at, before.comparison, before.approximate
    is_of_next = after is not None and not text[after.at : ceiling].strip() and ceiling < len(text)
    if (
        after
        and not is_of_next
        and is_comparable
        and after.at <= ceiling
        and comparison is Comparison.EXACTLY
    ):
        end, comparison = after.at, after.comparison
        approximate = approximate or after.approximate
    return raw.to_figure(text, start, end, comparison, approximate=approximate)
