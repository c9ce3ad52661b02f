"""Whether references entail a text: sentences against the few passages that may decide them.

The pairs are put together here and the scores are merged here; who asks the engine, and when, is
the caller's: a check asks through its ledger, the plain function at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundtypes.evidence.premises import (
    ComposedPremise,
    composed_premise,
    question_premise,
    select_premises,
)
from groundtypes.judges import default_nli
from groundtypes.ledger import Ledger
from groundtypes.references import References, Span
from groundtypes.scoring import Label, NLIScorer, NLIScores, Pair
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = [
    "THRESHOLD",
    "Entailment",
    "Inquiry",
    "Passage",
    "entail",
    "entailments",
    "inquire",
    "merge",
    "statements",
]

#: From which probability on a passage entails or contradicts.
THRESHOLD: Final = 0.5
#: Sentences that were picked for it have most words of a claim, true or not: their odds to entail
#: are divided by so much. Chosen on the sets to tune on.
_SURER: Final = 2.2
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
    `spans` are the places of all sentences of a passage that was composed from several.
    """

    text: str
    label: Label
    scores: NLIScores
    passage: str | None = None
    span: Span | None = None
    conflict: Span | None = None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A sentence and the passages against which it is judged."""

    hypothesis: Hypothesis
    passages: tuple[Passage, ...]
    question: str | None
    references: References

    @property
    def pairs(self) -> list[Pair]:
        """What the engine is asked first: one pair for each passage."""
        return [self._pair(passage.text) for passage in self.passages]

    def _pair(self, premise: str) -> Pair:
        # The question stands in front where the sentence says too little alone, as "11 years."
        # does. In front of every passage it misleads a model that was trained without questions.
        short = len(content_terms(self.hypothesis.text)) < _TELLING
        return Pair(
            question_premise(self.question if short else None, premise), self.hypothesis.text
        )

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

    def closer(self) -> "_Closer | None":
        """Return the second look: at the sentences that have most of the words, and no others."""
        composed = composed_premise(self.references, self.hypothesis.text)
        if composed is None or any(
            " ".join(passage.text.split()) == composed.text for passage in self.passages
        ):
            return None
        return _Closer(self.hypothesis.text, composed, self._pair(composed.text))


@dataclass(frozen=True, slots=True)
class _Closer:
    """A sentence and what was picked from the references for it."""

    text: str
    composed: ComposedPremise
    pair: Pair

    def settle(self, scores: NLIScores, threshold: float) -> Entailment | None:
        """Return the entailment, if there is one."""
        scores = _less_sure(scores)
        if scores.entailment < threshold:
            return None
        wanted = content_terms(self.text)
        telling = max(self.composed.parts, key=lambda part: len(wanted & content_terms(part.text)))
        return Entailment(
            self.text,
            Label.ENTAILMENT,
            scores,
            self.composed.text,
            telling.span,
            spans=self.composed.spans,
        )


def entailments(
    inquiries: Sequence[Inquiry],
    ask: Callable[[Sequence[Pair]], Sequence[NLIScores]],
    threshold: float = THRESHOLD,
) -> list[Entailment]:
    """Return what the engine says of each inquiry, all of which are asked together.

    What is neutral is asked once more, against the few sentences of the references that together
    have most of its words, without what stands around them: a small model overlooks a sentence
    among others, and an answer may merge what stands in several places.
    """
    scores = iter(ask([pair for one in inquiries for pair in one.pairs]))
    found = [one.settle(list(islice(scores, len(one.passages))), threshold) for one in inquiries]
    closer = {
        number: look
        for number, one in enumerate(inquiries)
        if found[number].label is Label.NEUTRAL and (look := one.closer()) is not None
    }
    if closer:
        again = ask([look.pair for look in closer.values()])
        for (number, look), said in zip(closer.items(), again, strict=True):
            found[number] = look.settle(said, threshold) or found[number]
    return found


def _less_sure(scores: NLIScores) -> NLIScores:
    """Return the scores of sentences that were picked for having the words of what is judged."""
    neutral, contradiction = _SURER * scores.neutral, _SURER * scores.contradiction
    total = scores.entailment + neutral + contradiction
    return NLIScores(scores.entailment / total, neutral / total, contradiction / total)


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
            references,
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
    engine = default_nli() if nli is None else nli
    return entailments(inquiries, lambda pairs: ledger.settled(engine, pairs), threshold)
