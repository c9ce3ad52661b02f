"""The columns of a row that is evaluated: what they are called, and what they may hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from groundtypes.errors import ContextError, DatasetError
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.row_files.answer_rows import REFERENCE_KEYS
from groundtypes.row_files.table_files import parsed_references
from groundtypes.text.message_excerpts import clip


@dataclass(frozen=True, slots=True)
class Columns:
    """Under which names a row holds its parts.

    `context=None` means the first of the context columns that has a value.
    """

    answer: str = "answer"
    context: str | None = None
    question: str = "question"
    ground_truth: str = "ground_truth"
    row_id: str = "id"

    def __post_init__(self) -> None:
        if self.answer == self.context:
            raise DatasetError(f"`answer` and `context` both name {clip(repr(self.answer), 40)}.")

    def read(self, row: Mapping[str, Any]) -> EvaluationRow:
        """Return what is evaluated.

        Raises:
            ContextError: A column is missing, or holds what it must not.
        """
        if self.answer not in row or (self.context is not None and self.context not in row):
            raise ContextError(self.missing(row))
        names = (self.context,) if self.context is not None else REFERENCE_KEYS
        context = next((row[name] for name in names if row.get(name) is not None), None)
        answer = row[self.answer]
        return EvaluationRow(
            row.get(self.question),
            parsed_references(context),
            "" if answer is None else answer,
            row.get(self.ground_truth),
        )

    def missing(self, row: Mapping[str, Any]) -> str:
        """Return a text that says which columns a row lacks and which it has."""
        wanted = [name for name in (self.answer, self.context) if name is not None]
        missing = ", ".join(repr(clip(name, 40)) for name in wanted if name not in row)
        present = ", ".join(repr(clip(str(name), 40)) for name in list(row)[:20])
        return f"no column {missing}; the columns are {present or 'none'}"


def plain_id(value: Any) -> Any:
    """Return the id of a row as JSON can hold it; Parquet has dates, bytes and others."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
