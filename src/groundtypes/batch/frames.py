"""The kinds of tables that are audited: their columns are read, and theirs with verdicts made."""

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, cast

import pyarrow as pa
from pydantic_core import PydanticSerializationError, to_jsonable_python

from groundtypes.errors import ContextError, DatasetError
from groundtypes.row_files.json_lines import SURROGATE, BrokenLineError
from groundtypes.text.message_excerpts import clip

_Convert = Callable[[Any], Any]
#: Types whose values are plain data, beside the numbers.
_PLAIN: Final = frozenset({"string", "large_string", "string_view", "bool", "null"})


def arrow_cells(column: Any) -> list[Any]:
    """Return the values of an Arrow column; one that cannot be read is a `BrokenLineError`.

    A map becomes a `dict`, binary data become text; dates, decimals and the like are as in JSON.
    """
    convert = _converter(column.type)
    try:
        values = column.to_pylist()
    except Exception:  # noqa: BLE001 # such as text that is not UTF-8, or a year after 9999, in a cell
        return [_cell(lambda cell: _converted(cell.as_py(), convert), cell) for cell in column]
    if convert is None:
        return list(values)
    return [_cell(convert, value) for value in values]


def object_cells(values: Sequence[Any]) -> list[Any]:
    """Return the values of a column of Python or numpy objects, as `arrow_cells` does.

    What is missing in pandas (NaN, NaT, NA) is `None`. An object that JSON has no form for stays
    what it is: references may be documents.
    """
    return [_cell(_plain, _present(value)) for value in values]


def _cell(read: _Convert, value: Any) -> Any:
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


def _converted(value: Any, convert: _Convert | None) -> Any:
    return value if convert is None else convert(value)


def _converter(type_: Any) -> _Convert | None:
    """Return what makes plain data of a value that pyarrow returns; `None` if it is plain."""
    if isinstance(type_, pa.BaseExtensionType):
        return _converter(type_.storage_type)
    if pa.types.is_dictionary(type_) or pa.types.is_run_end_encoded(type_):
        return _converter(type_.value_type)
    if pa.types.is_map(type_):
        return _map_converter(_converter(type_.item_type))
    if pa.types.is_struct(type_):
        parts = {field.name: convert for field in type_ if (convert := _converter(field.type))}
        return _struct_converter(parts) if parts else None
    if pa.types.is_nested(type_) and hasattr(type_, "value_type"):
        item = _converter(type_.value_type)
        return None if item is None else lambda items: items and [_or_none(item, i) for i in items]
    if "binary" in str(type_):
        return lambda data: None if data is None else bytes(data).decode()
    if pa.types.is_integer(type_) or pa.types.is_floating(type_) or str(type_) in _PLAIN:
        return None
    return to_jsonable_python


def _or_none(convert: _Convert, value: Any) -> Any:
    return None if value is None else convert(value)


def _map_converter(item: _Convert | None) -> _Convert:
    def convert(pairs: Any) -> Any:
        if pairs is None or isinstance(pairs, dict):
            return pairs
        return _from_pairs([(key, _converted(value, item)) for key, value in pairs])

    return convert


def _struct_converter(parts: Mapping[str, _Convert]) -> _Convert:
    def convert(fields: Any) -> Any:
        if fields is None:
            return None
        return {
            name: _or_none(parts[name], value) if name in parts else value
            for name, value in fields.items()
        }

    return convert


