"""DeepEval: a metric for `assert_test` and `evaluate`.

`pip install 'groundtypes[deepeval]'`.
"""

import asyncio
from typing import Any

from groundtypes.errors import ContextError
from groundtypes.integrations.feedback import Auditing
from groundtypes.judges import Judges

try:
    from deepeval.errors import MissingTestCaseParamsError
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
except ImportError as error:
    raise ImportError(
        "The integration with DeepEval needs deepeval: pip install 'groundtypes[deepeval]'"
    ) from error

__all__ = ["GroundedMetric"]


class _MissingParamsError(ContextError, MissingTestCaseParamsError):  # type: ignore[misc] # it has no types
    """A mistake for groundtypes; DeepEval may be told to skip such test cases."""


class GroundedMetric(BaseMetric):  # type: ignore[misc] # it has no types
    """The share of an answer's verdicts that hold; it succeeds if all do.

    The answer is `actual_output`, the references are `retrieval_context`, or else `context`, and
    the question is `input`. An answer that cannot be judged is an error, and no low score. Where
    one of them is missing, DeepEval skips the test case if it is told to.

    Attributes:
        score: The lowest score of a check, from 0 to 1.
        reason: The messages of the faults.
    """

    def __init__(self, model: Any, *, judges: Judges | str | None = None) -> None:
        """Store the answer model, and the engines or the name of an NLI engine."""
        self.threshold = 1.0
        self.async_mode = True
        self.error: str | None = None
        # DeepEval makes copies of a metric by the attributes that are arguments.
        self.model = model
        self.judges = judges

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Audit the answer of a test case, and return the score.

        Raises:
            Mistake: The answer cannot be judged.
        """
        # A metric that is used again keeps nothing of the case before, whatever is raised.
        self.score = self.success = self.reason = self.score_breakdown = self.error = None
        given = test_case.retrieval_context
        given = test_case.context if given is None else given
        if given is None:
            raise _MissingParamsError("The test case has no retrieval_context and no context.")
        if test_case.actual_output is None:
            raise _MissingParamsError("The test case has no actual_output.")
        references = [each if isinstance(each, str) else each.context for each in given]
        data = {"references": references, "question": test_case.input}
        auditing = Auditing(self.model, question="question", judges=self.judges)
        found = auditing.needed_feedback(test_case.actual_output, data, source=())
        self.score = min(each.score for each in found)
        self.score_breakdown = {each.key: each.score for each in found}
        self.reason = "\n".join(each.comment for each in found if each.comment) or None
        self.success = all(each.ok for each in found)
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Audit the answer of a test case in a thread."""
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        """Return whether every check holds."""
        return self.error is None and bool(self.success)

    @property
    def __name__(self) -> str:
        # DeepEval takes metrics of one name for one metric.
        return f"Grounded ({getattr(self.model, '__name__', type(self.model).__name__)})"
