"""Answers audited together; a row on which the model itself fails gets a reason of its own."""

from collections.abc import Sequence
from typing import Any

from groundtypes.batch.verdict_columns import RowResult
from groundtypes.dataset.check.answer_auditor import Item, type_adapter
from groundtypes.errors import ContextError, Mistake
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import RowMistakes, failure_reason
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validation.many_answers import audit_batch


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
            Mistake: The failure is not in a row: an engine is missing or fails for all rows, or the
                model is invalid. A note names the rows that were judged together.
        """
        if not items:
            return []
        lacks_questions = has_questions and all("question" not in item.context for item in items)
        answers = [item.answer for item in items]
        contexts = [{**item.context, **self._judges} for item in items]
        try:
            audits = audit_batch(self._model, answers, contexts, RowMistakes())
            for audit in audits:
                if isinstance(audit.mistake, ContextError) and not has_questions:
                    raise audit.mistake
        except Mistake as mistake:
            if isinstance(mistake, ContextError) and lacks_questions:
                return [RowResult.unjudged(failure_reason(mistake))] * len(items)
            mistake.add_note(f"while rows {items[0].number} to {items[-1].number} were judged")
            raise
        return [self._result(audit) for audit in audits]

    def _result(self, audit: Audit[Any]) -> RowResult:
        if audit.mistake is not None:
            return RowResult.unjudged(failure_reason(audit.mistake))
        if not audit.ok:
            return RowResult(ok=False, verdicts=audit.verdicts)
        try:
            value = self._adapter.dump_json(audit.value, by_alias=True, warnings=False).decode()
        except Exception as raised:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(raised), 200)}"
            return RowResult(ok=False, verdicts=audit.verdicts, error=reason)
        return RowResult(ok=True, verdicts=audit.verdicts, value=value)
