"""The records of a table: one for each row."""

from collections.abc import Iterator, Sequence

from groundtypes.errors import ReferencesError
from groundtypes.references.cell_names import named_rows, with_merged_headers
from groundtypes.references.csv_tables import read_csv
from groundtypes.references.grids import GridCell, markdown_tables
from groundtypes.references.json_values import MOST_VALUES
from groundtypes.references.structure import Cell, Field, Record, Row
from groundtypes.text.message_excerpts import clip


def table_records(
    text: str, id_: str, *, header: bool, delimiter: str | None = None
) -> Iterator[Record]:
    """Yield a record for each row of the tables of a Markdown or CSV text.

    Lines that are no table are records of one value without a name. With a delimiter the text is
    CSV; without a header the first row has values.

    Raises:
        ReferencesError: The text is no table that can be read.
    """
    tables = list(markdown_tables(text)) if delimiter is None else []
    if not tables:
        above, rows, below = read_csv(text, id_, header=header, delimiter=delimiter)
        _check_size(rows, id_)
        yield from map(_line, above)
        yield from _records(rows[:1] if header else [], rows[1:] if header else rows)
        yield from map(_line, below)
        return
    at = 0
    for number, table in enumerate(tables, 1):
        yield from _lines(text, at, table.start)
        _check_size(table.rows, id_)
        prefix = f"table {number}, " if len(tables) > 1 else ""
        names, rows = _texts(table.header), _texts(table.rows)
        yield from _records(names, rows, prefix) if header else _records([], names + rows, prefix)
        at = table.end
    yield from _lines(text, at, len(text))


def _check_size(rows: Sequence[Sequence[object]], id_: str) -> None:
    if sum(map(len, rows)) > MOST_VALUES:
        raise ReferencesError(
            f"The table of reference {clip(id_, 40)!r} has more than {MOST_VALUES:,} cells."
        )


def _texts(rows: Sequence[Sequence[GridCell]]) -> list[list[str]]:
    return [[cell.text for cell in row] for row in rows]


def _lines(text: str, start: int, end: int) -> Iterator[Record]:
    """Yield the lines around tables."""
    for line in text[start:end].splitlines():
        if line.strip():
            yield _line(line.strip())


def _line(text: str) -> Record:
    return Record("", "", "", [Field("", text, "")])


def _records(
    header: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], prefix: str = ""
) -> Iterator[Record]:
    names, skipped = with_merged_headers(header, rows)
    rows = rows[skipped:]
    if not rows and names:  # a header alone
        yield Record(
            "", f"{prefix}header", "", [Field("", name, f"{prefix}header") for name in names]
        )
    for row in named_rows(names, rows):
        fields = [
            Field(cell.name, rows[row.number][cell.column], prefix + cell.place, cell.unit)
            for cell in row.cells
        ]
        yield Record("", prefix + row.place, row.context, fields, row.missing)


def rows_of_markdown(text: str) -> list[Row]:
    """Return the rows of the tables in a Markdown text, with their cells in this text."""
    return [row for _, rows in tables_of_markdown(text) for row in rows]


def tables_of_markdown(text: str) -> Iterator[tuple[int, list[Row]]]:
    """Yield where each table of a Markdown text starts, and its rows."""
    for table in markdown_tables(text):
        texts = _texts(table.rows)
        names, skipped = with_merged_headers(_texts(table.header), texts)
        grid = table.rows[skipped:]
        rows: list[Row] = []
        for row in named_rows(names, texts[skipped:]):
            cells = tuple(
                Cell(*grid[row.number][cell.column][:2], cell.name, cell.place, cell.unit)
                for cell in row.cells
            )
            start, end = cells[0].start, cells[-1].end
            rows.append(Row(start, end, row.place, row.context, cells, row.missing))
        yield table.start, rows
