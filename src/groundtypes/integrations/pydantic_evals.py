"""pydantic-evals: an evaluator for `Dataset.evaluate`.

`pip install 'groundtypes[pydantic-evals]'`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from groundtypes.integrations.feedback import Auditing
from groundtypes.judges import Judges

try:
    from anyio import to_thread
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext
except ImportError as error:
    raise ImportError(
        "The integration with pydantic-evals needs it: pip install 'groundtypes[pydantic-evals]'"
    ) from error

__all__ = ["GroundedEvaluator"]


@dataclass(repr=False)
class GroundedEvaluator(Evaluator[Any, Any, Any]):  # type: ignore[misc] # read without its types
    """Audits the output of a case: one assertion for each check, with the messages of its faults.

    An answer that cannot be judged is a failure of the evaluator in the report, and no assertion.

    Attributes:
        model: The answer model.
        references: The key of the output, the inputs or the metadata with the references; or a
            function that returns them for the context, also of its `span_tree`.
        answer: The key of the output with the answer; by default all of it is the answer.
        question: The key of the user's question.
        judges: The engines, or the name of an NLI engine.
    """

    model: Any
    references: str | Callable[[EvaluatorContext[Any, Any, Any]], Any] = "references"
    answer: str | None = None
    question: str | None = None
    judges: Judges | str | None = None

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """Return whether each check holds."""
        auditing = Auditing(self.model, self.references, self.answer, self.question, self.judges)
        find = partial(auditing.feedback, ctx.output, ctx.inputs, ctx.metadata, source=(ctx,))
        # Engines compute, and the cases of a data set share an event loop.
        return {
            each.key: EvaluationReason(value=each.ok, reason=each.comment or None)
            for each in await to_thread.run_sync(find)
        }
