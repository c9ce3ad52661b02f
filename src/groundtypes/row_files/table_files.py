"""Rows of JSON Lines, CSV and Parquet as plain mappings, one at a time."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import ContextError, DatasetError
from groundtypes.row_files.files import file_errors, open_input
from groundtypes.row_files.json_lines import (
    LINE_LIMIT,
    BrokenLineError,
    LineReader,
    has_lone_surrogate,
    read_line,
)
from groundtypes.text.message_excerpts import clip

_BATCH: Final = 1024


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row and its number, counted from 1; a broken one has a reason instead of data."""

    number: int
    data: dict[str, Any] | None
    broken: str | None = None


def read_table(path: Path) -> Iterator[TableRow]:
    """Yield the rows of a file, by its name's end: `.csv`, `.parquet`, else JSON Lines.

    Cells of CSV are text; an empty one is `None`.
    """
    readers = {".csv": _csv, ".parquet": _parquet}
    with file_errors(f"read {path}"):
        yield from readers.get(path.suffix.lower(), _json_lines)(path)


def column_names(path: Path) -> list[str]:
    """Return the columns of a CSV or Parquet file; of JSON Lines, or of an empty file, none."""
    with file_errors(f"read {path}"):
        if path.suffix.lower() == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as stream:
                return _distinct(csv.DictReader(stream).fieldnames or (), path)
        if path.suffix.lower() == ".parquet":
            from pyarrow import parquet  # noqa: PLC0415 # `read_table` says what to install

            return _distinct(parquet.read_schema(path).names, path)
    return []


def _distinct(names: Iterable[str], path: Path) -> list[str]:
    """Return the names of the columns, no two of which may be equal: which one would be read?"""
    known: list[str] = []
    for name in names:
        if name and name in known:  # spreadsheets write empty columns without a name
            raise DatasetError(f"{path} has two columns with the name {clip(repr(name), 40)}.")
        known.append(name)
    return known


def parsed_references(context: Any) -> Any:
    """Return references; a cell of text may hold them as JSON."""
    if isinstance(context, str) and context.lstrip()[:1] in ("[", "{"):
        try:
            parsed = json.loads(context)
        except (ValueError, RecursionError):
            return context
        if has_lone_surrogate(context, parsed):
            raise ContextError("the context is not Unicode: a lone surrogate")
        return parsed
    return context


def _json_lines(path: Path) -> Iterator[TableRow]:
    with open_input(path) as stream:
        for number, line in enumerate(LineReader(stream), 1):
            row = read_line(line, lambda data: data)
            if isinstance(row, BrokenLineError):
                yield TableRow(number, None, str(row))
            else:
                yield TableRow(number, row)


def _csv(path: Path) -> Iterator[TableRow]:
    # The limit is one of the process, and a context is longer than the default.
    csv.field_size_limit(max(csv.field_size_limit(), LINE_LIMIT))
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            _distinct(reader.fieldnames or (), path)
            for number, row in enumerate(reader, 1):
                if None in row or None in row.values():
                    yield TableRow(number, None, "its number of cells differs from the header's")
                else:
                    yield TableRow(number, {key: cell or None for key, cell in row.items()})
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is not CSV in UTF-8.") from error
    except csv.Error as error:
        raise DatasetError(f"{path} is not valid CSV: {error}.") from error


def _parquet(path: Path) -> Iterator[TableRow]:
    try:
        from pyarrow import parquet  # noqa: PLC0415 # not needed for the other formats
    except ImportError as error:
        raise DatasetError("Parquet is read with pyarrow: pip install pyarrow") from error
    try:
        with parquet.ParquetFile(path) as file:
            _distinct(file.schema_arrow.names, path)
            rows = (row for batch in file.iter_batches(_BATCH) for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield TableRow(number, row)
    except (ValueError, TypeError) as error:  # what pyarrow raises derives from these
        raise DatasetError(f"{path} is not readable as Parquet: {error}") from error
