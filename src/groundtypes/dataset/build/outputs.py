"""The files of a data set: JSON Lines and Parquet, each made when its first row comes."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import json_line

_ROW_GROUP: Final = 1000
_GROUP_BYTES: Final = 16 * 2**20


class _JsonLinesWriter:
    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("wb", buffering=2**20)
        self.close = self._file.close

    def write(self, row: Mapping[str, Any]) -> None:
        self._file.write(json_line(row))


class _ParquetWriter:
    """Writes rows in groups; the columns are the same in every file of a kind."""

    def __init__(self, path: Path, *, tools: bool) -> None:
        import pyarrow as pa  # noqa: PLC0415 # an extra
        import pyarrow.parquet as pq  # noqa: PLC0415 # an extra

        self._arrow = pa
        self._schema = _schema(pa, supervised=path.parent.name == "supervised", tools=tools)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Mapping[str, Any]] = []
        self._bytes = 0

    def write(self, row: Mapping[str, Any]) -> None:
        self._rows.append(row)
        self._bytes += len(json_line(row))
        if len(self._rows) >= _ROW_GROUP or self._bytes >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            table = self._arrow.Table.from_pylist(self._rows, schema=self._schema)
            self._writer.write_table(table)
            self._rows, self._bytes = [], 0


def check_parquet() -> None:
    """Check, before any work is done, that Parquet can be written.

    Raises:
        DatasetError: pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401, PLC0415 # only whether it is there
    except ImportError as error:
        raise DatasetError("Parquet needs pyarrow: pip install 'groundtypes[parquet]'") from error


def _schema(pa: Any, *, supervised: bool, tools: bool) -> Any:
    text = pa.string()
    function = pa.struct({"name": text, "arguments": text})
    message = {"role": text, "content": text}
    if tools:
        message["tool_calls"] = pa.list_(
            pa.struct({"id": text, "type": text, "function": function})
        )
    messages = pa.list_(pa.struct(message))
    reason = pa.struct(dict.fromkeys(("field", "check", "slug", "message"), text))
    columns = {"id": text, "group": text, "line": pa.int64()}
    if supervised:
        columns |= {"repair": text, "messages": messages}
    else:
        columns |= {"origin": text, **dict.fromkeys(("prompt", "chosen", "rejected"), messages)}
        columns["reasons"] = pa.list_(reason)
    if tools:
        columns["tools"] = text
    return pa.schema(columns)


class DatasetWriter:
    """Writes rows to the files of a folder, by their names there."""

    def __init__(self, folder: Path, *, tools: bool) -> None:
        """Store the folder, and whether the rows have tools."""
        self._folder = folder
        self._tools = tools
        self._writers: dict[str, _JsonLinesWriter | _ParquetWriter] = {}

    def write(self, name: str, row: Mapping[str, Any]) -> None:
        """Append a row to a file, as Parquet where its name ends so.

        Raises:
            DatasetError: It cannot be written.
        """
        with file_errors(f"write {self._folder / name}"):
            if name not in self._writers:
                path = self._folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                self._writers[name] = (
                    _ParquetWriter(path, tools=self._tools)
                    if path.suffix == ".parquet"
                    else _JsonLinesWriter(path)
                )
            self._writers[name].write(row)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        errors: list[DatasetError] = []
        for name, writer in self._writers.items():  # every one, whichever cannot be written
            try:
                with file_errors(f"write {self._folder / name}"):
                    writer.close()
            except DatasetError as error:
                errors.append(error)
        if errors and kind is None:  # else the first error is the one to raise
            raise errors[0]


def file_digest(path: Path) -> dict[str, Any]:
    """Return the size of a file in bytes, and its SHA-256.

    Raises:
        DatasetError: It cannot be read.
    """
    with file_errors(f"read {path}"), path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": path.stat().st_size, "sha256": digest}
