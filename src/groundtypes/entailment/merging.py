"""The merge rule: one label from the scores of several premises, for engines without weights."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.scoring import THRESHOLD, Label, NLIScores

#: The sentences of a composed premise are chosen for sharing words with the statement, which
#: inflates entailment, so its odds are divided by this. Chosen on the tuning sets.
_COMPOSED_ODDS: Final = 2.2


class MergedLabel(NamedTuple):
    """The label that several premises give together, and the positions of those behind it.

    `deciding` is the premise whose scores decide, or `None` if there are none; `contradicting` is
    the one that contradicts most strongly, or `None` if none does.
    """

    label: Label
    deciding: int | None
    contradicting: int | None


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
        return MergedLabel(Label.NEUTRAL, None, None)
    positions = range(len(scores))
    best = max(positions, key=lambda position: scores[position].entailment)
    worst = max(positions, key=lambda position: scores[position].contradiction)
    contradicting = worst if scores[worst].label is Label.CONTRADICTION else None
    overruled = (
        closest is not None
        and scores[closest].label is Label.CONTRADICTION
        and scores[closest].contradiction > scores[best].entailment
    )
    if scores[best].entailment >= threshold and not overruled:
        other = contradicting if contradicting != best else None
        return MergedLabel(Label.ENTAILMENT, best, other)
    if contradicting is not None:
        return MergedLabel(Label.CONTRADICTION, contradicting, contradicting)
    return MergedLabel(Label.NEUTRAL, best, None)


def scores_of_composed(scores: NLIScores) -> NLIScores:
    """Return the scores of a composed premise, comparable with those of others."""
    neutral = _COMPOSED_ODDS * scores.neutral
    contradiction = _COMPOSED_ODDS * scores.contradiction
    total = scores.entailment + neutral + contradiction
    return NLIScores(scores.entailment / total, neutral / total, contradiction / total)
