"""The merge rule: one label from the scores of several passages."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.scoring import THRESHOLD, Label, NLIScores

__all__ = ["MergedLabel", "merge_scores", "scores_of_second_look"]

#: Sentences of a second look are chosen for sharing words with the claim, which inflates
#: entailment, so its odds are divided by this. Chosen on the tuning sets.
_SECOND_LOOK_ODDS: Final = 2.2


class MergedLabel(NamedTuple):
    """The label that several passages give together, and the positions of the passages behind it.

    `deciding` is the passage whose scores decide, or `None` if there are no passages;
    `contradicting` is the passage that contradicts most strongly, or `None` if none does.
    """

    label: Label
    deciding: int | None
    contradicting: int | None


def merge_scores(scores: Sequence[NLIScores], threshold: float = THRESHOLD) -> MergedLabel:
    """Return the label that the passages with these scores give together.

    It is entailment if any passage entails, else contradiction if any passage contradicts, else
    neutral: the rule of RefChecker (arXiv:2405.14486). A passage entails if the probability of
    entailment is at least `threshold`; it contradicts if contradiction is its most probable label.
    Without passages the label is neutral.
    """
    if not scores:
        return MergedLabel(Label.NEUTRAL, None, None)
    positions = range(len(scores))
    best = max(positions, key=lambda position: scores[position].entailment)
    worst = max(positions, key=lambda position: scores[position].contradiction)
    contradicting = worst if scores[worst].label is Label.CONTRADICTION else None
    if scores[best].entailment >= threshold:
        other = contradicting if contradicting != best else None
        return MergedLabel(Label.ENTAILMENT, best, other)
    if contradicting is not None:
        return MergedLabel(Label.CONTRADICTION, contradicting, contradicting)
    return MergedLabel(Label.NEUTRAL, best, None)


def scores_of_second_look(scores: NLIScores) -> NLIScores:
    """Return second-look scores made comparable with first-look scores."""
    neutral = _SECOND_LOOK_ODDS * scores.neutral
    contradiction = _SECOND_LOOK_ODDS * scores.contradiction
    total = scores.entailment + neutral + contradiction
    return NLIScores(scores.entailment / total, neutral / total, contradiction / total)
