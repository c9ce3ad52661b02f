"""Passages: sentences, items and rows with their figures, and how many things they list."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Final

from groundtypes.figures.cell_figures import LocatedFigure
from groundtypes.figures.index import FigureLocation
from groundtypes.figures.steps import Operand
from groundtypes.text.bm25 import LexicalIndex
from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import Segment, segments


class Passages:
    """The passages of some texts, numbered in their order, and the figures of each.

    Attributes:
        locations: Where each passage is.
        operands: The figures, the ends of ranges besides the ranges.
        listed: How many items or rows the lists and tables of the texts have.
    """

    def __init__(self, texts: Sequence[str], located: Sequence[Sequence[LocatedFigure]]) -> None:
        """Cut the texts into passages, and put the figures into them that have been read."""
        self._texts = texts
        self.locations: list[FigureLocation] = []
        self.operands: list[Operand] = []
        self.listed: set[int] = set()
        for number, text in enumerate(texts):
            parts = _unbroken(segments(text), located[number])
            self.listed.update(_listed_in_layout(parts))
            ends = [part.end for part in parts]
            first = len(self.locations)
            self.locations.extend(FigureLocation(number, part.start, part.end) for part in parts)
            for figure, start, end in located[number]:
                passage = first + min(bisect_left(ends, end), len(ends) - 1)
                location = FigureLocation(number, start, end)
                self.operands.append(Operand(figure, passage, location))
                if figure.kind in ("range", "ratio"):
                    whole = figure if figure.kind == "range" else None
                    self.operands.extend(
                        Operand(end, passage, location, whole) for end in figure.parts
                    )

    def text(self, passage: int) -> str:
        """Return the text of a passage."""
        location = self.locations[passage]
        return self._texts[location.text][location.start : location.end]

    def has_word(self, operand: Operand, word: str) -> bool:
        """Whether the text of an operand has a word."""
        return operand.location is not None and word in self._texts[operand.location.text]

    def near(self, statement: str, count: int) -> list[int]:
        """Return the passages that share most words with a statement, best first."""
        return self._index.best(statement, count)

    @cached_property
    def _index(self) -> LexicalIndex:
        return LexicalIndex([self.text(passage) for passage in range(len(self.locations))])


def _unbroken(parts: Sequence[Segment], figures: Sequence[LocatedFigure]) -> list[Segment]:
    """Return the passages, joined where one ends inside a figure, as at "48 тыс. ₽"."""
    joined: list[Segment] = []
    ends = [figure.end for figure in figures]
    for part in parts:
        at = bisect_left(ends, part.start + 1)
        if joined and at < len(ends) and figures[at].start < joined[-1].end:
            joined[-1] = replace(joined[-1], end=part.end)
        else:
            joined.append(part)
    return joined


#: Marks that end what one enumeration is in.
_CLAUSE_END: Final = re.compile(r"[.:;!?()\[\]\u2014\u3002\uff1a\uff1b](?=\s|\Z)|\s[-\u2013]\s")
#: What stands between two parts of an enumeration.
_SEPARATOR: Final = re.compile(
    r"(?:,\s+|;\s+|\u3001|\uff0c|\u060c\s*)(?:(?:and|or)\s+)?|\s+(?:and|or|&|plus)\s+",
    re.IGNORECASE,
)


def listed_in_words(passage: str) -> Iterator[int]:
    """Yield how many parts each enumeration of a passage has."""
    for clause in _CLAUSE_END.split(passage):
        parts = len(_SEPARATOR.findall(clause)) + 1
        if parts > 1:
            yield parts


def _listed_in_layout(segments: Iterable[Segment]) -> Iterator[int]:
    """Yield how many items or rows each list and table of a text has, without a table's header."""
    for kind, group in groupby(segments, key=lambda segment: segment.kind):
        count = sum(1 for _ in group)
        if kind is BlockKind.ITEM:
            yield count
        elif kind is BlockKind.ROW:
            yield count - 1
