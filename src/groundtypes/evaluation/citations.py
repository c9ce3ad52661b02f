"""Scores of citations: recall, precision and F1, counted from the verdicts of `Cited`.

The definitions are those of ALCE: Gao et al. (2023), Enabling Large Language Models to Generate
Text with Citations (arXiv:2305.14627).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Final

from groundtypes.citations.markers import marker_reader
from groundtypes.errors import ContextError
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.judges import Judges
from groundtypes.references import References
from groundtypes.validation.audits import Audit
from groundtypes.validation.grounded import Grounded
from groundtypes.validation.many_answers import audit_many
from groundtypes.validators.cited import Cited
from groundtypes.verdicts import Loc, Verdict

_CITED: Final = Cited().name
_UNKNOWN: Final = "unknown"
_COMPARED: Final = frozenset({"relevant", "superfluous"})


@dataclass(frozen=True, slots=True)
class CitationScores:
    """The citations of one answer, counted, and their scores as ALCE defines them.

    Attributes:
        statements: How many sentences claim something.
        supported: How many of them cite references that exist and that together support them.
        citations: How many references the sentences cite, each once a sentence; markers that name
            no reference are citations, too.
        relevant: How many citations belong to a supported sentence and are not superfluous; `None`
            if this was not asked, because a supported sentence cites several references and
            `superfluous` of `Cited` is `False`.
    """

    statements: int
    supported: int
    citations: int
    relevant: int | None

    @property
    def recall(self) -> float | None:
        """The share of the statements that are supported; `None` if there is no statement."""
        return self.supported / self.statements if self.statements else None

    @property
    def precision(self) -> float | None:
        """The share of the citations that are relevant; 0 for statements without any citation.

        `None` if there is no statement, or `relevant` is not known.
        """
        if not self.statements or self.relevant is None:
            return None
        return self.relevant / self.citations if self.citations else 0.0

    @property
    def f1(self) -> float | None:
        """The harmonic mean of recall and precision; `None` if one of them is."""
        recall, precision = self.recall, self.precision
        if recall is None or precision is None:
            return None
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0

    @property
    def metrics(self) -> dict[str, float | None]:
        """The numbers that `aggregate` and `compare` read; `None` if there is nothing to score."""
        return {
            "citation_recall": self.recall,
            "citation_precision": self.precision,
            "citation_f1": self.f1,
        }


def citation_scores(audit: Audit[Any]) -> CitationScores:
    """Return recall, precision and F1 of the citations in an answer, from the verdicts of `Cited`.

    A statement counts for recall if all references that it cites support it together. A citation
    counts for precision if its statement does, and it is not superfluous: if it supports the
    statement alone, or the others do not without it. Precision needs `Cited(superfluous=True)` as
    soon as a supported statement cites several references; it is `None` otherwise. Statements
    without citations count 0 in recall; so do those that cite an unknown reference, which is a
    citation without relevance. Several fields with `Cited` count as one answer.

    `groundtypes.evaluation.aggregate` computes the means over many answers with their intervals,
    each answer counting once as in ALCE, and `compare` compares two runs:
    `aggregate(map(citation_scores, audits))`.

    Args:
        audit: An audit of a model that has a field with `Cited`. Without any such verdict nothing
            is counted, and the scores are `None`.

    Raises:
        ContextError: It is no audit.

    Examples:
        >>> from typing import Annotated
        >>> from groundtypes import Cited, Grounded, Judges, audit, citation_scores
        >>> from groundtypes.testing import ScriptedNLI
        >>> class Answer(Grounded, judges=Judges(nli=ScriptedNLI())):
        ...     text: Annotated[str, Cited(superfluous=True)]
        >>> context = {"references": ["The tower is tall.", "Lunch is served at noon."]}
        >>> text = "The tower is tall [1]. Lunch is served at noon."
        >>> scores = citation_scores(audit(Answer, {"text": text}, context=context))
        >>> scores.recall, scores.precision, round(scores.f1, 2)
        (0.5, 1.0, 0.67)
    """
    if not isinstance(audit, Audit):
        kind = "None" if audit is None else f"an object of type {type(audit).__name__}"
        raise ContextError(f"citation_scores takes what audit() returns, not {kind}")
    statements: dict[tuple[Loc, tuple[int, int]], _Statement] = {}
    elsewhere = 0
    for verdict in audit.verdicts:
        if verdict.check != _CITED:
            continue
        if verdict.part is not None:
            statements.setdefault((verdict.loc, verdict.part), _Statement()).add(verdict)
        elif verdict.label == _UNKNOWN:
            elsewhere += verdict.count
    relevant = [statement.relevant for statement in statements.values()]
    known = [count for count in relevant if count is not None]
    return CitationScores(
        len(statements),
        sum(statement.holds for statement in statements.values()),
        sum(len(statement.ids) + statement.unknown for statement in statements.values())
        + elsewhere,
        sum(known) if len(known) == len(relevant) else None,
    )


@dataclass(slots=True)
class _Statement:
    """What the verdicts on one sentence say: what it cites, and whether that supports it."""

    ids: tuple[str, ...] = ()
    supported: bool = False
    unknown: int = 0
    compared: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Read a verdict on the sentence."""
        if verdict.label == _UNKNOWN:
            self.unknown += verdict.count
        elif verdict.label in _COMPARED:
            self.compared[verdict.label] += len(verdict.citations)
        elif verdict.citations:
            self.ids, self.supported = verdict.citations, verdict.ok

    @property
    def holds(self) -> bool:
        """Whether it cites references that all exist and that together support it."""
        return self.supported and not self.unknown

    @property
    def relevant(self) -> int | None:
        """How many of its citations are relevant; `None` if this was not asked."""
        if not self.holds:
            return 0
        if len(self.ids) == 1:
            return 1
        if not self.compared:
            return None
        return len(self.ids) - self.compared["superfluous"]


def audit_rows(
    rows: Sequence[EvaluationRow], judges: Judges, check: Cited
) -> list[Audit[Any] | None]:
    """Return the audit of each answer by this check; `None` for a row without references."""
    cited = [row for row in rows if row.references is not None]
    audits = iter(
        audit_many(
            _model_with(check),
            [{"answer": row.answer} for row in cited],
            context=[
                {"references": row.references, "question": row.question, "judges": judges}
                for row in cited
            ],
            batch=max(len(cited), 1),
        )
    )
    return [None if row.references is None else next(audits) for row in rows]


def without_markers(row: EvaluationRow, check: Cited | None) -> EvaluationRow:
    """Return a row whose answer has no markers: those that the check reads, by default all."""
    row.check()
    references = References.of([] if row.references is None else row.references)
    if check is None:
        return replace(row, answer=marker_reader.without_markers(row.answer, references).plain)
    answer = marker_reader.read_markers(row.answer, references, check.style).plain
    return replace(row, answer=answer)


@lru_cache(maxsize=64)
def _model_with(check: Cited) -> type[Grounded]:
    """Return a model whose answer has this check."""

    class CitedTextAnswer(Grounded):
        answer: Annotated[str, check]

    return CitedTextAnswer
