"""Examples as rows for OpenAI and Hugging Face."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import content_id
from groundtypes.text.message_excerpts import clip

#: How a row holds an answer: as the text of the assistant, or as its call of a tool.
Style = Literal["messages", "tools"]

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")


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
        """Return the row for supervised training; tools are JSON text, as TRL reads it."""
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


def file_digest(path: Path) -> dict[str, Any]:
    """Return the size of a file in bytes, and its SHA-256."""
    with file_errors(f"read {path}"), path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": path.stat().st_size, "sha256": digest}
