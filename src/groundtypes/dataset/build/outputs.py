"""Examples as rows for OpenAI and Hugging Face, in files of JSON Lines and Parquet."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, Self

from pydantic import TypeAdapter

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import json_bytes, json_line
from groundtypes.text.message_excerpts import clip

#: How a row holds an answer: as the text of the assistant, or as its call of a tool.
Style = Literal["messages", "tools"]

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")


def content_id(*parts: Any) -> str:
    """Return an id made of content: 24 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(json_bytes(parts), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class ExampleFormatter:
    """Makes the rows of examples of one model; `tools` are what the LLM can call, if anything."""

    tools: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, model: Any, style: Style) -> "ExampleFormatter":
        """Return the formatter for a model; as a tool, its JSON schema is what the LLM calls."""
        if style == "messages":
            return cls()
        try:
            schema = TypeAdapter(model).json_schema()
        except Exception as error:
            raise DatasetError(
                f"The model has no JSON schema: {type(error).__name__}: {clip(str(error), 300)}"
            ) from error
        name = _NO_NAME.sub("_", getattr(model, "__name__", "") or "answer")[:64]
        function = {
            "name": name,
            "description": schema.pop("description", f"The answer, as {name}."),
            "parameters": schema,
        }
        return cls(({"type": "function", "function": function},))

    def openai(self, example: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row of a file for OpenAI's fine-tuning, which may hold nothing else."""
        messages = [*example["messages"], self._message(example, example["answer"])]
        return {"messages": messages, **({"tools": self.tools} if self.tools else {})}

    def supervised(self, example: Mapping[str, Any], group: str) -> dict[str, Any]:
        """Return the row for supervised training; tools are JSON text, as a table needs it."""
        return {
            "id": example["id"],
            "group": group,
            "line": example["line"],
            "repair": example["repair"],
            "messages": [*example["messages"], self._message(example, example["answer"])],
            **self._tool_column(),
        }

    def preferences(self, example: Mapping[str, Any], group: str) -> Iterator[dict[str, Any]]:
        """Yield a row for each pair of an accepted and a refused answer to one prompt."""
        for refused in example["rejected"]:
            yield {
                "id": content_id(example["id"], refused["answer"]),
                "group": group,
                "line": example["line"],
                "origin": refused["origin"],
                "prompt": example["messages"],
                "chosen": [self._message(example, example["answer"])],
                "rejected": [self._message(example, refused["answer"])],
                "reasons": refused["reasons"],
                **self._tool_column(),
            }

    def _tool_column(self) -> dict[str, str]:
        return {"tools": json.dumps(self.tools, ensure_ascii=False)} if self.tools else {}

    def _message(self, example: Mapping[str, Any], answer: str) -> dict[str, Any]:
        """Return the assistant's message with an answer."""
        if not self.tools:
            return {"role": "assistant", "content": answer}
        call = {
            "id": f"call_{content_id(example['id'], answer)[:12]}",
            "type": "function",
            "function": {"name": self.tools[0]["function"]["name"], "arguments": answer},
        }
        return {"role": "assistant", "content": "", "tool_calls": [call]}


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
    """Check, before any work is done, that Parquet can be written."""
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
        self._folder = folder
        self._tools = tools
        self._writers: dict[str, _JsonLinesWriter | _ParquetWriter] = {}

    def write(self, name: str, row: Mapping[str, Any]) -> None:
        """Append a row to a file, as Parquet where its name ends so."""
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
    """Return the size of a file in bytes, and its SHA-256."""
    with file_errors(f"read {path}"), path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": path.stat().st_size, "sha256": digest}
