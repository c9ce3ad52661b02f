"""Answers audited together; a row on which the model itself fails gets a reason of its own."""

from collections.abc import Sequence
from typing import Any, Final

from groundtypes.batch.columns import RowResult
from groundtypes.dataset.check.auditing import Item, failure_reason, type_adapter
from groundtypes.errors import CheckError, ContextError, LanguageError, MissingVerdictError, Mistake
from groundtypes.judges import Judges
from groundtypes.shown_text import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import iter_audits

__all__ = ["RowJudge"]

#: The mistakes that a single row can cause; any other is one of the engines or of the model.
_OF_ONE_ROW: Final = (CheckError, LanguageError, MissingVerdictError)


class RowJudge:
    """Audits answers of one model."""

    def __init__(self, model: Any, judges: Judges | None) -> None:
        """Store the model of the answers, and the engines.

        Raises:
            DatasetError: Pydantic cannot use the model.
        """
        self._model = model
        self._adapter = type_adapter(model)
        self._judges = {} if judges is None else {"judges": judges}

    def judge(self, items: Sequence[Item], *, has_questions: bool) -> list[RowResult]:
        """Return the result of each answer; all of them share the engines' batches.

        A check that needs a question cannot judge a row without one. If the table
        `has_questions`, that is the row's; if not, it is a mistake.

        Raises:
            Mistake: The failure is not in a row: an engine is missing or fails, or the model is
                invalid. A note names the rows that were judged together.
        """
        try:
            audits = self._audits(items, has_questions=has_questions)
        except Mistake as mistake:
            mistake.add_note(f"while rows {items[0].number} to {items[-1].number} were judged")
            raise
        return [self._result(audit) for audit in audits]

    def _audits(self, items: Sequence[Item], *, has_questions: bool) -> list[Audit[Any] | str]:
        """Return an audit of each answer, or why there is none.

        Where a row makes the model raise, the halves are audited on their own, until the row is
        found: the others are still judged together.
        """
        if not items:
            return []
        try:
            return list(
                iter_audits(
                    self._model,
                    (item.answer for item in items),
                    context=({**item.context, **self._judges} for item in items),
                    batch=len(items),
                )
            )
        except Exception as error:
            if not _is_of_one_row(error, items, has_questions=has_questions):
                raise
            if len(items) == 1:
                return [failure_reason(error)]
        half = len(items) // 2
        return [
            *self._audits(items[:half], has_questions=has_questions),
            *self._audits(items[half:], has_questions=has_questions),
        ]

    def _result(self, audit: Audit[Any] | str) -> RowResult:
        if isinstance(audit, str):
            return RowResult.unjudged(audit)
        if not audit.ok:
            return RowResult(ok=False, verdicts=audit.verdicts)
        try:
            value = self._adapter.dump_json(audit.value, by_alias=True, warnings=False).decode()
        except Exception as raised:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(raised), 200)}"
            return RowResult(ok=False, verdicts=audit.verdicts, error=reason)
        return RowResult(ok=True, verdicts=audit.verdicts, value=value)


def _is_of_one_row(error: Exception, items: Sequence[Item], *, has_questions: bool) -> bool:
    if isinstance(error, ContextError):
        # A check may need the question, which a row may lack; else the engines are configured so.
        return has_questions and any("question" not in item.context for item in items)
    if isinstance(error, Mistake):
        return isinstance(error, _OF_ONE_ROW)
    return not isinstance(error, MemoryError)
