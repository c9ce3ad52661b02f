"""Whether references entail a text: sentences against the few passages that may decide them.

The pairs are put together here and the scores are merged here; who asks the engine, and when, is
the caller's: a check asks through its ledger, the plain function at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundtypes.ledger import Ledger
from groundtypes.premises import question_premise, select_premises
from groundtypes.references import References, Span
from groundtypes.scoring import Label, NLIScorer, NLIScores, Pair, bundled_nli
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = [
    "THRESHOLD",
    "Entailment",
    "Inquiry",
    "Passage",
    "entail",
    "inquire",
    "merge",
    "statements",
]

#: From which probability on a passage entails or contradicts.
THRESHOLD: Final = 0.5
#: So many passages are scored for each sentence.
_PASSAGES: Final = 5
#: A sentence of fewer telling words may be an answer that needs its question.
_TELLING: Final = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that may support a sentence, and where they stand."""

    text: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Entailment:
    """How references bear on a text, or on one of its sentences.

    `label` follows the merge rule, `scores` are those of the passage that decided, and `span` is
    where that passage stands. `conflict` says that another passage contradicts what one entails.
    """

    text: str
    label: Label
    scores: NLIScores
    passage: str | None = None
    span: Span | None = None
    conflict: Span | None = None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A sentence and the passages against which it is judged."""

    hypothesis: Hypothesis
    passages: tuple[Passage, ...]
    question: str | None = None

    @property
    def pairs(self) -> list[Pair]:
        """What the engine is asked: one pair for each passage.

        The question stands in front of the passage where the sentence says too little alone, as
        "11 years." does. In front of every passage it misleads a model that was trained without
        questions.
        """
        short = len(content_terms(self.hypothesis.text)) < _TELLING
        question = self.question if short else None
        return [
            Pair(question_premise(question, passage.text), self.hypothesis.text)
            for passage in self.passages
        ]

    def settle(self, scores: Sequence[NLIScores], threshold: float = THRESHOLD) -> Entailment:
        """Return what the scores of the pairs, in their order, come to."""
        label, decisive, against = merge(scores, threshold)
        if decisive is None:
            nothing = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
            return Entailment(self.hypothesis.text, Label.NEUTRAL, nothing)
        passage = self.passages[decisive]
        conflict = None if against is None else self.passages[against].span
        return Entailment(
            self.hypothesis.text,
            label,
            scores[decisive],
            passage.text,
            passage.span,
            conflict if label is Label.ENTAILMENT else None,
        )


def merge(
    scores: Sequence[NLIScores], threshold: float = THRESHOLD
) -> tuple[Label, int | None, int | None]:
    """Return what passages come to together, the one that decided, and one that contradicts.

    Any that entails makes it entailment, else any that contradicts a contradiction, else it is
    neutral: the rule of RefChecker (arXiv:2405.14486). A passage entails from `threshold` on, and
    contradicts where contradiction is its label. Without passages it is neutral.
    """
    if not scores:
        return Label.NEUTRAL, None, None
    numbers = range(len(scores))
    best = max(numbers, key=lambda at: scores[at].entailment)
    worst = max(numbers, key=lambda at: scores[at].contradiction)
    against = worst if scores[worst].label is Label.CONTRADICTION else None
    if scores[best].entailment >= threshold:
        return Label.ENTAILMENT, best, against if against != best else None
    if against is not None:
        return Label.CONTRADICTION, against, against
    return Label.NEUTRAL, best, None


def statements(text: str) -> list[Hypothesis]:
    """Return the sentences of a text that claim something.

    A text of which no piece claims anything is one sentence as a whole; one without any letter or
    digit is none.
    """
    claims = [hypothesis for hypothesis in hypotheses(text) if hypothesis.claims]
    if not claims and any(character.isalnum() for character in text):
        return [Hypothesis(" ".join(text.split()), 0, len(text))]
    return claims


def inquire(
    text: str | Sequence[Hypothesis],
    references: References,
    question: str | None = None,
    passages: int = _PASSAGES,
) -> list[Inquiry]:
    """Return what to ask about a text, or its `statements`: each of them, with passages."""
    return [
        Inquiry(
            hypothesis,
            tuple(
                Passage(premise.text, premise.span)
                for premise in select_premises(references, hypothesis.text, passages)
            ),
            question,
        )
        for hypothesis in (statements(text) if isinstance(text, str) else text)
    ]


def entail(
    premise: Any,
    hypothesis: str,
    *,
    question: str | None = None,
    nli: NLIScorer | None = None,
    threshold: float = THRESHOLD,
) -> list[Entailment]:
    """Return for each sentence of the hypothesis whether the premise entails it.

    The premise is references of any shape: a text, texts, a mapping, documents. `nli` is the
    engine, by default the bundled one. All sentences go out as one batch.

    >>> [found] = entail("The bridge opened in 1932.", "The bridge was opened in 1932.")
    >>> found.label
    <Label.ENTAILMENT: 'entailment'>

    Raises:
        Mistake: The premise is no references, or the engine is missing or fails.
    """
    ledger = Ledger()
    inquiries = inquire(hypothesis, References.of(premise), question)
    engine = bundled_nli() if nli is None else nli
    pairs = [pair for inquiry in inquiries for pair in inquiry.pairs]
    scores = iter(ledger.settled(engine, pairs))
    return [
        inquiry.settle(list(islice(scores, len(inquiry.passages))), threshold)
        for inquiry in inquiries
    ]
