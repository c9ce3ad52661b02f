"""Scores of claims: the share of the claims of each answer that the references support."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import tee
from typing import Any, Final

from groundtypes.concurrency.threads import awaitable
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.judges import Judges
from groundtypes.models import SupportedAnswer
from groundtypes.scoring import Label
from groundtypes.validation.many_answers import iter_audits
from groundtypes.validators.supported import Supported
from groundtypes.verdicts import Verdict

#: How many rows are sent to the engines together.
_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class ClaimsEvaluation:
    """The claims of one answer: a verdict for each, and the share that each label has.

    `shares` is RefChecker's distribution; `None` if the answer claims nothing.
    """

    verdicts: tuple[Verdict, ...]
    shares: dict[Label, float] | None

    @property
    def metrics(self) -> dict[str, float | None]:
        """The numbers that `aggregate` and `compare` read; `None` if the answer claims nothing."""
        shares = self.shares or {}
        return {
            "entailed": shares.get(Label.ENTAILMENT),
            "neutral": shares.get(Label.NEUTRAL),
            "contradicted": shares.get(Label.CONTRADICTION),
        }


def evaluate_claims(
    rows: Iterable[EvaluationRow], *, judges: Judges, batch: int = _BATCH
) -> list[ClaimsEvaluation]:
    """Return the verdicts of `Supported()` on the claims of each answer, in the order of the rows.

    `aggregate` turns the results into means with intervals, in which each answer counts once
    (RefChecker's macro average); `compare` compares two runs.

    Args:
        rows: The answers, each judged against its references; ground truths are not read.
        judges: The engines; an LLM is needed.
        batch: How many rows are sent to the engines together.

    Raises:
        Mistake: References are missing or cannot be read, or the LLM is missing or fails.
    """
    answers, contexts = tee(rows)
    audits = iter_audits(
        SupportedAnswer,
        ({"answer": row.answer} for row in answers),
        context=(_context(row, judges) for row in contexts),
        batch=batch,
    )
    return [
        ClaimsEvaluation(audit.verdicts, audit.shares.get(Supported.__name__)) for audit in audits
    ]


aevaluate_claims = awaitable(evaluate_claims)
"""As `evaluate_claims`, without blocking the event loop."""


def _context(row: EvaluationRow, judges: Judges) -> dict[str, Any]:
    row.check()
    context: dict[str, Any] = {"judges": judges}
    if row.references is not None:
        context["references"] = row.references
    if row.question is not None:
        context["question"] = row.question
    return context
