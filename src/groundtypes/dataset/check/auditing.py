"""Answers audited in batches; if the model itself fails, the error names the line."""

import traceback
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from groundtypes.errors import BackendError, BudgetError, DatasetError, MissingJudgeError, Mistake
from groundtypes.judges import Judges, judges_for
from groundtypes.shown_text import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import iter_audits

__all__ = ["Auditor", "Item", "failure_reason", "type_adapter"]


class Item(NamedTuple):
    """An answer to be audited: the number of its line, the answer, its validation context."""

    number: int
    answer: Any
    context: Mapping[str, Any]


def type_adapter(model: Any) -> TypeAdapter[Any]:
    """Return Pydantic's adapter of a model.

    Raises:
        DatasetError: Pydantic cannot use the model.
    """
    try:
        return TypeAdapter(model)
    except Exception as error:
        raise DatasetError(
            f"The model cannot be used: {type(error).__name__}: {clip(str(error), 300)}"
        ) from error


class Auditor:
    """Audits answers of one model in batches."""

    def __init__(self, model: Any, judges: Judges | str | None = None) -> None:
        """Store the model of the answers, and the engines or the name of the NLI engine.

        Raises:
            DatasetError: Pydantic cannot use the model.
            ContextError: There is no engine of the name.
        """
        self.adapter = type_adapter(model)
        self._model = model
        self._judges = judges_for(model, judges)

    def audits(self, items: Sequence[Item]) -> list[Audit[Any]]:
        """Return an audit for each answer; all of them share the engines' batches.

        Raises:
            DatasetError: The failure is not in an answer (engine, model or file); it names the
                lines.
        """
        if not items:
            return []
        try:
            return self._audit(items)
        except Exception as error:
            # A failure of an engine, or a budget that is used up, is not caused by a row.
            if not isinstance(error, BackendError | BudgetError | MissingJudgeError):
                self._raise_for_one(items)
            first, last = items[0].number, items[-1].number
            lines = f"Line {first}" if first == last else f"Lines {first} to {last}"
            raise DatasetError(f"{lines}: {failure_reason(error)}") from error

    def _raise_for_one(self, items: Iterable[Item]) -> None:
        """Audit the answers one by one, to name the line of the one that fails."""
        for item in items:
            try:
                self._audit([item])
            except Exception as error:
                raise DatasetError(f"Line {item.number}: {failure_reason(error)}") from error

    def _audit(self, items: Sequence[Item]) -> list[Audit[Any]]:
        judges = {} if self._judges is None else {"judges": self._judges}
        return list(
            iter_audits(
                self._model,
                (item.answer for item in items),
                context=({**item.context, **judges} for item in items),
                batch=max(1, len(items)),
            )
        )


def failure_reason(error: Exception) -> str:
    """Return in one sentence what failed, and where a model of the user's raised."""
    if isinstance(error, Mistake):
        return clip(str(error), 500)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"the model raised {type(error).__name__}: {clip(str(error), 300)}{place}"
