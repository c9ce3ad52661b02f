"""Arize Phoenix: audits as annotations of a span.

`pip install 'groundtypes[phoenix]'`; nothing of it is imported here.
"""

from typing import Any

from groundtypes.integrations.feedback import feedback_of
from groundtypes.validation.audits import Audit


def annotate_span(client: Any, audited: Audit[Any], span_id: str) -> None:
    """Add one annotation for each check of an audit: label, score and the messages of its faults.

    A later audit of the same span replaces it.

    Args:
        client: A `phoenix.client.Client`.
        audited: The audit of the answer.
        span_id: The span that the answer is from: 16 hexadecimal digits.

    Raises:
        Mistake: The answer could not be judged; nothing is sent.
    """
    for each in feedback_of(audited):
        client.spans.add_span_annotation(
            span_id=span_id,
            annotation_name=each.key,
            annotator_kind="CODE",
            label=each.label,
            score=each.score,
            explanation=each.comment or None,
            metadata=each.metadata(),
            identifier="groundtypes",
            sync=True,
        )
