"""Claims of many answers in numbers: which share of them the references bear out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import tee
from typing import Any, Final

from groundtypes.evaluation.metrics import EvaluationRow
from groundtypes.judges import Judges
from groundtypes.models import SupportedAnswer
from groundtypes.scoring import Label
from groundtypes.validation.many_answers import iter_audits
from groundtypes.validators.supported import Supported
from groundtypes.verdicts import Verdict

__all__ = ["ClaimsEvaluation", "evaluate_claims"]

#: So many rows are judged together.
_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class ClaimsEvaluation:
    """The claims of one answer: a verdict for each, and which share of them has each label.

    `shares` is RefChecker's distribution; `None` where the answer claims nothing.
    """

    verdicts: tuple[Verdict, ...]
    shares: dict[Label, float] | None

    @property
    def metrics(self) -> dict[str, float | None]:
        """Return what runs are summed up by; `None` where the answer claims nothing."""
        shares = self.shares or {}
        return {
            "entailed": shares.get(Label.ENTAILMENT),
            "neutral": shares.get(Label.NEUTRAL),
            "contradicted": shares.get(Label.CONTRADICTION),
        }


def evaluate_claims(
    rows: Iterable[EvaluationRow], *, judges: Judges, batch: int = _BATCH
) -> Iterator[ClaimsEvaluation]:
    """Yield what `Supported()` says of the claims of each answer, in the order of the rows.

    The answer of a row is held against its context; its ground truth is not read. `batch` rows
    share the engines' calls. `aggregate` makes means with intervals of the result, in which each
    answer counts once (RefChecker's macro average), and `compare` sets two runs side by side.

    Raises:
        Mistake: A context is missing or no references, or there is no LLM, or it fails.
    """
    answers, contexts = tee(rows)
    for audit in iter_audits(
        SupportedAnswer,
        ({"answer": row.answer} for row in answers),
        context=(_context(row, judges) for row in contexts),
        batch=batch,
    ):
        yield ClaimsEvaluation(audit.verdicts, audit.shares.get(Supported.__name__))


def _context(row: EvaluationRow, judges: Judges) -> dict[str, Any]:
    row.check()
    found: dict[str, Any] = {"judges": judges}
    if row.context is not None:
        found["references"] = row.context
    if row.question is not None:
        found["question"] = row.question
    return found
