"""Answers audited in batches; if the model itself fails, the error names the line."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from groundtypes.errors import BackendError, BudgetError, DatasetError, MissingJudgeError
from groundtypes.judges import Judges, judges_for
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes, failure_reason
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import audit_batch


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

    def __init__(
        self, model: Any, judges: Judges | str | None = None, on_mistake: OnMistake = "raise"
    ) -> None:
        """Store the model of the answers, the engines, and what becomes of unjudged answers.

        `judges` may be the name of an NLI engine.

        Raises:
            DatasetError: Pydantic cannot use the model.
            ContextError: There is no engine of the name.
        """
        self.adapter = type_adapter(model)
        self._model = model
        engines = judges_for(model, judges)
        self._judges = {} if engines is None else {"judges": engines}
        self._mistakes = RowMistakes.when(on_mistake)

    def audits(self, items: Sequence[Item]) -> list[Audit[Any]]:
        """Return an audit for each answer; all of them share the engines' batches.

        Raises:
            DatasetError: The failure is not in an answer (engine, model or file), or mistakes of
                single answers are raised; it names the lines.
        """
        if not items:
            return []
        try:
            return self._audit(items, self._mistakes)
        except Exception as error:
            # A failure of an engine, or a budget that is used up, is not caused by a row.
            is_of_engine = isinstance(error, BackendError | BudgetError | MissingJudgeError)
            if self._mistakes is None and not is_of_engine:
                self._raise_for_one(items)
            first, last = items[0].number, items[-1].number
            lines = f"Line {first}" if first == last else f"Lines {first} to {last}"
            raise DatasetError(f"{lines}: {failure_reason(error)}") from error

    def _raise_for_one(self, items: Iterable[Item]) -> None:
        """Audit the answers one by one, to name the line of the one that fails."""
        for item in items:
            try:
                self._audit([item], None)
            except Exception as error:
                raise DatasetError(f"Line {item.number}: {failure_reason(error)}") from error

    def _audit(self, items: Sequence[Item], mistakes: RowMistakes | None) -> list[Audit[Any]]:
        answers = [item.answer for item in items]
        contexts = [{**item.context, **self._judges} for item in items]
        return audit_batch(self._model, answers, contexts, mistakes)
