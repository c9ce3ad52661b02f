"""Figures against references: whether a number of a statement stands there, and what is nearest."""

from typing import Final

from groundtypes.errors import clip
from groundtypes.figures.figure import Figure
from groundtypes.figures.index import FigureIndex, Place
from groundtypes.figures.measures import noun_after
from groundtypes.figures.reader import find_figures
from groundtypes.references import PerReferences, References, Span

__all__ = ["find_figures", "nearest_figures", "supporting_span"]

_index: Final = PerReferences(lambda references: FigureIndex(references.texts))


def supporting_span(figure: Figure, references: References) -> Span | None:
    """Return where a reference supports the figure, or `None` where none does."""
    place = _index(references).find(figure)
    return None if place is None else _span(place, references)


def nearest_figures(figure: Figure, references: References) -> list[str]:
    """Return the three figures of the references that are most like it, as they stand there."""
    places = _index(references).nearest(figure)
    return list(dict.fromkeys(_shown(place, references.texts[place.text]) for place in places))


def _span(place: Place, references: References) -> Span:
    return Span(references.ids[place.text], place.start, place.end)


def _shown(place: Place, text: str) -> str:
    """Return the words of a figure, with the noun that it counts."""
    end = place.end
    if noun := noun_after(text, end):
        end = text.index(noun, end) + len(noun)
        while end < len(text) and text[end].isalpha():
            end += 1
    return clip(" ".join(text[place.start : end].split()), 60)
