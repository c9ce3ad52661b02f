"""Figures and references: where a figure of a statement is supported, and what is nearest to it."""

from typing import Final

from groundtypes.errors import clip
from groundtypes.figures.figure import Figure
from groundtypes.figures.index import FigureIndex, FigureLocation
from groundtypes.figures.measures import noun_after
from groundtypes.references import PerReferences, References, Span

__all__ = ["nearest_figures", "supporting_span"]

#: The index of each collection of references is built once.
_index: Final = PerReferences(lambda references: FigureIndex(references.texts))


def supporting_span(figure: Figure, references: References) -> Span | None:
    """Return where a reference supports the figure, or `None` where none does."""
    location = _index(references).find(figure)
    return None if location is None else _span(location, references)


def nearest_figures(figure: Figure, references: References) -> list[str]:
    """Return the three figures of the references that are most like it, as they are written."""
    locations = _index(references).nearest(figure)
    texts = references.texts
    return list(dict.fromkeys(_words(location, texts[location.text]) for location in locations))


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
