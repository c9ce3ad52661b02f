"""The figures of JSON values and tables: those of each value, with the unit of its header."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from groundtypes.figures.figure import Figure, Reading, simplify
from groundtypes.figures.header_units import (
    SCALE_NAMES,
    name_without_unit,
    stated_in,
    unit_of_name,
    units_of_row,
)
from groundtypes.figures.reader import find_figures, iterate_figures
from groundtypes.references.names import clipped, is_identifier, is_number, plain_words
from groundtypes.references.spans import Structures
from groundtypes.references.structure import Cell, Structure
from groundtypes.references.table_records import tables_of_markdown

_MINUS: Final = "-\u2212"
#: The kind of a number as it stands in a cell, without the scale of its header.
_CELL: Final = "cell"
#: The same in the table of a statement, which only bare numbers support.
_BARE_CELL: Final = "bare cell"
#: A value that may be a year, which no caption gives a unit.
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
#: So much text above a table may be its caption, in its last lines.
_LONGEST_CAPTION: Final = 300
_CAPTION_LINES: Final = 2


class LocatedFigure(NamedTuple):
    """A figure, and where its value is in the text."""

    figure: Figure
    start: int
    end: int


def located_figures(
    texts: Sequence[str], structures: Structures = ()
) -> tuple[tuple[LocatedFigure, ...], ...]:
    """Return the figures of each text; of JSON values and tables with the units of headers."""
    return tuple(
        tuple(figures_of_text(text) if structure is None else figures_of_structure(text, structure))
        for text, structure in zip(texts, structures or (None,) * len(texts), strict=True)
    )


def figures_of_structure(text: str, structure: Structure) -> Iterator[LocatedFigure]:
    """Yield the figures of the keys and values of a text, each key once."""
    names: set[str] = set()
    above: list[str] = []
    caption = ""
    for row in structure.rows:
        if not row.place and len(row.cells) == 1 and not row.cells[0].name:
            above.append(text[max(row.start, row.end - _LONGEST_CAPTION) : row.end])
            caption = ""
        elif above:
            caption = _caption(above)
            above = []
        units = units_of_row(text, row)
        for number, (cell, unit) in enumerate(zip(row.cells, units, strict=True)):
            if cell.name not in names:
                names.add(cell.name)
                yield from _of_name(cell)
            yield from _of_cell(text, cell, unit)
            if caption and number and not unit:
                yield from _of_captioned(text, cell, caption)


def figures_of_text(text: str) -> Iterator[LocatedFigure]:
    """Yield the figures of a text; those of its Markdown tables have the units of their headers."""
    cells = list(_cells_with_units(text))
    for figure in _outside(iterate_figures(text), [cell for cell, unit, _ in cells if unit]):
        yield LocatedFigure(figure, figure.start, figure.end)
    for cell, unit, caption in cells:
        if unit:
            yield from _of_cell(text, cell, unit)
        else:
            yield from _of_captioned(text, cell, caption)


def figures_of_statement(text: str) -> Iterator[Figure]:
    """Yield the figures of a statement; those of its Markdown tables have the units of headers."""
    with_units = [(cell, unit) for cell, unit, _ in _cells_with_units(text) if unit]
    yield from _outside(iterate_figures(text), [cell for cell, _ in with_units])
    for cell, unit in with_units:
        figures = find_figures(f"{text[cell.start : cell.end]} {unit}")
        yield from _with_bare_numbers(figures, unit, _BARE_CELL)


def _cells_with_units(text: str) -> Iterator[tuple[Cell, str, str]]:
    for before, rows in tables_of_markdown(text):
        lines = text[max(0, before - _LONGEST_CAPTION) : before].splitlines()
        caption = _caption([line for line in lines if line.strip() and "|" not in line])
        for row in rows:
            units = units_of_row(text, row)
            for number, (cell, unit) in enumerate(zip(row.cells, units, strict=True)):
                if unit or (caption and number):
                    yield cell, unit, caption


def _outside(figures: Iterator[Figure], cells: Sequence[Cell]) -> Iterator[Figure]:
    """Yield the figures that are in none of the cells; both are in the order of the text."""
    at = 0
    for figure in figures:
        while at < len(cells) and cells[at].end < figure.end:
            at += 1
        if at == len(cells) or figure.start < cells[at].start:
            yield figure


def _caption(lines: Sequence[str]) -> str:
    return next(filter(None, map(stated_in, reversed(lines[-_CAPTION_LINES:]))), "")


def _of_name(cell: Cell) -> Iterator[LocatedFigure]:
    end = cell.start - 2
    start = end - len(clipped(cell.name))
    name = name_without_unit(cell.name) if unit_of_name(cell.name) else plain_words(cell.name)
    for figure in find_figures(name):
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
        for figure in _with_bare_numbers(find_figures(variant), unit, _CELL):
            start = cell.start + figure.start
            end = min(start + figure.end, cell.end)
            yield LocatedFigure(figure, min(start, cell.end), end)


def _of_captioned(text: str, cell: Cell, caption: str) -> Iterator[LocatedFigure]:
    """Yield what a number without a unit may be by the caption; counts and years remain, too."""
    value = text[cell.start : cell.end]
    if is_number(value) and "%" not in value and not _YEAR.fullmatch(value.strip()):
        yield from _of_cell(text, cell, caption)


def _with_bare_numbers(figures: Sequence[Figure], unit: str, kind: str) -> Iterator[Figure]:
    """Yield figures of a cell; below a scale also with the number as it is written, of a kind.

    That one belongs to bare numbers alone: "Revenue (EUR million): 3.8" is supported, and "3.8
    euros" is not.
    """
    factor = SCALE_NAMES.get(unit.partition(" ")[0])
    if factor is None:
        yield from figures
        return
    for figure in figures:
        written = (one.written for one in figure.readings if one.written is not None)
        bare = [Reading(kind, simplify(number / Fraction(factor))) for number in written]
        yield replace(figure, readings=(*figure.readings, *dict.fromkeys(bare)))


def _identifier(value: str, cell: Cell) -> LocatedFigure:
    """Return an id: a number that may be named, but of which there are not so many things."""
    number = int(value) if len(value) <= 40 else 0  # no id is longer
    readings = (Reading("ordinal", number), Reading("identifier", value))
    return LocatedFigure(Figure(value, 0, len(value), readings), cell.start, cell.end)
