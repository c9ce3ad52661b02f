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
        references: The key of the inputs, the metadata or the expected output with the references,
            or of the output if `answer` is a part of it; or a function that returns them for the
            context, also of its `span_tree`.
        answer: The key of the output with the answer; by default all of it is the answer.
        question: The key of the user's question; inputs that are a text are the question.
        judges: The engines, or the name of an NLI engine.
    """

    model: Any
    references: str | Callable[[EvaluatorContext[Any, Any, Any]], Any] = "references"
    answer: str | None = None
    question: str | None = None
    judges: Judges | str | None = None

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """Return whether each check holds."""
        inputs, question = ctx.inputs, self.question
        if question is None and isinstance(inputs, str):
            question = "question"
            inputs = {question: inputs}
        auditing = Auditing(self.model, self.references, self.answer, question, self.judges)
        places = (inputs, ctx.metadata, ctx.expected_output)
        find = partial(auditing.feedback, ctx.output, *places, source=(ctx,))
        # Engines compute, and the cases of a data set share an event loop.
        return {
            each.key: EvaluationReason(value=each.ok, reason=each.comment or None)
            for each in await to_thread.run_sync(find)
        }

    def build_serialization_arguments(self) -> dict[str, Any]:
        """Return the names of the arguments, for reports and files.

        Engines hold clients with keys, and models are no data for JSON.
        """
        given = super().build_serialization_arguments()
        return {
            key: value
            if isinstance(value, str)
            else getattr(value, "__qualname__", type(value).__qualname__)
            for key, value in given.items()
        }
