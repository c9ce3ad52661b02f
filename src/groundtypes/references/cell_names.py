"""What the cells of a table mean: their header, their row and what stands above it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from groundtypes.references.names import clipped, is_number

#: A header line, or a row with a single cell, has no longer cells than this.
_LONGEST_HEADER: Final = 120
_LONGEST_LABEL: Final = 60
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
_UNIT_HEADERS: Final = frozenset(("unit", "units", "uom", "currency"))
_MOST_HEADER_LINES: Final = 3


class CellName(NamedTuple):
    """What one cell of a row is: its column from 0, its header, its place and its unit."""

    column: int
    name: str
    place: str
    unit: str


class NamedRow(NamedTuple):
    """One row: its number among the rows from 0, its place, what is above it, and its cells.

    `missing` are the headers of the empty cells.
    """

    number: int
    place: str
    context: str
    cells: tuple[CellName, ...]
    missing: tuple[str, ...]


def with_merged_headers(
    header: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> tuple[list[str], int]:
    """Return the name of each column, and how many of the rows are header lines, too.

    A cell of an upper header line stands for the empty cells behind it. A first row without a
    number whose first cell is empty, as the one above it may be, is a second header line.
    """
    lines = [list(line) for line in header]
    more = 0
    while (
        lines
        and len(lines) < _MOST_HEADER_LINES
        and more + 1 < len(rows)
        and _continues_header(rows[more], rows[more + 1])
    ):
        lines.append(list(rows[more]))
        more += 1
    width = max(map(len, lines), default=0)
    names: list[str] = []
    for line in lines[:-1]:
        _fill(line)
    for column in range(width):
        parts = [line[column].strip() for line in lines if column < len(line)]
        names.append(clipped(" ".join(dict.fromkeys(part for part in parts if part))))
    return names, more


def _continues_header(row: Sequence[str], following: Sequence[str]) -> bool:
    filled = [cell for cell in row if cell.strip()]
    return (
        len(filled) > 1
        and not row[0].strip()
        and not any(is_number(cell) and not _YEAR.fullmatch(cell.strip()) for cell in filled)
        and all(len(cell) <= _LONGEST_HEADER for cell in filled)
        and any(map(is_number, following))
    )


def _fill(line: list[str]) -> None:
    """Put the text of a merged header cell into the empty cells behind it."""
    for column in range(2, len(line)):
        if not line[column].strip():
            line[column] = line[column - 1]


def named_rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[NamedRow]:
    """Yield the rows of a table with the names of their cells; empty cells are left out."""
    labels = [row[0].strip() if row else "" for row in rows]
    has_labels = _are_labels(labels)
    repeated = len(set(filter(None, labels))) < len(list(filter(None, labels)))
    unit_column = next(
        (at for at, name in enumerate(names) if name.strip().lower() in _UNIT_HEADERS), None
    )
    columns = _columns(names)
    section = last_label = ""
    for number, row in enumerate(rows):
        filled = [column for column, cell in enumerate(row) if cell.strip()]
        if not filled:
            continue
        label = labels[number]
        if filled == [0] and len(names) > 1 and len(label) <= _LONGEST_HEADER:
            section = label
        above = [section] if section and section != label else []
        if has_labels and not label and last_label:
            above.append(last_label)  # a cell that is merged with the one above
        last_label = label or last_label
        place = f"row {number + 1}"
        if has_labels and label and not repeated and len(label) <= _LONGEST_LABEL:
            place = f"row '{label}'"
        unit = ""
        if unit_column is not None and unit_column < len(row):
            unit = row[unit_column].strip()
        yield NamedRow(
            number,
            place,
            "; ".join(above),
            tuple(
                CellName(
                    column,
                    names[column] if column < len(names) else "",
                    f"{place}, {columns.get(column) or f'column {column + 1}'}",
                    unit if column != unit_column else "",
                )
                for column in filled
            ),
            tuple(
                name
                for column, name in enumerate(names)
                if column and name and (column >= len(row) or not row[column].strip())
            ),
        )


def _columns(names: Sequence[str]) -> dict[int, str]:
    """Return what the columns are called; those without a header of their own have a number."""
    times = Counter(names)
    return {
        column: f"column '{name}'" for column, name in enumerate(names) if name and times[name] == 1
    }


def _are_labels(cells: Sequence[str]) -> bool:
    """Whether the first cells name their rows: most are no numbers, or are years."""
    filled = [cell for cell in cells if cell]
    texts = sum(not is_number(cell) for cell in filled)
    distinct = len(set(filled)) == len(filled)
    return bool(filled) and (texts * 2 > len(filled) or distinct)
