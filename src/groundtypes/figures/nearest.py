"""The figures of some texts that are most like another one."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from rapidfuzz.distance import Prefix

from groundtypes.figures.figure import Comparison, Figure, Number
from groundtypes.figures.tables import HIGH, LOW, FigureLocation, FigureTables

__all__ = ["nearest"]

#: The levels of dates, from exact to vague.
_LEVELS: Final = {"day": 0, "month": 1, "year": 2, "yearless": 0, "decade": 3, "century": 4}


def nearest(tables: FigureTables, figure: Figure, count: int) -> list[FigureLocation]:
    """Return the figures most like this one: its kind first, each group nearest first."""
    found: list[FigureLocation] = []
    for group in _similar_forms(figure):
        ranked: list[tuple[Any, FigureLocation]] = []
        for form in group:
            for bound in ("", *Comparison, LOW, HIGH):
                ranked.extend(_neighbours(tables, form, bound, figure, count))
        for _, location in sorted(ranked):
            if location in tables.incidental:
                continue
            if len(found) < count and not any(_overlap(location, other) for other in found):
                found.append(location)
    return found


def _neighbours(
    tables: FigureTables, form: str, bound: str, figure: Figure, count: int
) -> Iterator[tuple[Any, FigureLocation]]:
    """Yield the nearest figures of one table with their distances."""
    table = tables.table(form, bound)
    if not table:
        return
    if form in ("date", "identifier", "label", "range", "ratio"):
        own = next((item.value for item in figure.readings if item.kind == form), "")
        ranked = sorted(((_distance(own, value), location) for value, location in table.items()))
        yield from ranked[:count]
        return
    for value in _numbers_in_form(figure, form):
        ordered = tables.values(form, bound)
        at = bisect_left(ordered, value)
        for near in ordered[max(0, at - count) : at + count]:
            yield ((abs(near - value),), table[near])


def _overlap(first: FigureLocation, second: FigureLocation) -> bool:
    return first.text == second.text and first.start < second.end and second.start < first.end


def _similar_forms(figure: Figure) -> Iterator[tuple[str, ...]]:
    """Yield the groups of forms in which the nearest figures are looked for, the best first."""
    kinds = tuple(dict.fromkeys(reading.kind for reading in figure.readings))
    if figure.kind == "range":
        kinds = (*kinds, *(reading.kind for part in figure.parts for reading in part.readings))
    if "count" in kinds:
        yield (f"count:{figure.unit}",)
    yield tuple("maybe year" if kind == "number" else kind for kind in kinds) + kinds
    if "date" not in kinds or "number" in kinds:
        yield ("number", "maybe year", "count", "written")


def _numbers_in_form(figure: Figure, form: str) -> Iterable[Number]:
    """Return the numbers of a figure that are compared with those of a form."""
    parts = figure.parts if figure.kind == "range" else (figure,)
    numbers: dict[Number, None] = {}  # each once, in order
    for part in parts:
        for reading in part.readings:
            number = reading.value if reading.kind == form else reading.written
            if isinstance(number, int | Fraction):
                numbers[number] = None
    return numbers


def _distance(first: Any, second: Any) -> tuple[int, ...]:
    """Return how different two dates or identifiers are; tuples compare the most important first.

    Dates differ in their level, then in year, month and day; identifiers in their common beginning,
    then in their length.
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        first_level, second_level = (_LEVELS.get(str(date[0]), 0) for date in (first, second))
        return (
            int(first[0] != second[0] and "yearless" in (first[0], second[0])),
            abs(first_level - second_level),
            *(
                abs(int(a) - int(b))
                for a, b in zip(first[1:], second[1:], strict=False)
                if isinstance(a, int) and isinstance(b, int)
            ),
        )
    common = Prefix.similarity(str(first), str(second))
    return (-common, abs(len(str(first)) - len(str(second))))
