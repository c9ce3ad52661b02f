"""The records of a table: one for each row, with what its cells mean.

A cell has its header, its row, and what stands above it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from groundtypes.errors import ReferencesError
from groundtypes.references.csv_tables import check_delimiter, read_csv
from groundtypes.references.grids import GridCell, markdown_tables
from groundtypes.references.json_values import MOST_CHARACTERS, MOST_VALUES
from groundtypes.references.names import clipped, is_number
from groundtypes.references.structure import Cell, Field, Record, Row
from groundtypes.text.message_excerpts import clip

#: A header line, or a row with a single cell, has no longer cells than this.
_LONGEST_HEADER: Final = 120
_LONGEST_LABEL: Final = 60
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
_UNIT_HEADERS: Final = frozenset(("unit", "units", "uom", "currency"))
_MOST_HEADER_LINES: Final = 3


def table_records(
    text: object, id_: str, *, header: bool, delimiter: str | None = None
) -> Iterator[Record]:
    """Yield a record for each row of the tables of a Markdown or CSV text.

    Lines that are no table are records of one value without a name. With a delimiter the text is
    CSV; without a header the first row has values.

    Raises:
        ReferencesError: The text is no table that can be read.
    """
    if not isinstance(text, str):
        raise _mistake(
            id_, f"is a text in Markdown or CSV, not an object of type {type(text).__name__}"
        )
    if len(text) > MOST_CHARACTERS:
        raise _mistake(id_, f"has more than {MOST_CHARACTERS:,} characters")
    check_delimiter(delimiter)
    tables = list(markdown_tables(text)) if delimiter is None else []
    if not tables:
        rows = read_csv(text, id_, header=header, delimiter=delimiter)
        _check_size(rows, id_)
        yield from _table(rows[:1] if header else [], rows[1:] if header else rows)
        return
    at = 0
    for number, table in enumerate(tables, 1):
        yield from _lines(text, at, table.start)
        _check_size(table.rows, id_)
        prefix = f"table {number}, " if len(tables) > 1 else ""
        names, rows = _texts(table.header), _texts(table.rows)
        yield from _table(names, rows, prefix) if header else _table([], names + rows, prefix)
        at = table.end
    yield from _lines(text, at, len(text))


def _mistake(id_: str, what: str) -> ReferencesError:
    return ReferencesError(f"The table of reference {clip(id_, 40)!r} {what}.")


def _check_size(rows: Sequence[Sequence[object]], id_: str) -> None:
    if sum(map(len, rows)) > MOST_VALUES:
        raise _mistake(id_, f"has more than {MOST_VALUES:,} cells")


def _texts(rows: Sequence[Sequence[GridCell]]) -> list[list[str]]:
    return [[cell.text for cell in row] for row in rows]


def _lines(text: str, start: int, end: int) -> Iterator[Record]:
    """Yield the lines around tables."""
    for line in filter(str.strip, text[start:end].splitlines()):
        yield Record("", "", "", [Field("", line.strip(), "")])


def _table(
    header: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], prefix: str = ""
) -> Iterator[Record]:
    names, skipped = _with_merged_headers(header, rows)
    rows = rows[skipped:]
    if not rows and names:  # a header alone
        place = f"{prefix}header"
        yield Record("", place, "", [Field("", name, place) for name in names])
    yield from _records(names, rows, prefix)


def rows_of_markdown(text: str) -> list[Row]:
    """Return the rows of the tables in a Markdown text, with their cells in this text."""
    return [row for _, rows in tables_of_markdown(text) for row in rows]


def tables_of_markdown(text: str) -> Iterator[tuple[int, list[Row]]]:
    """Yield where each table of a Markdown text starts, and its rows."""
    for table in markdown_tables(text):
        texts = _texts(table.rows)
        names, skipped = _with_merged_headers(_texts(table.header), texts)
        grid = ([cell for cell in row if cell.text] for row in table.rows[skipped:])
        rows: list[Row] = []
        for record, own in zip(_records(names, texts[skipped:]), filter(None, grid), strict=True):
            cells = tuple(
                Cell(cell.start, cell.end, field.name, field.place, field.unit)
                for cell, field in zip(own, record.fields, strict=True)
            )
            start, end = cells[0].start, cells[-1].end
            rows.append(Row(start, end, record.place, record.context, cells, record.missing))
        yield table.start, rows


def _records(
    names: Sequence[str], rows: Sequence[Sequence[str]], prefix: str = ""
) -> Iterator[Record]:
    """Yield the rows of a table with the names of their cells; empty cells are left out."""
    labels = [row[0].strip() if row else "" for row in rows]
    has_labels = _are_labels(labels)
    repeated = len(set(filter(None, labels))) < len(list(filter(None, labels)))
    unit_column = next(
        (at for at, name in enumerate(names) if name.strip().lower() in _UNIT_HEADERS), None
    )
    columns = _columns(names)
    section = last_label = ""
    for number, (row, label) in enumerate(zip(rows, labels, strict=True), 1):
        filled = [column for column, cell in enumerate(row) if cell.strip()]
        if not filled:
            continue
        if filled == [0] and len(names) > 1 and len(label) <= _LONGEST_HEADER:
            section = label
        above = [section] if section and section != label else []
        if has_labels and not label and last_label:
            above.append(last_label)  # a cell that is merged with the one above
        last_label = label or last_label
        place = f"{prefix}row {number}"
        if has_labels and label and not repeated and len(label) <= _LONGEST_LABEL:
            place = f"{prefix}row '{label}'"
        unit = ""
        if unit_column is not None and unit_column < len(row):
            unit = row[unit_column].strip()
        fields = [
            Field(
                names[column] if column < len(names) else "",
                row[column],
                f"{place}, {columns.get(column) or f'column {column + 1}'}",
                unit if column != unit_column else "",
            )
            for column in filled
        ]
        missing = (name for column, name in enumerate(names) if column and column not in filled)
        yield Record("", place, "; ".join(above), fields, tuple(filter(None, missing)))


def _with_merged_headers(
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
