"""The kinds of tables that are audited: their columns are read, and theirs with verdicts made."""

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import pyarrow as pa
from pydantic_core import PydanticSerializationError, to_jsonable_python

from groundtypes.errors import ContextError, DatasetError
from groundtypes.row_files.json_lines import SURROGATE, BrokenLineError
from groundtypes.text.message_excerpts import clip

#: Types whose values are plain data, beside the numbers.
_PLAIN: Final = frozenset({"string", "large_string", "string_view", "bool", "null"})


@dataclass(frozen=True, slots=True)
class Frame:
    """A table of any kind.

    `types` are the Arrow types of the columns that have one. `column` returns the rows of a column
    from one up to another, as an Arrow array or as Python objects, and `with_columns` a table of
    the same kind: some columns of this one, and those of another table.
    """

    names: Sequence[str]
    height: int
    types: Mapping[str, Any]
    column: Callable[[str, int, int], Any]
    with_columns: Callable[[Sequence[str], pa.Table], Any]

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        """Return some values of a column as plain data; a broken one is a `BrokenLineError`.

        Maps become `dict`, binary data become text; dates, decimals and the like are as in JSON.
        What is missing in pandas (NaN, NaT, NA) is `None`. An object that JSON has no form for
        stays what it is: references may be documents.
        """
        column = self.column(name, start, stop)
        if not isinstance(column, pa.Array | pa.ChunkedArray):
            return [_cell(_plain, _present(value)) for value in column]
        try:
            values = column.to_pylist()
        except Exception:  # noqa: BLE001 # such as text that is not UTF-8, or a year after 9999, in a cell
            return [
                _cell(lambda cell: _plain(cell.as_py(), _is_arrow_map), cell) for cell in column
            ]
        if _is_plain(column.type):
            return list(values)
        return [_cell(lambda value: _plain(value, _is_arrow_map), value) for value in values]


def frame_of(rows: Any) -> Frame:
    """Return the columns of a table of any kind."""
    frame = _frame_of(rows)
    for name in frame.names:
        if not isinstance(name, str):
            raise DatasetError(f"The name of a column is {clip(repr(name), 40)}, which is no text.")
    if len(set(frame.names)) < len(frame.names):
        repeated = next(name for name in frame.names if list(frame.names).count(name) > 1)
        raise DatasetError(f"Two columns have the name {clip(repr(repeated), 40)}.")
    return frame


def _frame_of(rows: Any) -> Frame:
    if isinstance(rows, pa.Table | pa.RecordBatch):
        return _arrow(rows)
    # What is not imported yet has made no table.
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(rows, pandas.DataFrame):
        return _pandas(rows)
    if polars is not None and isinstance(rows, polars.DataFrame):
        return _polars(rows)
    if isinstance(rows, Mapping):
        return _mapping(rows)
    if hasattr(rows, "__arrow_c_stream__"):
        return _arrow(pa.RecordBatchReader.from_stream(rows).read_all())
    raise ContextError(
        f"Rows are an Arrow table or record batch, a DataFrame of pandas or Polars, or a dict of "
        f"columns, not an object of type {type(rows).__name__}."
    )


# --- cells ----------------------------------------------------------------------------------


def _cell(read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except BrokenLineError as error:
        return error.with_traceback(None)
    except UnicodeDecodeError as error:
        return BrokenLineError(f"not UTF-8: byte 0x{error.object[error.start]:02x}")
    except RecursionError:
        return BrokenLineError("nested too deeply")
    except (ValueError, TypeError, OverflowError) as error:
        return BrokenLineError(f"unreadable: {clip(str(error), 200)}")
    except LookupError as error:  # of a time zone
        return BrokenLineError(f"unreadable: {type(error).__name__}: {clip(str(error), 200)}")


def _is_plain(type_: Any) -> bool:
    """Return whether all values of an Arrow type are plain data already."""
    if pa.types.is_struct(type_):
        return all(_is_plain(field.type) for field in type_)
    if hasattr(type_, "value_type"):
        return _is_plain(type_.value_type)
    return pa.types.is_integer(type_) or pa.types.is_floating(type_) or str(type_) in _PLAIN


def _present(value: Any) -> Any:
    is_missing = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in {
        "NAType",
        "NaTType",
    }
    return None if is_missing else value


def _is_arrow_map(items: Sequence[Any]) -> bool:
    """Return whether a list is a map as Arrow returns it, which has no other tuples."""
    return bool(items) and type(items[0]) is tuple


def _arrow_plain(value: Any) -> Any:
    return _plain(value, _is_arrow_map)


def _is_map(items: Sequence[Any]) -> bool:
    """Return whether a list is a map as pandas holds it: pairs of a text and a text."""
    return bool(items) and all(
        type(item) is tuple
        and len(item) == 2
        and isinstance(item[0], str)
        # A pair of a document and its score has a number in the second place.
        and (item[1] is None or isinstance(item[1], str | Mapping))
        for item in items
    )


def _plain(value: Any, is_map: Callable[[Sequence[Any]], bool] = _is_map) -> Any:
    """Return plain data, with every list a `dict` that `is_map` says to be a map."""
    if isinstance(value, str):
        if not value.isascii() and SURROGATE.search(value):
            raise BrokenLineError("not Unicode: a lone surrogate")
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item, is_map) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if is_map(value):
            return _from_pairs([(_plain(key), _plain(item, is_map)) for key, item in value])
        return [_plain(item, is_map) for item in value]
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # numpy
        return _plain(value.tolist())
    try:
        return to_jsonable_python(value, serialize_unknown=False)
    except PydanticSerializationError:
        return value


