"""The results of an evaluation: labelled statements, their scores, and all scores of an answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any, Final

from groundtypes.errors import Mistake
from groundtypes.evaluation.citations import CitationScores
from groundtypes.refusals.refusal import Refusal, RefusalKind
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with its label and estimate.

    The estimate of an NLI engine is the probability that the premise entails the statement, and 0
    if a figure of the statement occurs in no premise; that of an LLM is 1 if it does, else 0.
    """

    text: str
    label: Label
    estimate: float


@dataclass(frozen=True, slots=True)
class JudgedHypothesis:
    """A sentence of the scored text, its span (half open), and the statements that it makes."""

    text: str
    start: int
    end: int
    statements: tuple[JudgedStatement, ...]

    @property
    def estimate(self) -> float:
        """The mean of the estimates of its statements."""
        return fmean(statement.estimate for statement in self.statements)


@dataclass(frozen=True, slots=True)
class SupportScores:
    """How far one text supports another; `missing` says why there is nothing to score."""

    hypotheses: tuple[JudgedHypothesis, ...] = ()
    missing: str | None = None

    @property
    def score(self) -> float | None:
        """The mean of the estimates of the hypotheses, from 0 to 1."""
        if not self.hypotheses:
            return None
        return fmean(hypothesis.estimate for hypothesis in self.hypotheses)

    @property
    def shares(self) -> dict[Label, float] | None:
        """The share of the statements that each label has: RefChecker's distribution."""
        labels = [
            statement.label for hypothesis in self.hypotheses for statement in hypothesis.statements
        ]
        return {label: labels.count(label) / len(labels) for label in Label} if labels else None


_NO_REFUSAL: Final = Refusal(RefusalKind.ANSWER, 0.0)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of one answer.

    `answer_by_context`: how far the references support the answer. `answer_by_truth`: how far the
    ground truth, read with the question, supports the answer. `truth_by_answer`: how far the
    answer, read with the question, supports the ground truth. `tokens` are those that an LLM read
    and wrote. `citations` are the scores of the citation markers, if these were asked for and there
    are references, and `citation_verdicts` the verdicts from which they were counted. `mistake`
    says why the row could not be judged, where such rows are kept; all metrics are then `None`.
    """

    answer_by_context: SupportScores
    answer_by_truth: SupportScores
    truth_by_answer: SupportScores
    answer_refusal: Refusal
    truth_refusal: Refusal | None
    tokens: int = 0
    citations: CitationScores | None = None
    citation_verdicts: tuple[Verdict, ...] = ()
    mistake: Mistake | None = field(default=None, compare=False)

    @classmethod
    def unjudged(cls, mistake: Mistake) -> "Evaluation":
        """Return the evaluation of a row that could not be judged."""
        nothing = SupportScores(missing="the row could not be judged")
        return cls(nothing, nothing, nothing, _NO_REFUSAL, None, mistake=mistake)

    @property
    def answer_refuses(self) -> bool:
        """Whether the answer refuses, or says that the information is missing."""
        return _refuses(self.answer_refusal)

    @property
    def truth_refuses(self) -> bool | None:
        """Whether the ground truth does so; `None` if there is no ground truth."""
        return None if self.truth_refusal is None else _refuses(self.truth_refusal)

    @property
    def metrics(self) -> dict[str, float | None]:
        """The numbers that `aggregate` and `compare` read; `None` if there is nothing to score."""
        shares: Mapping[Label, float | None] = self.answer_by_context.shares or {}
        truth_refuses = self.truth_refuses
        answer_refuses = None if self.mistake is not None else float(self.answer_refuses)
        return {
            "answer_by_context": self.answer_by_context.score,
            "answer_by_truth": self.answer_by_truth.score,
            "truth_by_answer": self.truth_by_answer.score,
            "entailed": shares.get(Label.ENTAILMENT),
            "neutral": shares.get(Label.NEUTRAL),
            "contradicted": shares.get(Label.CONTRADICTION),
            "answer_refuses": answer_refuses,
            "truth_refuses": None if truth_refuses is None else float(truth_refuses),
            **({} if self.citations is None else self.citations.metrics),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain data that JSON can hold.

        Without scores of citations, nothing about citations is in it. A row that could not be
        judged has only the reason.
        """
        if self.mistake is not None:
            return {"error": clip(str(self.mistake), 300), "judged": False}
        data = {"scores": self.metrics, **asdict(replace(self, citation_verdicts=()))}
        del data["citation_verdicts"], data["mistake"]
        if self.citations is None:
            del data["citations"]
        else:
            data["citation_verdicts"] = [each.to_dict() for each in self.citation_verdicts]
        return data


def _refuses(refusal: Refusal) -> bool:
    return refusal.kind in (RefusalKind.REFUSAL, RefusalKind.ABSTENTION)
