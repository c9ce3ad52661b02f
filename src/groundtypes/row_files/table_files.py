"""Rows of JSON Lines, JSON, CSV and Parquet as plain mappings, one at a time."""

import ast
import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final

from pydantic_core import to_json

from groundtypes.errors import ContextError, DatasetError
from groundtypes.references import References
from groundtypes.row_files.files import file_errors, open_input, open_json_lines
from groundtypes.row_files.json_lines import (
    LINE_LIMIT,
    BrokenLineError,
    Line,
    LineReader,
    has_lone_surrogate,
    read_line,
)
from groundtypes.text.message_excerpts import clip

_BATCH: Final = 1024
#: The longest list of JSON that is read, in bytes: all of it is held in memory.
_LONGEST_LIST: Final = 4 * LINE_LIMIT
_ESCAPE: Final = r"\\(?:[\\'\"ntr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})"
_TEXT: Final = rf"""(?:'(?:[^'\\]|{_ESCAPE})*+'|"(?:[^"\\]|{_ESCAPE})*+")"""
_GAP: Final = re.compile(r"\s*,?\s*")
#: A list of texts as Python writes it, or numpy, which leaves out the commas.
_TEXTS: Final = re.compile(rf"\s*\[\s*(?:{_TEXT}(?:[\s,]++{_TEXT})*+\s*)?\]\s*")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row and its number, counted from 1; a broken one has a reason instead of data."""

    number: int
    data: dict[str, Any] | None
    broken: str | None = None


def read_table(path: Path) -> Iterator[TableRow]:
    """Yield the rows of a file, by its name's end: `.csv`, `.parquet`, else JSON Lines.

    A file `.json` may be a list of rows. Cells of CSV are text; an empty one is `None`.
    """
    with file_errors(f"read {path}"):
        yield from (_table_reader(path) or _json_lines)(path)


def open_rows(path: Path, references: Collection[str]) -> BinaryIO:
    """Open the rows of a file as JSON Lines; those of another format are in a temporary file.

    The cells with these names may hold references as lists that are written as text.
    """
    if _table_reader(path) is None:
        return open_json_lines(path)
    file = TemporaryFile()  # noqa: SIM115 # the caller closes it
    try:
        for row in read_table(path):
            data: Any = row.broken
            if row.data is not None:
                data = {
                    name: parsed_references(cell) if name in references else cell
                    for name, cell in row.data.items()
                }
            file.write(to_json(data, inf_nan_mode="null", bytes_mode="base64", fallback=str))
            file.write(b"\n")
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _table_reader(path: Path) -> Callable[[Path], Iterator[TableRow]] | None:
    """Return what reads the rows of a file that is not JSON Lines."""
    if path.suffix.lower() == ".json" and path.is_file():
        with path.open("rb") as file:
            start = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        return _json_list if start.startswith(b"[") else None
    return {".csv": _csv, ".parquet": _parquet}.get(path.suffix.lower())


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
    """Return references; a cell of text may hold them as JSON, or as a list of Python or numpy.

    Ids without a text are left out: in a column of structs, each row has the ids of all rows.
    """
    if isinstance(context, str) and context.lstrip()[:1] in ("[", "{"):
        context = _parsed_text(context)
    if isinstance(context, dict) and None in context.values():
        return {id_: text for id_, text in context.items() if text is not None} or None
    return context


def read_references(context: Any) -> References | None:
    """Read references as `parsed_references` returns them."""
    parsed = parsed_references(context)
    return None if parsed is None else References.of(parsed)


def _parsed_text(context: str) -> Any:
    try:
        parsed = json.loads(context)
    except (ValueError, RecursionError):
        if _TEXTS.fullmatch(context) is None:
            return context
        parsed = [ast.literal_eval(text) for text in re.findall(_TEXT, context)]
    if has_lone_surrogate(context, parsed):
        raise ContextError("the context is not Unicode: a lone surrogate")
    return parsed


def _json_lines(path: Path) -> Iterator[TableRow]:
    with open_input(path) as stream:
        for number, line in enumerate(LineReader(stream), 1):
            yield _line_row(number, line)


def _line_row(number: int, line: Line) -> TableRow:
    row = read_line(line, lambda data: data)
    if isinstance(row, BrokenLineError):
        return TableRow(number, None, str(row))
    return TableRow(number, row)


def _json_list(path: Path) -> Iterator[TableRow]:
    with open_input(path) as stream:
        data = stream.read(_LONGEST_LIST + 1)
    if len(data) > _LONGEST_LIST:
        raise DatasetError(f"{path} is too long for a list of JSON. Convert it to JSON Lines.")
    try:
        for number, row in enumerate(_elements(data.decode("utf-8-sig").strip()), 1):
            yield _line_row(number, Line(number, row.encode()))
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{path} is not a list in JSON: {clip(str(error), 200)}") from error


def _elements(text: str) -> Iterator[str]:
    """Yield the JSON of each element of a list."""
    end, decoder = 1, json.JSONDecoder()
    while (gap := _GAP.match(text, end)) is not None:
        start, has_comma = gap.end(), "," in gap[0]
        if start == len(text) - 1 and text[start] == "]" and not has_comma:
            return
        if has_comma != (end > 1):
            raise ValueError(f"a comma is missing or misplaced at character {start}")
        _, end = decoder.raw_decode(text, start)
        yield text[start:end]


def _csv(path: Path) -> Iterator[TableRow]:
    # The limit is one of the process, and a context is longer than the default.
    csv.field_size_limit(max(csv.field_size_limit(), LINE_LIMIT))
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            _distinct(reader.fieldnames or (), path)
            for number, row in enumerate(_csv_rows(reader), 1):
                if isinstance(row, str):
                    yield TableRow(number, None, row)
                elif None in row or None in row.values():
                    yield TableRow(number, None, "its number of cells differs from the header's")
                else:
                    yield TableRow(number, {key: cell or None for key, cell in row.items()})
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is not CSV in UTF-8.") from error
    except csv.Error as error:
        raise DatasetError(f"{path} is not valid CSV: {error}.") from error


def _csv_rows(reader: "csv.DictReader[str]") -> Iterator[dict[str | Any, str | Any] | str]:
    """Yield each row, or why it is broken: its quotation marks may have swallowed other rows."""
    while True:
        first = reader.reader.line_num + 1
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"not CSV in lines {first} to {reader.reader.line_num} of the file: {error}"


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
                yield TableRow(number, _with_maps(row))
    except (ValueError, TypeError) as error:  # what pyarrow raises derives from these
        raise DatasetError(f"{path} is not readable as Parquet: {error}") from error


def _with_maps(value: Any) -> Any:
    """Return a value of Arrow with its maps, which are its only lists of tuples, as mappings."""
    if isinstance(value, dict):
        return {key: _with_maps(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], tuple) and len(dict(value)) == len(value):
        return {key: _with_maps(item) for key, item in value}
    return [_with_maps(item) for item in value]
