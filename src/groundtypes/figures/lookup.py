"""Figures and references: where a figure of a statement is supported, and what is nearest to it."""

from typing import Final

from groundtypes.figures.cell_figures import located_figures
from groundtypes.figures.figure import Figure
from groundtypes.figures.index import FigureIndex
from groundtypes.figures.measures import noun_after
from groundtypes.figures.tables import FigureLocation
from groundtypes.references import PerReferences, References, Span
from groundtypes.text.message_excerpts import clip

__all__ = ["bounding_span", "nearest_figures", "read_figures", "supporting_span"]

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
    return None if location is None else _span(location, references)


def bounding_span(figure: Figure, references: References, *, is_known: bool) -> Span | None:
    """Return where a reference has the value with another bound that does not exclude the figure.

    "Up to 48" does not exclude 48, "more than 48" does. Where it is not known whether the figure
    has a bound, none excludes it.
    """
    location = _index(references).find_bounded(figure, is_known=is_known)
    return None if location is None else _span(location, references)


def nearest_figures(figure: Figure, references: References) -> list[str]:
    """Return the three figures of the references that are most like it, as they are written."""
    locations = _index(references).nearest(figure)
    return list(dict.fromkeys(_shown(location, references) for location in locations))


def _shown(location: FigureLocation, references: References) -> str:
    """Return the words of a figure; those of a JSON value or table with their key or header."""
    text = references.texts[location.text]
    structure = references.structures[location.text] if references.structures else None
    cells = () if structure is None else structure.cells_at(location.start, location.end)
    if len(cells) != 1 or not cells[0].name:
        return _words(location, text)
    words = " ".join(text[location.start : location.end].split())
    return clip(f"{clip(cells[0].name, 40)}: {words}", 80)


def _span(location: FigureLocation, references: References) -> Span:
    return references.span_at(location.text, location.start, location.end)


def _words(location: FigureLocation, text: str) -> str:
    """Return the words of a figure, with the noun that it counts."""
    end = location.end
    if noun := noun_after(text, end):
        end = text.index(noun, end) + len(noun)
        while end < len(text) and text[end].isalpha():
            end += 1
    return clip(" ".join(text[location.start : end].split()), 60)
