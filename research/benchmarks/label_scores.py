"""How well guesses and scores agree with labels."""

from collections.abc import Sequence
from statistics import fmean

from groundtypes.scoring import NLIScores

__all__ = ["area_under_curve", "balanced_accuracy", "guessed_label", "is_correct"]


def balanced_accuracy(predicted: Sequence[bool], truth: Sequence[bool]) -> float:
    """Return the mean of the shares of true rows accepted and of false rows rejected."""
    true_positive_rate = fmean(
        guess for guess, actual in zip(predicted, truth, strict=True) if actual
    )
    true_negative_rate = fmean(
        not guess for guess, actual in zip(predicted, truth, strict=True) if not actual
    )
    return (true_positive_rate + true_negative_rate) / 2


def area_under_curve(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Return the area under the ROC curve, ties counted as half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end + 1) / 2
        start = end
    positives = sum(truth)
    negatives = len(truth) - positives
    return (
        sum(rank for rank, is_positive in zip(ranks, truth, strict=True) if is_positive)
        - positives * (positives + 1) / 2
    ) / (positives * negatives)


def guessed_label(score: NLIScores, *, two_labels: bool) -> str:
    """Return the label of a pair; with `two_labels` it is entailment or contradiction."""
    if two_labels:
        return "entailment" if score.entailment >= score.contradiction else "contradiction"
    return str(score.label)


def is_correct(guess: str, label: str) -> bool:
    """Whether a label was guessed; `not_entailment` is any label but entailment."""
    if label == "not_entailment":
        return guess != "entailment"
    return guess == label