def _from_pairs(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise BrokenLineError(f"the key {clip(repr(repeated), 40)} occurs twice in one map")
    return data


def _present(value: Any) -> Any:
    is_missing = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in {
        "NAType",
        "NaTType",
    }
    return None if is_missing else value


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        if not value.isascii() and SURROGATE.search(value):
            raise BrokenLineError("not Unicode: a lone surrogate")
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if _is_map(value):
            return _from_pairs([(_plain(key), _plain(item)) for key, item in value])
        return [_plain(item) for item in value]
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # numpy
        return _plain(value.tolist())
    try:
        return to_jsonable_python(value, serialize_unknown=False)
    except PydanticSerializationError:
        return value


def _is_map(items: Sequence[Any]) -> bool:
    """Return whether a list is a map as Arrow and pandas hold it: pairs of a text and a text."""
    return bool(items) and all(
        type(item) is tuple
        and len(item) == 2
        and isinstance(item[0], str)
        # A pair of a document and its score has a number in the second place.
        and (item[1] is None or isinstance(item[1], str | Mapping))
        for item in items
    )


class Frame(Protocol):
    """A table of one kind."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    @property
    def height(self) -> int:
        """The number of rows."""
        ...

    @property
    def types(self) -> Mapping[str, Any]:
        """The Arrow types of the columns that have one."""
        ...

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        """Return some values of a column as plain data; a broken one is a `BrokenLineError`."""
        ...

    def with_columns(self, kept: Sequence[str], added: pa.Table) -> Any:
        """Return a table of the same kind: some columns of this one, and those of `added`."""
        ...


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
        return _ArrowFrame(rows)
    # What is not imported yet has made no table.
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(rows, pandas.DataFrame):
        return _PandasFrame(rows)
    if polars is not None and isinstance(rows, polars.DataFrame):
        return _PolarsFrame(rows)
    if isinstance(rows, Mapping):
        return _MappingFrame(rows)
    if hasattr(rows, "__arrow_c_stream__"):
        return _ArrowFrame(pa.RecordBatchReader.from_stream(rows).read_all())
    raise ContextError(
        f"Rows are an Arrow table or record batch, a DataFrame of pandas or Polars, or a dict of "
        f"columns, not an object of type {type(rows).__name__}."
    )


class _ArrowFrame:
    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.names = rows.schema.names
        self.height = rows.num_rows
        self.types = dict(zip(self.names, rows.schema.types, strict=True))

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        return arrow_cells(self._rows.column(name).slice(start, stop - start))

    def with_columns(self, kept: Sequence[str], added: pa.Table) -> Any:
        schema = self._rows.schema
        fields = [schema.field(name) for name in kept] + list(added.schema)
        columns = [self._rows.column(name) for name in kept]
        schema = pa.schema(fields, metadata=schema.metadata)
        if isinstance(self._rows, pa.RecordBatch):
            columns += [_one_chunk(column) for column in added.columns]
            return pa.RecordBatch.from_arrays(columns, schema=schema)
        return pa.Table.from_arrays(columns + added.columns, schema=schema)


def _one_chunk(column: Any) -> Any:
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


class _PandasFrame:
    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.names = list(rows.columns)
        self.height = len(rows)

    @property
    def types(self) -> Mapping[str, Any]:
        columns = {name: _pandas_type(self._rows[name]) for name in self.names}
        return {name: type_ for name, type_ in columns.items() if type_ is not None}

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        return object_cells(self._rows[name].iloc[start:stop].tolist())

    def with_columns(self, kept: Sequence[str], added: pa.Table) -> Any:
        pandas = cast(Any, sys.modules["pandas"])
        result = self._rows[list(kept)].copy()
        for name, column in zip(added.schema.names, added.columns, strict=True):
            # Arrow types, because columns of objects would have no type in an empty batch.
            values = (
                column.to_numpy()
                if pa.types.is_boolean(column.type)
                else pandas.arrays.ArrowExtensionArray(column)
            )
            result[name] = pandas.Series(values, index=result.index)
        return result


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


class _PolarsFrame:
    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.names = rows.columns
        self.height = rows.height
        self.types = dict(zip(self.names, rows.head(0).to_arrow().schema.types, strict=True))

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        part = self._rows.select(name).slice(start, stop - start)
        return arrow_cells(part.to_arrow().column(0))

    def with_columns(self, kept: Sequence[str], added: pa.Table) -> Any:
        verdicts = cast(Any, sys.modules["polars"]).from_arrow(added)
        return self._rows.select(list(kept)).hstack(verdicts) if kept else verdicts


class _MappingFrame:
    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._rows = rows
        self.names = list(rows)
        self._columns = {name: rows[name] for name in self.names}
        lengths = {name: _length(name, column) for name, column in self._columns.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{clip(repr(name), 40)}: {n}" for name, n in lengths.items())
            raise DatasetError(f"The columns differ in length: {clip(listed, 400)}.")
        self.height = next(iter(lengths.values()), 0)

    @property
    def types(self) -> Mapping[str, Any]:
        columns = {name: _array_type(column) for name, column in self._columns.items()}
        return {name: type_ for name, type_ in columns.items() if type_ is not None}

    def cells(self, name: str, start: int, stop: int) -> list[Any]:
        column = self._columns[name]
        if isinstance(column, pa.Array | pa.ChunkedArray):
            return arrow_cells(column.slice(start, stop - start))
        return object_cells(list(column[start:stop]))

    def with_columns(self, kept: Sequence[str], added: pa.Table) -> Any:
        return {name: self._columns[name] for name in kept} | added.to_pydict()


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
