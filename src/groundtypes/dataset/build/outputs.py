"""The files of a data set: JSON Lines and Parquet, written in a work folder, then named."""

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, Protocol, Self

from groundtypes.dataset.io.files import mistake_of
from groundtypes.dataset.io.lines import json_line
from groundtypes.errors import DatasetError

__all__ = ["Format", "Outputs", "check_parquet", "file_digest"]

#: `openai`: JSON Lines for OpenAI's fine-tuning. `jsonl`, `parquet`: for Hugging Face's
#: `datasets`, with ids.
Format = Literal["openai", "jsonl", "parquet"]

_ROW_GROUP: Final = 1000
_GROUP_BYTES: Final = 16 * 2**20


class _Writer(Protocol):
    rows: int

    def write(self, row: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class _JsonLines:
    def __init__(self, path: Path) -> None:
        self.rows = 0
        self._path = path
        self._file: BinaryIO = path.open("wb", buffering=2**20)

    def write(self, row: Mapping[str, Any]) -> None:
        self._file.write(json_line(row))
        self.rows += 1

    def close(self) -> None:
        self._file.close()


class _Parquet:
    """Rows in groups; the columns are the same in every file of a kind."""

    def __init__(self, path: Path, kind: str, *, tools: bool) -> None:
        import pyarrow as pa  # noqa: PLC0415 # an extra
        import pyarrow.parquet as pq  # noqa: PLC0415 # an extra

        self.rows = 0
        self._arrow = pa
        self._schema = _schema(pa, kind, tools=tools)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[Mapping[str, Any]] = []
        self._bytes = 0

    def write(self, row: Mapping[str, Any]) -> None:
        self._waiting.append(row)
        self._bytes += len(json_line(row))
        self.rows += 1
        if len(self._waiting) >= _ROW_GROUP or self._bytes >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            table = self._arrow.Table.from_pylist(self._waiting, schema=self._schema)
            self._writer.write_table(table)
            self._waiting, self._bytes = [], 0


def check_parquet(formats: Iterable[Format]) -> None:
    """Refuse Parquet where what writes it is missing, before any work is done.

    Raises:
        DatasetError: It is.
    """
    if "parquet" in formats:
        try:
            import pyarrow.parquet  # noqa: F401, PLC0415 # only whether it is there
        except ImportError as error:
            raise DatasetError(
                "Parquet needs pyarrow: pip install 'groundtypes[parquet]'"
            ) from error


def _schema(pa: Any, kind: str, *, tools: bool) -> Any:
    text = pa.string()
    call = pa.struct(
        {"id": text, "type": text, "function": pa.struct({"name": text, "arguments": text})}
    )
    message = {"role": text, "content": text}
    if tools:
        message["tool_calls"] = pa.list_(call)
    said = pa.list_(pa.struct(message))
    reason = pa.struct(dict.fromkeys(("field", "check", "slug", "message"), text))
    columns = {"id": text, "group": text, "line": pa.int64()}
    if kind == "supervised":
        columns |= {"repair": text, "messages": said}
    else:
        columns |= {
            "origin": text,
            "prompt": said,
            "chosen": said,
            "rejected": said,
            "reasons": pa.list_(reason),
        }
    if tools:
        columns["tools"] = text
    return pa.schema(columns)


class Outputs:
    """The files of a data set while they are written: each is made when its first row comes."""

    def __init__(self, folder: Path, formats: Iterable[Format], *, tools: bool) -> None:
        """Take the work folder; names in it are those that the files will have."""
        self._folder = folder
        self._formats = tuple(formats)
        self._tools = tools
        self._open: dict[str, _Writer] = {}

    def openai(self, split: str, row: Mapping[str, Any]) -> None:
        """Write a row for OpenAI's fine-tuning, where it was asked for."""
        if "openai" in self._formats:
            self._write(f"openai/{split}.jsonl", "openai", row)

    def table(self, kind: str, split: str, row: Mapping[str, Any]) -> None:
        """Write a row of `supervised` or `preference`, in the formats that were asked for."""
        for name in self._formats:
            if name != "openai":
                self._write(f"{kind}/{split}.{name}", kind, row)

    def line(self, name: str, row: Mapping[str, Any]) -> None:
        """Write a row of any other file of JSON Lines."""
        self._write(name, "lines", row)

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each file has."""
        return {name: writer.rows for name, writer in sorted(self._open.items())}

    def _write(self, name: str, kind: str, row: Mapping[str, Any]) -> None:
        try:
            writer = self._open.get(name)
            if writer is None:
                path = self._folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.suffix == ".parquet":
                    writer = _Parquet(path, kind, tools=self._tools)
                else:
                    writer = _JsonLines(path)
                self._open[name] = writer
            writer.write(row)
        except OSError as error:
            raise mistake_of(error, f"write {self._folder / name}") from error

    def close(self) -> None:
        """Write what is left.

        Raises:
            DatasetError: It cannot be written.
        """
        for name, writer in self._open.items():
            try:
                writer.close()
            except OSError as error:
                raise mistake_of(error, f"write {self._folder / name}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
            return
        for writer in self._open.values():
            with contextlib.suppress(OSError):  # what broke is told rather than this
                writer.close()


def file_digest(path: Path) -> dict[str, Any]:
    """Return the size of a file and its SHA-256.

    Raises:
        DatasetError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": path.stat().st_size, "sha256": digest}
    except OSError as error:
        raise mistake_of(error, f"read {path}") from error
