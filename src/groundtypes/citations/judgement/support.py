"""Whether the references that a sentence cites support it, together; judged by an NLI engine.

`Support` is the result of any judge; `citation_llm` has the judge that asks an LLM.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from groundtypes.citations.statements.answer import CitedClaim
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.bilingual import check_evidence_languages, in_read_languages
from groundtypes.entailment.decision import Entailment, decide_entailment
from groundtypes.entailment.evidence.grains import Evidence, select_evidence
from groundtypes.entailment.evidence.selections import select_references, similar_references
from groundtypes.entailment.questions import EntailmentQuestion, preceding
from groundtypes.figures.figure import Figure
from groundtypes.figures.lookup import supporting_span
from groundtypes.ledger import Ask
from groundtypes.references import PerReferences, References, Span
from groundtypes.scoring import Label, NLIScorer, NLIScores, window_of_reader

__all__ = ["Judge", "Support", "read_together", "support_by_nli"]

#: Of more references that one sentence cites, only those are read whose sentences are most similar.
_MAX_TOGETHER: Final = 8
#: How many sentences are remembered for each collection of references.
_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True)
class Support:
    """What some references together say of a sentence.

    Attributes:
        label: Whether they entail it, contradict it, or do neither.
        score: The probability that they entail it; `None` if an LLM judged.
        passage: The words that decided, or that are closest; `None` if the references are empty.
        span: Where these words are.
        spans: All places, if several together decided.
        figure: A figure of the sentence that does not occur in them.
        differing_words: The words of the passage that differ from the sentence.
        reason: What weighed most, for people.
        because: The end of a message on the passage, if the reason alone decided.
        tokens: The tokens of an LLM.
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

    The engine scores the pairs of all sentences in one batch. A sentence with a figure that its
    references do not contain is not supported, whatever the engine says.
    """
    questions = [_question(claim, references, user_question) for claim in claims]
    if window_of_reader(nli) is not None:
        texts = [claim.hypothesis.text for claim in claims]
        questions = [
            replace(question, preceding=preceding(texts, at))
            for at, question in enumerate(questions)
        ]
        return [
            _with_figures(_support(entailment), claim.figures, question.references)
            for claim, question, entailment in zip(
                claims, questions, decide_entailment(questions, nli, ask, threshold), strict=True
            )
        ]
    questions = in_read_languages(questions, nli)
    check = partial(check_evidence_languages, questions)
    scores = iter(ask(nli, [pair for question in questions for pair in question.pairs], check))
    known, weights = _supports(references), str(getattr(nli, "evidence_weights", None))
    supports = []
    for claim, question in zip(claims, questions, strict=True):
        own = tuple(islice(scores, len(question.evidence.grains)))
        key = claim, own, threshold, weights
        support = known.get(key)
        if support is None:
            support = _decide(claim, question, nli, own, threshold)
            known.put(key, support)
        supports.append(support)
    return supports


def _decide(
    claim: CitedClaim,
    question: EntailmentQuestion,
    nli: NLIScorer,
    scores: Sequence[NLIScores],
    threshold: float,
) -> Support:
    [entailment] = decide_entailment([question], nli, lambda *_: list(scores), threshold)
    return _with_figures(_support(entailment), claim.figures, question.references)


#: An answer is validated in several rounds, in which the evidence of its sentences and what it says
#: of them are the same: the evidence by sentence and references, and the result by the scores, too.
_evidence: Final = PerReferences[BoundedCache[tuple[str, tuple[str, ...], bool], Evidence]](
    lambda _: BoundedCache(_REMEMBERED)
)
_supports: Final = PerReferences[BoundedCache[Hashable, Support]](
    lambda _: BoundedCache(_REMEMBERED)
)


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
    known, text = _evidence(references), claim.hypothesis.text
    key = text, claim.ids, claim.brief
    evidence = known.get(key)
    if evidence is None:
        evidence = _closest_sentence(cited, text) if claim.brief else select_evidence(cited, text)
        known.put(key, evidence)
    return EntailmentQuestion(claim.hypothesis, evidence, user_question, cited)


def _closest_sentence(references: References, text: str) -> Evidence:
    """Return the sentence that is most similar to a text as the only evidence."""
    evidence = select_evidence(references, text, 1)
    if not evidence.sentences:
        return Evidence((), None, evidence.passage)
    return Evidence(evidence.sentences, None, evidence.sentences[0])


def _support(entailment: Entailment) -> Support:
    return Support(
        entailment.label,
        entailment.scores.entailment,
        entailment.passage,
        entailment.span,
        entailment.spans,
        differing_words=entailment.differing_words,
        reason=entailment.difference,
        because=entailment.because,
    )


def _with_figures(support: Support, figures: Sequence[Figure], cited: References) -> Support:
    """Return the result with the first figure that none of the references has."""
    if support.label is Label.CONTRADICTION or not figures:
        return support
    # Each reference has an index of its own, which sentences that cite it with others share.
    alone = [select_references(cited, [id_]) for id_ in cited.ids]
    for figure in figures:
        if not any(supporting_span(figure, reference) for reference in alone):
            return replace(support, label=Label.NEUTRAL, score=0.0, figure=figure)
    return support
