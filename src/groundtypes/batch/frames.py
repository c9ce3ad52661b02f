"""The kinds of tables that are audited: their columns are read, and theirs with verdicts made."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

import pyarrow as pa

from groundtypes.batch.cell_values import arrow_cells, object_cells
from groundtypes.errors import ContextError, DatasetError
from groundtypes.text.message_excerpts import clip


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
    """Return the columns of a table of any kind.

    Raises:
        ContextError: It is no table.
        DatasetError: Two columns have the same name, a name is no text, or columns differ in
            length.
    """
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
    """Return the Arrow type of a column; `None` if it may hold anything.

    A column without any value has a type by chance, such as float for nothing but NaN.
    """
    pandas = cast(Any, sys.modules["pandas"])
    dtype = column.dtype
    if isinstance(dtype, pandas.ArrowDtype):
        return dtype.pyarrow_dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        dtype = dtype.categories.dtype
    types = pandas.api.types
    if not (types.is_numeric_dtype(dtype) or types.is_datetime64_any_dtype(dtype)):
        return None
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