def _from_pairs(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise BrokenLineError(f"the key {clip(repr(repeated), 40)} occurs twice in one map")
    return data


# --- kinds of tables ------------------------------------------------------------------------


def _arrow(rows: Any) -> Frame:
    def with_columns(kept: Sequence[str], added: pa.Table) -> Any:
        fields = [rows.schema.field(name) for name in kept] + list(added.schema)
        columns = [rows.column(name) for name in kept] + added.columns
        schema = pa.schema(fields, metadata=rows.schema.metadata)
        table = pa.Table.from_arrays(columns, schema=schema)
        if isinstance(rows, pa.Table):
            return table
        batches = table.combine_chunks().to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=schema)

    return Frame(
        rows.schema.names,
        rows.num_rows,
        dict(zip(rows.schema.names, rows.schema.types, strict=True)),
        lambda name, start, stop: rows.column(name).slice(start, stop - start),
        with_columns,
    )


def _pandas(rows: Any) -> Frame:
    def with_columns(kept: Sequence[str], added: pa.Table) -> Any:
        pandas = cast(Any, sys.modules["pandas"])
        result = rows[list(kept)].copy()
        for name, column in zip(added.schema.names, added.columns, strict=True):
            # Arrow types, because columns of objects would have no type in an empty batch.
            values = (
                column.to_numpy()
                if pa.types.is_boolean(column.type)
                else pandas.arrays.ArrowExtensionArray(column)
            )
            result[name] = pandas.Series(values, index=result.index)
        return result

    names = list(rows.columns)
    is_unique = len(set(names)) == len(names)
    return Frame(
        names,
        len(rows),
        _known({name: _pandas_type(rows[name]) for name in names if is_unique}),
        lambda name, start, stop: rows[name].iloc[start:stop].tolist(),
        with_columns,
    )


def _known(types: Mapping[str, Any]) -> dict[str, Any]:
    return {name: type_ for name, type_ in types.items() if type_ is not None}


def _pandas_type(column: Any) -> Any:
    """Return the Arrow type of a column; `None` if it may hold anything."""
    pandas = cast(Any, sys.modules["pandas"])
    dtype = column.dtype
    if isinstance(dtype, pandas.ArrowDtype):
        return dtype.pyarrow_dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        dtype = dtype.categories.dtype
    types = pandas.api.types
    if not (types.is_numeric_dtype(dtype) or types.is_datetime64_any_dtype(dtype)):
        return None
    # A column without any value has a type by chance, such as float for nothing but NaN.
    present = column[column.notna()]
    return pa.Array.from_pandas(present.iloc[:1]).type if len(present) else None


def _polars(rows: Any) -> Frame:
    def with_columns(kept: Sequence[str], added: pa.Table) -> Any:
        verdicts = cast(Any, sys.modules["polars"]).from_arrow(added)
        return rows.select(list(kept)).hstack(verdicts) if kept else verdicts

    return Frame(
        rows.columns,
        rows.height,
        dict(zip(rows.columns, rows.head(0).to_arrow().schema.types, strict=True)),
        lambda name, start, stop: rows[start:stop].select(name).to_arrow().column(0),
        with_columns,
    )


def _mapping(rows: Mapping[str, Any]) -> Frame:
    columns = dict(rows)
    lengths = {name: _length(name, column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{clip(repr(name), 40)}: {n}" for name, n in lengths.items())
        raise DatasetError(f"The columns differ in length: {clip(listed, 400)}.")
    return Frame(
        list(columns),
        next(iter(lengths.values()), 0),
        _known({name: _array_type(column) for name, column in columns.items()}),
        lambda name, start, stop: columns[name][start:stop],
        lambda kept, added: {name: columns[name] for name in kept} | added.to_pydict(),
    )


def _array_type(column: Any) -> Any:
    """Return the Arrow type of an array of Arrow, or of numbers or times of numpy; else `None`."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column.type
    if getattr(getattr(column, "dtype", None), "kind", "O") not in "biufmM" or column.ndim != 1:
        return None
    values = pa.array(column, from_pandas=True)  # NaN and NaT are null
    return values.type if values.null_count < len(values) else None


def _length(name: object, column: Any) -> int:
    if isinstance(column, str | bytes | Mapping) or not hasattr(column, "__len__"):
        raise DatasetError(
            f"The column {clip(repr(name), 40)} is an object of type {type(column).__name__}; a "
            "column is a list or an array."
        )
    return len(column)
