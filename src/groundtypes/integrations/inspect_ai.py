"""Inspect: a scorer for tasks.

`pip install 'groundtypes[inspect-ai]'`.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from groundtypes.integrations.feedback import Auditing
from groundtypes.judges import Judges

try:
    from inspect_ai.scorer import Score, Scorer, Target, accuracy, stderr
    from inspect_ai.scorer import scorer as inspect_scorer
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise ImportError(
        "The integration with Inspect needs inspect-ai: pip install 'groundtypes[inspect-ai]'"
    ) from error

__all__ = ["grounded"]


@inspect_scorer(metrics=[accuracy(), stderr()], name="grounded")  # type: ignore[untyped-decorator]
def grounded(
    model: Any,
    *,
    references: str | Callable[[TaskState], Any] = "references",
    judges: Judges | str | None = None,
) -> Scorer:
    """Return a scorer that audits the model's output: 1 if every check holds, else 0.

    The explanation has the messages of the faults, the metadata the score, label and evidence of
    each check. An output that cannot be judged is an error of its sample.

    Args:
        model: The answer model.
        references: The key of the sample's metadata with the references; or a function that returns
            them for the state of the task.
        judges: The engines, or the name of an NLI engine.
    """
    auditing = Auditing(model, references, question="question", judges=judges)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 # Inspect passes it
        text = state.output.completion
        data = {"question": state.input_text}
        find = partial(auditing.needed_feedback, text, state.metadata, data, source=(state,))
        found = await asyncio.to_thread(find)
        return Score(
            value=1.0 if all(each.ok for each in found) else 0.0,
            answer=text,
            explanation="\n".join(each.comment for each in found if each.comment) or None,
            metadata={each.key: each.metadata() for each in found},
        )

    return score
