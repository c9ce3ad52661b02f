"""What references say of one sentence, and the merge rule for engines without evidence weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from groundtypes.references import Span
from groundtypes.scoring import THRESHOLD, Label, NLIScores

#: The sentences of a composed premise are chosen for sharing words with the statement, which
#: inflates entailment, so its odds are divided by this. Chosen on the tuning sets.
_COMPOSED_ODDS: Final = 2.2


def label_of(scores: NLIScores, threshold: float) -> Label:
    """Return the label of a sentence with these scores."""
    if scores.entailment >= threshold:
        return Label.ENTAILMENT
    if scores.contradiction > max(scores.neutral, scores.entailment):
        return Label.CONTRADICTION
    return Label.NEUTRAL


class MergedLabel(NamedTuple):
    """The label that several premises give together, and the position of the one that decides."""

    label: Label
    deciding: int | None


def merge_scores(
    scores: Sequence[NLIScores], threshold: float = THRESHOLD, closest: int | None = None
) -> MergedLabel:
    """Return the label that premises with these scores give together.

    It is entailment if any premise entails, else contradiction if any contradicts, else neutral:
    the rule of RefChecker (arXiv:2405.14486). A premise entails if the probability of entailment is
    at least `threshold`; it contradicts if contradiction is its most probable label. No premise
    entails if the closest sentence contradicts more strongly than any entails; `closest` is its
    position. Without premises the label is neutral.
    """
    if not scores:
        return MergedLabel(Label.NEUTRAL, None)
    positions = range(len(scores))
    best = max(positions, key=lambda position: scores[position].entailment)
    worst = max(positions, key=lambda position: scores[position].contradiction)
    overruled = (
        closest is not None
        and scores[closest].label is Label.CONTRADICTION
        and scores[closest].contradiction > scores[best].entailment
    )
    if scores[best].entailment >= threshold and not overruled:
        return MergedLabel(Label.ENTAILMENT, best)
    if scores[worst].label is Label.CONTRADICTION:
        return MergedLabel(Label.CONTRADICTION, worst)
    return MergedLabel(Label.NEUTRAL, best)


def scores_of_composed(scores: NLIScores) -> NLIScores:
    """Return the scores of a composed premise, comparable with those of others."""
    neutral = _COMPOSED_ODDS * scores.neutral
    contradiction = _COMPOSED_ODDS * scores.contradiction
    total = scores.entailment + neutral + contradiction
    return NLIScores(scores.entailment / total, neutral / total, contradiction / total)


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether references entail one sentence of a text, contradict it, or do neither.

    Attributes:
        text: The sentence.
        label: What the references say of it.
        scores: The probabilities, of all evidence together.
        passage: The sentences or the passage that decided, or that are closest.
        span: Where they are; of several, the one that shares most words with the sentence.
        conflict: Where another sentence contradicts what this passage entails.
        spans: Where all sentences are, if several decided together.
        difference: What differs most between the passage and the sentence, in plain English, if
            they are not found to say the same.
        differing_words: The words of the passage that differ.
        is_ruled: Whether that difference decided, whatever the scores were.
        engine: The class of the engine that decided, where a cascade of engines did.
        unsupported: The words of the sentence that are not supported, of an engine that says so.
        merged_score: What the merge rule makes of several premises, for an engine that has it.
    """

    text: str
    label: Label
    scores: NLIScores
    passage: str | None = None
    span: Span | None = None
    conflict: Span | None = None
    spans: tuple[Span, ...] = ()
    difference: str | None = None
    differing_words: tuple[str, ...] = ()
    is_ruled: bool = False
    engine: str | None = None
    unsupported: tuple[str, ...] = ()
    merged_score: float | None = None

    @property
    def score(self) -> float:
        """The highest threshold at which the sentence is entailed."""
        return self.scores.entailment if self.merged_score is None else self.merged_score

    @property
    def because(self) -> str:
        """The difference as the end of a message on the passage, if it alone decided; else `""`."""
        return f"; {self.difference}" if self.is_ruled else ""
