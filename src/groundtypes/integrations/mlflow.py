"""MLflow: a scorer for `mlflow.genai.evaluate`, and audits as feedback on traces.

`pip install 'groundtypes[mlflow]'`.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from groundtypes.integrations.feedback import Auditing, Feedback, feedback_of
from groundtypes.judges import Judges
from groundtypes.validation.audits import Audit

try:
    import mlflow
    from mlflow.entities import AssessmentSource
    from mlflow.entities import Feedback as Assessment
    from mlflow.genai.scorers import Scorer
except ImportError as error:
    raise ImportError(
        "The integration with MLflow needs mlflow: pip install 'groundtypes[mlflow]'"
    ) from error

__all__ = ["log_feedback", "scorer"]

_SOURCE: Final = AssessmentSource(source_type="CODE", source_id="groundtypes")


def scorer(
    model: Any,
    *,
    references: str | Callable[[Any], Any] = "references",
    answer: str | None = None,
    question: str | None = None,
    judges: Judges | str | None = None,
    name: str | None = None,
) -> Scorer:
    """Return a scorer that audits an answer, with one feedback for each check: whether it holds.

    The rationale has the messages of the faults, the metadata the score and the evidence. Of an
    answer that cannot be judged MLflow records the error, and goes on with the other rows.

    Args:
        model: The answer model.
        references: The key of the inputs or expectations with the references, or of the outputs if
            `answer` is a part of them; or a function that returns them for the trace of the row.
        answer: The key of the outputs with the answer; by default all of them are the answer.
        question: The key of the user's question.
        judges: The engines, or the name of an NLI engine.
        name: The name of the scorer, which then stands before those of its checks: MLflow has one
            mean for all feedback of a name, also of several scorers.
    """
    auditing = Auditing(model, references, answer, question, judges)

    prefix = "" if name is None else f"{name}."

    @mlflow.genai.scorer(name=name or "groundtypes")  # type: ignore[untyped-decorator]
    def grounded(
        inputs: Any = None, outputs: Any = None, expectations: Any = None, trace: Any = None
    ) -> list[Assessment]:
        found = auditing.feedback(outputs, inputs, expectations, source=(trace,))
        return [_assessment(replace(each, key=prefix + each.key)) for each in found]

    return grounded


def log_feedback(audited: Audit[Any], trace_id: str) -> None:
    """Log the feedback of each check of an audit on a trace that exists.

    Raises:
        Mistake: The answer could not be judged; nothing is logged.
    """
    for each in feedback_of(audited):
        mlflow.log_assessment(trace_id, _assessment(each))


def _assessment(each: Feedback) -> Assessment:
    metadata = {
        # MLflow sends other values in the notation of Python.
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in each.metadata().items()
    }
    return Assessment(
        name=each.key,
        value=each.ok,
        source=_SOURCE,
        rationale=each.comment or None,
        metadata=metadata,
    )
