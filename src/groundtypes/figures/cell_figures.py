"""The figures of JSON values and tables: those of each value, with the unit of its header."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from groundtypes.figures.cell_units import units_of_row
from groundtypes.figures.figure import Figure, Reading
from groundtypes.figures.reader import find_figures
from groundtypes.structured.names import clipped, is_identifier, is_number, plain_words
from groundtypes.structured.structure import Cell, Structure
from groundtypes.structured.table_records import rows_of_markdown

__all__ = ["LocatedFigure", "figures_in_tables", "figures_of_structure"]

_MINUS: Final = "-\u2212"


class LocatedFigure(NamedTuple):
    """A figure, and where its value is in the text."""

    figure: Figure
    start: int
    end: int


def figures_of_structure(text: str, structure: Structure) -> Iterator[LocatedFigure]:
    """Yield the figures of the keys and values of a text, each key once."""
    names: set[str] = set()
    for row in structure.rows:
        units = units_of_row(text, row)
        for cell, unit in zip(row.cells, units, strict=True):
            if cell.name not in names:
                names.add(cell.name)
                yield from _of_name(cell)
            yield from _of_cell(text, cell, unit)


def figures_in_tables(text: str) -> Iterator[LocatedFigure]:
    """Yield the figures in the Markdown tables of a text whose unit is in a header."""
    for row in rows_of_markdown(text):
        for cell, unit in zip(row.cells, units_of_row(text, row), strict=True):
            if unit:
                yield from _of_cell(text, cell, unit)


def _of_name(cell: Cell) -> Iterator[LocatedFigure]:
    end = cell.start - 2
    start = end - len(clipped(cell.name))
    for figure in find_figures(plain_words(cell.name)):
        # It supports a figure, but is not worth showing as one that is near.
        yield LocatedFigure(replace(figure, incidental=True), max(0, start), max(0, end))


def _of_cell(text: str, cell: Cell, unit: str) -> Iterator[LocatedFigure]:
    value = text[cell.start : cell.end]
    if is_identifier(cell.name) and value.isdecimal():
        yield _identifier(value, cell)
        return
    shown = f"{value} {unit}" if unit else value
    variants = [shown]
    if value[:1] in _MINUS and is_number(value):
        variants.append(shown[1:])  # "fell by 4.2" for -4.2
    for variant in variants:
        for figure in find_figures(variant):
            start = cell.start + figure.start
            yield LocatedFigure(figure, min(start, cell.end), min(start + figure.end, cell.end))


def _identifier(value: str, cell: Cell) -> LocatedFigure:
    """Return an id: a number that may be named, but of which there are not so many things."""
    number = int(value) if len(value) <= 40 else 0  # no id is longer
    readings = (Reading("ordinal", number), Reading("identifier", value))
    return LocatedFigure(Figure(value, 0, len(value), readings), cell.start, cell.end)
