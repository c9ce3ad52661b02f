"""Whether a figure is supported by the figures of some texts, and where."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from groundtypes.figures.approximation import find_approximate
from groundtypes.figures.cell_figures import LocatedFigure, located_figures
from groundtypes.figures.figure import Comparison, Figure, Number
from groundtypes.figures.forms import comparable_forms, supporting_forms
from groundtypes.figures.nearest import nearest
from groundtypes.figures.tables import (
    HIGH,
    LOW,
    FigureLocation,
    FigureTables,
    is_rate,
    may_mean_during,
)
from groundtypes.references.spans import Structures

__all__ = ["FigureIndex"]

#: "more than 100" is not supported by 5,000: beyond this factor a figure means something else.
_LARGEST_FACTOR: Final = 5

#: The bounds and ends of ranges in references that a figure with a comparison does not contradict.
_UPWARDS: Final = (Comparison.MORE, Comparison.AT_LEAST, LOW)
_DOWNWARDS: Final = (Comparison.LESS, Comparison.AT_MOST, HIGH)
_COMPATIBLE: Final = {
    Comparison.EXACTLY: (Comparison.AT_LEAST, Comparison.AT_MOST, LOW, HIGH),
    Comparison.MORE: _UPWARDS,
    Comparison.AT_LEAST: _UPWARDS,
    Comparison.LESS: _DOWNWARDS,
    Comparison.AT_MOST: _DOWNWARDS,
}


class FigureIndex:
    """The figures of some texts, of JSON values and tables with the units of headers."""

    def __init__(
        self,
        texts: Sequence[str],
        structures: Structures = (),
        located: Sequence[Sequence[LocatedFigure]] | None = None,
    ) -> None:
        """Index the figures of the texts, which are given if they have been read before."""
        if located is None:
            located = located_figures(texts, structures)
        self._tables = FigureTables(texts, located)

    def find(self, figure: Figure) -> FigureLocation | None:
        """Return where the figure is supported, or `None`."""
        if figure.comparison is not Comparison.EXACTLY:
            location = self._find_compared(figure)
            if location is not None or not may_mean_during(figure):
                return location
        for form, value in supporting_forms(figure):
            if location := self._tables.look_up(form, "", value):
                return location
        if figure.approximate and (location := find_approximate(self._tables, figure)):
            return location
        return self._find_parts(figure)

    def find_bounded(self, figure: Figure, *, is_known: bool) -> FigureLocation | None:
        """Return where the value stands with another bound that does not exclude the figure.

        `is_known` says whether the bound of the figure is: a language whose words for bounds are
        not read may have any.
        """
        bounds = _COMPATIBLE[figure.comparison] if is_known else ("", *_UPWARDS, *_DOWNWARDS)
        for form, value in supporting_forms(figure):
            for bound in bounds:
                if location := self._tables.look_up(form, bound, value):
                    return location
        return None

    def nearest(self, figure: Figure, count: int = 3) -> list[FigureLocation]:
        """Return the figures most like this one: its kind first, each group nearest first."""
        return nearest(self._tables, figure, count)

    def _find_compared(self, figure: Figure) -> FigureLocation | None:
        """Return a figure with the same comparison, or one that satisfies it."""
        comparison = figure.comparison
        is_strict = comparison in (Comparison.MORE, Comparison.LESS)
        up = comparison.upwards
        tighter = Comparison.MORE if up else Comparison.LESS
        looser = Comparison.AT_LEAST if up else Comparison.AT_MOST
        same = (tighter,) if is_strict else (tighter, looser, "", LOW if up else HIGH)
        for form, value in supporting_forms(figure):
            for bound in same:
                if location := self._tables.look_up(form, bound, value):
                    return location
        end = LOW if up else HIGH
        for form, value in comparable_forms(figure):
            for bound in ("", end):
                if location := self._find_beyond(form, bound, value, up=up):
                    return location
        return None

    def _find_beyond(
        self, form: str, bound: str, value: Number, *, up: bool
    ) -> FigureLocation | None:
        """Return the next larger or smaller figure, if it is not far away."""
        ordered = self._tables.values(form, bound)
        at = bisect_right(ordered, value) if up else bisect_left(ordered, value) - 1
        if not 0 <= at < len(ordered):
            return None
        near = ordered[at]
        is_far = value > 0 and (
            near > value * _LARGEST_FACTOR if up else near * _LARGEST_FACTOR < value
        )
        return None if is_far else self._tables.table(form, bound)[near]

    def _find_parts(self, figure: Figure) -> FigureLocation | None:
        """Return the location of the first part, if every part has one."""
        if not figure.parts:
            return None
        has_rate = is_rate(figure)
        if figure.kind in ("number", "count") and "/" not in figure.text and not has_rate:
            return None  # a statement does not mean 12 and 345 by "12 345"
        if self._is_reversed(figure):
            return None
        if figure.kind == "range" and len(figure.parts) == 2:
            low, high = (tuple(supporting_forms(part)) for part in figure.parts)
            if location := self._tables.ranges.find(low, high):
                return location
            # "From 3 to 8" is not "from 8 in June to 3 in July".
            if not _states_two_figures(figure) or self._tables.ranges.find(high, low):
                return None
        locations = [self._find_part(part) for part in figure.parts]
        is_whole = has_rate or figure.kind == "range"
        if is_whole and not self._tables.range_ends.isdisjoint(filter(None, locations)):
            return None  # ends of other ranges, numbers of other rates
        return locations[0] if all(locations) else None

    def _is_reversed(self, figure: Figure) -> bool:
        """Whether a score or ratio occurs the other way round, as 1-3 instead of 3-1."""
        ratios = [reading.value for reading in figure.readings if reading.kind == "ratio"]
        return any(
            isinstance(ratio, tuple) and self._tables.look_up("ratio", "", ratio[::-1]) is not None
            for ratio in ratios
        )

    def _find_part(self, part: Figure) -> FigureLocation | None:
        """Return where a part is a figure of its own, if possible not as an end of a range."""
        locations = (
            self._tables.look_up(form, "", value) for form, value in supporting_forms(part)
        )
        found = [location for location in locations if location is not None]
        alone = (location for location in found if location not in self._tables.range_ends)
        return next(alone, found[0] if found else None)


def _states_two_figures(figure: Figure) -> bool:
    """Whether both ends of a range say something of their own: a change, or two dates."""
    return figure.text[:5].lower() == "from " or any(
        reading.kind == "range"
        and isinstance(reading.value, tuple)
        and str(reading.value[0]).partition(":")[0] in ("date", "time")
        for reading in figure.readings
    )
