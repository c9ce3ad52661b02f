"""Figures and references: where a figure of a statement is supported, and what is nearest to it."""

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from rapidfuzz.distance import Prefix

from groundtypes.figures.cell_figures import located_figures
from groundtypes.figures.figure import Figure
from groundtypes.figures.index import BOUNDS, FigureIndex, FigureLocation
from groundtypes.figures.number_units import noun_after
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.message_excerpts import clip

#: The levels of dates, from exact to vague.
_LEVELS: Final = {"day": 0, "month": 1, "year": 2, "yearless": 0, "decade": 3, "century": 4}
#: So many figures are shown.
_MOST_SHOWN: Final = 3
#: The figures of each collection of references are read once, and their index is built once.
read_figures: Final = PerReferences(
    lambda references: located_figures(references.texts, references.structures)
)
_index: Final = PerReferences(
    lambda references: FigureIndex(
        references.texts, references.structures, read_figures(references)
    )
)


def supporting_span(figure: Figure, references: References) -> Span | None:
    """Return where a reference supports the figure, or `None` where none does."""
    location = _index(references).find(figure)
    return None if location is None else references.span_at(*location)


def bounding_span(figure: Figure, references: References, *, is_known: bool) -> Span | None:
    """Return where a reference has the value with another bound that does not exclude the figure.

    "Up to 48" does not exclude 48, "more than 48" does. Where it is not known whether the figure
    has a bound, none excludes it.
    """
    location = _index(references).find_bounded(figure, is_known=is_known)
    return None if location is None else references.span_at(*location)


def nearest_figures(figure: Figure, references: References) -> list[str]:
    """Return the three figures of the references that are most like it, as they are written."""
    index = _index(references)
    found: list[FigureLocation] = []
    for group in _similar_forms(figure):
        ranked = [near for form in group for near in _neighbours(index, form, figure)]
        for _, location in sorted(ranked):
            is_new = location not in index.incidental and not any(
                location.text == other.text
                and location.start < other.end
                and other.start < location.end
                for other in found
            )
            if is_new and len(found) < _MOST_SHOWN:
                found.append(location)
    return list(dict.fromkeys(_shown(location, references) for location in found))


def _similar_forms(figure: Figure) -> Iterator[tuple[str, ...]]:
    """Yield the groups of forms in which the nearest figures are looked for, the best first."""
    parts = figure.parts if figure.kind == "range" else ()
    kinds = tuple(reading.kind for one in (figure, *parts) for reading in one.readings)
    if "count" in kinds:
        yield (f"count:{figure.unit}",)
    yield tuple(dict.fromkeys("maybe year" if kind == "number" else kind for kind in kinds)) + kinds
    if "date" not in kinds or "number" in kinds:
        yield ("number", "maybe year", "count", "written")


def _neighbours(
    index: FigureIndex, form: str, figure: Figure
) -> Iterator[tuple[tuple[Any, ...], FigureLocation]]:
    """Yield the nearest figures of one form with their distances."""
    parts = figure.parts if figure.kind == "range" else (figure,)
    own = next((item.value for item in figure.readings if item.kind == form), "")
    numbers = {
        reading.value if reading.kind == form else reading.written
        for part in parts
        for reading in part.readings
    }
    for bound in BOUNDS:
        table = index.table(form, bound)
        if form in ("date", "identifier", "label", "range", "ratio"):
            ranked = sorted((_distance(own, value), location) for value, location in table.items())
            yield from ranked[:_MOST_SHOWN]
            continue
        ordered = index.values(form, bound)
        for number in numbers:
            if isinstance(number, int | Fraction):
                at = bisect_left(ordered, number)
                for near in ordered[max(0, at - _MOST_SHOWN) : at + _MOST_SHOWN]:
                    yield ((abs(near - number),), table[near])


def _distance(first: Any, second: Any) -> tuple[int, ...]:
    """Return how different two dates or identifiers are; tuples compare the most important first.

    Dates differ in their level, then in year, month and day; identifiers in their common beginning,
    then in their length.
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        levels = [_LEVELS.get(str(date[0]), 0) for date in (first, second)]
        return (
            int(first[0] != second[0] and "yearless" in (first[0], second[0])),
            abs(levels[0] - levels[1]),
            *(
                abs(one - other)
                for one, other in zip(first[1:], second[1:], strict=False)
                if isinstance(one, int) and isinstance(other, int)
            ),
        )
    common = Prefix.similarity(str(first), str(second))
    return (-common, abs(len(str(first)) - len(str(second))))


def _shown(location: FigureLocation, references: References) -> str:
    """Return the words of a figure; those of a JSON value or table with their key or header."""
    text = references.texts[location.text]
    structure = references.structures[location.text] if references.structures else None
    cells = () if structure is None else structure.cells_at(location.start, location.end)
    if len(cells) == 1 and cells[0].name:
        words = " ".join(text[location.start : location.end].split())
        return clip(f"{clip(cells[0].name, 40)}: {words}", 80)
    end = location.end
    if noun := noun_after(text, end):  # with the noun that it counts
        end = text.index(noun, end) + len(noun)
        while end < len(text) and text[end].isalpha():
            end += 1
    return clip(" ".join(text[location.start : end].split()), 60)
