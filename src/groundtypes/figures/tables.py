"""The tables of all figures of some texts.

Each different figure is held once, with its first location, so that the size of the tables grows
with the number of different figures and not with their occurrences.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from groundtypes.figures.cell_figures import LocatedFigure
from groundtypes.figures.figure import Figure, Number
from groundtypes.figures.forms import indexed_forms
from groundtypes.figures.range_index import RangeIndex, RangeWords

__all__ = ["HIGH", "LOW", "FigureLocation", "FigureTables", "is_rate", "may_mean_during"]

#: The table keys for the ends of ranges.
LOW: Final = "low"
HIGH: Final = "high"
#: Kinds and nouns of what lasts or extends, before which "over" may mean "in the course of".
_EXTENDED_KINDS: Final = frozenset(("duration", "months", "length", "area"))
_EXTENDED_NOUNS: Final = frozenset(
    "season game match round leg term generation session quarter series night lap episode volume "
    "tour inning semester stage".split()
)


class FigureLocation(NamedTuple):
    """The number of the text that has a figure, and the half-open span in it."""

    text: int
    start: int
    end: int


class FigureTables:
    """The figures of some texts, by what they can support.

    There is one table for each pair of a *form* and a *bound*. The form is the kind of a reading,
    such as `number`, `count`, `length` or `date`, or `written` for the bare number of a quantity;
    the bound is a `Comparison`, or an end of a range.

    Attributes:
        incidental: Where figures are that support others, but are not worth showing as the nearest:
            "a day" supports "24 hours".
        ranges: The ranges, by the forms of their ends.
        range_ends: Where the ends of ranges and the numbers of rates are that are figures of their
            own.
    """

    def __init__(self, texts: Sequence[str], located: Sequence[Sequence[LocatedFigure]]) -> None:
        """Index the figures of the texts, which `located_figures` has read."""
        self._tables: dict[tuple[str, str], dict[Any, FigureLocation]] = {}
        self._ordered: dict[tuple[str, str], list[Number]] = {}
        self.incidental: set[FigureLocation] = set()
        self.ranges: RangeIndex[FigureLocation] = RangeIndex()
        self.range_ends: set[FigureLocation] = set()
        for number, (text, figures) in enumerate(zip(texts, located, strict=True)):
            words = RangeWords(text)
            for figure, start, end in figures:
                location = FigureLocation(number, start, end)
                self._add(figure, location)
                if first := words.first_end(figure, start, end):
                    self._add_range(first, figure, location)

    def table(self, form: str, bound: str) -> dict[Any, FigureLocation]:
        """Return the locations of one table's values, which is empty if there is none."""
        return self._tables.get((form, bound), {})

    def look_up(self, form: str, bound: str, value: object) -> FigureLocation | None:
        """Return where a value is, or `None`."""
        table = self._tables.get((form, bound))
        return table.get(value) if table else None

    def values(self, form: str, bound: str) -> list[Number]:
        """Return the numbers of one table, ascending."""
        key = (form, bound)
        if key not in self._ordered:
            table = self._tables.get(key, {})
            self._ordered[key] = sorted(
                value for value in table if isinstance(value, int | Fraction)
            )
        return self._ordered[key]

    def _add(self, figure: Figure, location: FigureLocation) -> None:
        if figure.incidental:
            self.incidental.add(location)
        bounds: tuple[str, ...] = (figure.comparison.value,)
        if may_mean_during(figure):
            bounds = (*bounds, "")
        for reading in figure.readings:
            for form, value in indexed_forms(reading, figure):
                for bound in bounds:
                    table = self._tables.setdefault((form, bound), {})
                    if table.setdefault(value, location) in self.range_ends:
                        table[value] = location
        if figure.kind == "range" and len(figure.parts) == 2:
            self._add_range(figure.parts[0], figure.parts[1], location)
            for end, part in zip((LOW, HIGH), figure.parts, strict=True):
                for reading in part.readings:
                    for form, value in indexed_forms(reading, part):
                        self._tables.setdefault((form, end), {}).setdefault(value, location)
        if figure.parts_stand_alone:
            offset = location.start - figure.start  # not 0 in a value of a table
            for part in figure.parts:
                last = min(part.end + offset, location.end)
                first = min(part.start + offset, last)
                end_location = FigureLocation(location.text, first, last)
                self._add(part, end_location)
                if figure.kind == "range" or is_rate(figure):
                    self.range_ends.add(end_location)

    def _add_range(self, low: Figure, high: Figure, location: FigureLocation) -> None:
        """Add a range by the forms of its ends."""
        first, last = (
            [form for reading in end.readings for form in indexed_forms(reading, end)]
            for end in (low, high)
        )
        self.ranges.add(first, last, location)


def is_rate(figure: Figure) -> bool:
    """Whether it is "3 deaths per 1,000", which texts also state as "deaths per 1,000: 3"."""
    return len(figure.parts) == 2 and figure.kind == "number" and " per " in figure.text


def may_mean_during(figure: Figure) -> bool:
    """Whether it begins with an "over" that may mean "during": "over five years", "over 50 km"."""
    if figure.text[:1] not in ("o", "O") or figure.text[:5].lower() != "over ":
        return False
    return figure.unit in _EXTENDED_NOUNS or any(
        reading.kind in _EXTENDED_KINDS for reading in figure.readings
    )
