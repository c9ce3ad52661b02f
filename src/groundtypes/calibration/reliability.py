"""Reliability: whether scores are the probabilities that they claim to be, and Platt's mapping.

The mapping is a logistic regression of the labels on the log odds of the scores, with Platt's
targets (Platt, 1999; Newton's method as in Lin, Lin and Weng, 2007). It is monotone, so that it
changes no order.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.backends.operating_point import LogisticMapping, log_odds
from groundtypes.calibration.scored_rows import ScoredRow

_BINS: Final = 10
#: Scores are rounded before the fit, so that its time depends on few numbers of rows.
_DECIMALS: Final = 4
_MAX_STEPS: Final = 100
_PRECISION: Final = 1e-10
#: Added to the diagonal of the Hessian, so that it can be inverted.
_RIDGE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose scores lie between two tenths; `mean` is their mean score."""

    low: float
    high: float
    rows: int
    mean: float
    supported: float


def bins_of(scores: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Return the ten bins of equal width that hold rows, given scores with their labels."""
    numbers: dict[int, list[tuple[float, bool]]] = {}
    for score, supported in scores:
        numbers.setdefault(min(int(score * _BINS), _BINS - 1), []).append((score, supported))
    return [
        Bin(
            number / _BINS,
            (number + 1) / _BINS,
            len(rows),
            math.fsum(score for score, _ in rows) / len(rows),
            sum(supported for _, supported in rows) / len(rows),
        )
        for number, rows in sorted(numbers.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean distance of score and share, over rows."""
    rows = sum(each.rows for each in bins)
    return math.fsum(each.rows * abs(each.mean - each.supported) for each in bins) / rows


def fit_mapping(rows: Iterable[ScoredRow]) -> LogisticMapping | None:
    """Return the mapping that fits the rows best; `None` if scores do not rise with labels."""
    groups = Counter((round(row.score, _DECIMALS), row.supported) for row in rows)
    counts = [sum(n for (_, label), n in groups.items() if label is kind) for kind in (True, False)]
    # Platt's targets: labels a little less certain than 1 and 0 keep the slope finite.
    targets = {True: (counts[0] + 1) / (counts[0] + 2), False: 1 / (counts[1] + 2)}
    data = [
        (log_odds(score), targets[supported], number)
        for (score, supported), number in groups.items()
    ]
    slope, intercept = 0.0, math.log((counts[0] + 1) / (counts[1] + 1))
    loss = _loss(data, slope, intercept)
    for _ in range(_MAX_STEPS):
        step_slope, step_intercept, decrease = _newton_step(data, slope, intercept)
        size = 1.0
        while size > _PRECISION:
            new_slope, new_intercept = slope + size * step_slope, intercept + size * step_intercept
            new_loss = _loss(data, new_slope, new_intercept)
            if new_loss <= loss - 1e-4 * size * decrease:
                break
            size /= 2
        else:
            break
        slope, intercept = new_slope, new_intercept
        gained, loss = loss - new_loss, new_loss
        if gained < _PRECISION * max(loss, 1.0):
            break
    return LogisticMapping(slope, intercept) if slope > 0.0 and math.isfinite(slope) else None


def cross_fit_mapping(parts: Sequence[Sequence[ScoredRow]]) -> list[tuple[float, bool]] | None:
    """Return the probability of each row by the mapping of the other parts, with its label.

    `None` if some parts have no mapping.
    """
    mapped = []
    for number, part in enumerate(parts):
        mapping = fit_mapping(
            row for other in (*parts[:number], *parts[number + 1 :]) for row in other
        )
        if mapping is None:
            return None
        mapped += [(mapping(row.score), row.supported) for row in part]
    return mapped


def _newton_step(
    data: Sequence[tuple[float, float, int]], slope: float, intercept: float
) -> tuple[float, float, float]:
    """Return the step of slope and intercept, and by how much it lowers the loss at first."""
    first = [0.0, 0.0]
    second = [_RIDGE, 0.0, _RIDGE]
    for x, target, number in data:
        probability = _logistic(slope * x + intercept)
        difference = number * (probability - target)
        weight = number * probability * (1.0 - probability)
        first[0] += difference * x
        first[1] += difference
        second[0] += weight * x * x
        second[1] += weight * x
        second[2] += weight
    determinant = second[0] * second[2] - second[1] ** 2
    step_slope = -(second[2] * first[0] - second[1] * first[1]) / determinant
    step_intercept = -(second[0] * first[1] - second[1] * first[0]) / determinant
    return step_slope, step_intercept, -(first[0] * step_slope + first[1] * step_intercept)


def _loss(data: Sequence[tuple[float, float, int]], slope: float, intercept: float) -> float:
    """Return the cross entropy, computed so that no exponential overflows."""
    losses = []
    for x, target, number in data:
        value = slope * x + intercept
        softplus = max(value, 0.0) + math.log1p(math.exp(-abs(value)))
        losses.append(number * (softplus - target * value))
    return math.fsum(losses)


def _logistic(value: float) -> float:
    if value >= 0.0:
        return 1.0 / (1.0 + math.exp(-value))
    exponential = math.exp(value)
    return exponential / (1.0 + exponential)
