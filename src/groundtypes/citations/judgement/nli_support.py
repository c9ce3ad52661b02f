"""Whether the references that a sentence cites support it, together; judged by an NLI engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from groundtypes.citations.statements.cited_answer import CitedClaim
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.evidence.selections import select_references, similar_references
from groundtypes.entailment.evidence.statement_evidence import select_evidence
from groundtypes.entailment.questions import EntailmentQuestion, preceding
from groundtypes.figures.figure import Figure
from groundtypes.figures.outcomes import find_outcomes
from groundtypes.ledger import Ask
from groundtypes.references import References, Span
from groundtypes.scoring import Label, NLIScorer, window_of_reader

#: Of more references that one sentence cites, only those are read whose sentences are most similar.
_MAX_TOGETHER: Final = 8
#: The kinds of figures that may count what the answer lists, and the largest such count.
_COUNTS: Final = frozenset({"count", "number", "times"})
_MAX_OWN_COUNT: Final = 10


@dataclass(frozen=True, slots=True)
class Support:
    """What some references together say of a sentence.

    Attributes:
        label: Whether they entail it, contradict it, or do neither.
        score: The probability that they entail it; `None` if an LLM judged.
        passage: The words that decided, or that are closest; `None` if the references are empty.
        span: Where these words are.
        spans: All places, if several together decided.
        figure: A figure of the sentence that they do not support.
        differing_words: The words of the passage that differ from the sentence.
        reason: What weighed most, for people.
        because: The end of a message on the passage, if the reason alone decided.
        tokens: The tokens of an LLM.
        engine: The class of the engine that decided, where a cascade of engines did.
    """

    label: Label
    score: float | None = None
    passage: str | None = None
    span: Span | None = None
    spans: tuple[Span, ...] = ()
    figure: Figure | None = None
    differing_words: tuple[str, ...] = ()
    reason: str | None = None
    because: str = ""
    tokens: int | None = None
    engine: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the references support the sentence."""
        return self.label is Label.ENTAILMENT

    @property
    def places(self) -> tuple[Span, ...]:
        """Where the evidence is: one place or several."""
        return self.spans or (() if self.span is None else (self.span,))


#: Judges many sentences as one batch, in their order.
Judge: TypeAlias = Callable[[Sequence[CitedClaim]], list[Support]]


def support_by_nli(
    claims: Sequence[CitedClaim],
    references: References,
    user_question: str | None,
    nli: NLIScorer,
    ask: Ask,
    threshold: float,
) -> list[Support]:
    """Return what the cited references say of each sentence, by an NLI engine and the figures.

    A sentence with a figure that its references do not support is not supported.
    """
    questions = [_question(claim, references, user_question) for claim in claims]
    if window_of_reader(nli) is not None:
        texts = [claim.hypothesis.text for claim in claims]
        questions = [
            replace(question, preceding=preceding(texts, at))
            for at, question in enumerate(questions)
        ]
    supports = []
    entailments = decide_entailment(questions, nli, ask, threshold)
    for claim, question, entailment in zip(claims, questions, entailments, strict=True):
        support = Support(
            entailment.label,
            entailment.scores.entailment,
            entailment.passage,
            entailment.span,
            entailment.spans,
            differing_words=entailment.differing_words,
            reason=entailment.difference,
            because=entailment.because,
            engine=entailment.engine,
        )
        if claim.words and support.label is not Label.CONTRADICTION:
            figure = _absent_figure(claim, question.references, user_question)
            if figure is not None:
                support = replace(support, label=Label.NEUTRAL, score=0.0, figure=figure)
        supports.append(support)
    return supports


def read_together(references: References, claim: CitedClaim) -> References:
    """Return the references that a sentence is judged against: all or the most similar it cites."""
    ids = claim.ids
    if _MAX_TOGETHER < len(ids) < len(references):
        others = frozenset(references.ids).difference(ids)
        text = claim.hypothesis.text
        ids = similar_references(references, text, _MAX_TOGETHER, without=others) or ids
        ids = ids[:_MAX_TOGETHER]
    return select_references(references, ids)


def _question(
    claim: CitedClaim, references: References, user_question: str | None
) -> EntailmentQuestion:
    cited = read_together(references, claim)
    evidence = select_evidence(cited, claim.hypothesis.text)
    return EntailmentQuestion(claim.hypothesis, evidence, user_question, cited)


def _absent_figure(
    claim: CitedClaim, cited: References, user_question: str | None
) -> Figure | None:
    """Return the first figure of a sentence that the references do not support."""
    findings = find_outcomes(claim.words, cited, user_question)
    return next(
        (
            finding.figure
            for finding in findings
            if not finding.outcome.holds and not _is_own_count(finding.figure)
        ),
        None,
    )


def _is_own_count(figure: Figure) -> bool:
    """Whether a figure is a small count in words, as writers count what they have listed."""
    return (
        not any(character.isdigit() for character in figure.text)
        and figure.kind in _COUNTS
        and all(isinstance(value, int) and value <= _MAX_OWN_COUNT for value in figure.values)
    )
