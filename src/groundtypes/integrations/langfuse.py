"""Langfuse: audits as scores of a trace or an observation.

`pip install 'groundtypes[langfuse]'`; nothing of it is imported here.
"""

from typing import Any

from groundtypes.integrations.feedback import feedback_of
from groundtypes.validation.audits import Audit


def log_scores(
    client: Any, audited: Audit[Any], trace_id: str, *, observation_id: str | None = None
) -> None:
    """Send one score for each check of an audit: the share of its verdicts that hold.

    Args:
        client: A `langfuse.Langfuse`, which sends in the background: `client.flush()` waits.
        audited: The audit of the answer.
        trace_id: The trace that the answer is from.
        observation_id: The observation within it, such as a generation.

    Raises:
        Mistake: The answer could not be judged; nothing is sent.
    """
    for each in feedback_of(audited):
        client.create_score(
            name=each.key,
            value=each.score,
            data_type="NUMERIC",
            trace_id=trace_id,
            observation_id=observation_id,
            comment=each.comment or None,
            metadata=each.metadata(),
        )
