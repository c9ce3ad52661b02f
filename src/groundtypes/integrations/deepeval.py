"""DeepEval: a metric for `assert_test` and `evaluate`.

`pip install 'groundtypes[deepeval]'`.
"""

import asyncio
from typing import Any

from groundtypes.errors import ContextError
from groundtypes.integrations.feedback import Auditing
from groundtypes.judges import Judges

try:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
except ImportError as error:
    raise ImportError(
        "The integration with DeepEval needs deepeval: pip install 'groundtypes[deepeval]'"
    ) from error

__all__ = ["GroundedMetric"]


class GroundedMetric(BaseMetric):  # type: ignore[misc] # it has no types
    """The share of an answer's verdicts that hold; it succeeds if all do.

    The answer is `actual_output`, the references are `retrieval_context`, or else `context`, and
    the question is `input`. An answer that cannot be judged is an error, and no low score.

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
        references = test_case.retrieval_context
        references = test_case.context if references is None else references
        if references is None:
            raise ContextError("The test case has no retrieval_context and no context.")
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
        return "Grounded"
