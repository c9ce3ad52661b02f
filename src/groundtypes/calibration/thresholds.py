"""Thresholds: what each would accept, which one meets a goal, what to expect; and reliability.

What the chosen threshold reaches on the rows that it was chosen by is better than on new rows.
Precision and recall are therefore estimated by cross-fitting: the rows are divided into ten parts,
the threshold is chosen without each part in turn, and judges that part. Rows with the same
references stay in one part. Intervals are Wilson's (1927).
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from statistics import NormalDist
from typing import Final

from groundtypes.backends.operating_point import Estimate
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.errors import CalibrationError, ContextError

#: In how many parts rows are divided for cross-fitting.
_PARTS: Final = 10
_LEVEL: Final = 0.95
#: How many bins compare scores with shares of supported texts.
_BINS: Final = 10
#: The balanced accuracy of accepting all texts.
_CHANCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Counts:
    """How many texts a threshold accepts and rejects, rightly and wrongly."""

    accepted_supported: int = 0
    accepted_unsupported: int = 0
    rejected_supported: int = 0
    rejected_unsupported: int = 0

    @property
    def precision(self) -> float:
        """The share of the accepted texts that are supported; 0 if none is accepted."""
        return _share(self.accepted_supported, self.accepted_supported + self.accepted_unsupported)

    @property
    def recall(self) -> float:
        """The share of the supported texts that are accepted."""
        return _share(self.accepted_supported, self.accepted_supported + self.rejected_supported)

    @property
    def rejection(self) -> float:
        """The share of the unsupported texts that are rejected."""
        return _share(
            self.rejected_unsupported, self.accepted_unsupported + self.rejected_unsupported
        )

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares of both kinds that are judged right."""
        return (self.recall + self.rejection) / 2

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.accepted_supported + other.accepted_supported,
            self.accepted_unsupported + other.accepted_unsupported,
            self.rejected_supported + other.rejected_supported,
            self.rejected_unsupported + other.rejected_unsupported,
        )


@dataclass(frozen=True, slots=True)
class Point:
    """A threshold, and what it accepts."""

    threshold: float
    counts: Counts


@dataclass(frozen=True, slots=True)
class Goal:
    """By what a threshold is chosen: a lowest precision, a lowest recall, or balanced accuracy.

    Raises:
        ContextError: Both are given, or one is not greater than 0 and at most 1.
    """

    precision: float | None = None
    recall: float | None = None

    def __post_init__(self) -> None:
        if self.precision is not None and self.recall is not None:
            raise ContextError("Name `precision` or `recall`, not both.")
        for name in ("precision", "recall"):
            share = getattr(self, name)
            if share is not None and not 0.0 < share <= 1.0:
                raise ContextError(f"`{name}` is {share!r}; it is greater than 0 and at most 1.")

    def __str__(self) -> str:
        if self.precision is not None:
            return f"precision of at least {self.precision:g}"
        if self.recall is not None:
            return f"recall of at least {self.recall:g}"
        return "balanced accuracy"

    def choose(self, points: Sequence[Point]) -> Point:
        """Return the best point that meets the goal; of equal ones, that with most rejected.

        Raises:
            CalibrationError: No point meets it; without a lowest precision or recall, none is
                better than chance.
        """
        best = self.best(points)
        if self == Goal() and best.counts.balanced_accuracy <= _CHANCE:
            raise CalibrationError(
                "No threshold tells supported from unsupported texts on these rows: the engine's "
                "scores do not rise with the labels. Check that no labels are exchanged, or take "
                "another engine."
            )
        if not self._is_met(best):
            share = best.counts.recall if self.precision is None else best.counts.precision
            raise CalibrationError(
                f"No threshold reaches a {self} on these rows. The best is {share:.3f}, at the "
                f"threshold {best.threshold:.3f}."
            )
        return best

    def best(self, points: Sequence[Point]) -> Point:
        """Return the best point that meets the goal or, if none does, that comes closest."""
        if self == Goal():
            return max(points, key=lambda point: point.counts.balanced_accuracy)
        bounded, free = (
            ("recall", "precision") if self.precision is None else ("precision", "recall")
        )
        met = [point for point in points if self._is_met(point)]
        best = attrgetter(f"counts.{free if met else bounded}")
        return max(met or points, key=best)

    def _is_met(self, point: Point) -> bool:
        return point.counts.precision >= (self.precision or 0.0) and point.counts.recall >= (
            self.recall or 0.0
        )


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose scores lie between two tenths; `mean` is their mean score."""

    low: float
    high: float
    rows: int
    mean: float
    supported: float


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of new rows, and between which thresholds the parts' choices lie."""

    counts: Counts
    precision: Estimate
    recall: Estimate
    lowest: float
    highest: float


def points_of(rows: Iterable[ScoredRow]) -> list[Point]:
    """Return a point for each set of rows that some threshold accepts, the highest one first.

    A threshold lies in the middle between two neighbouring scores. Texts with the score 0 are
    accepted by none.
    """
    ranked = sorted(rows, key=attrgetter("score"), reverse=True)
    supported = sum(row.supported for row in ranked)
    unsupported = len(ranked) - supported
    groups = [
        (score, [row.supported for row in equal])
        for score, equal in groupby(ranked, key=attrgetter("score"))
        if score > 0.0
    ]
    if not groups:
        raise CalibrationError("The engine gives every text the score 0.")
    points = []
    right = wrong = 0
    for number, (score, labels) in enumerate(groups):
        right += sum(labels)
        wrong += len(labels) - sum(labels)
        below = groups[number + 1][0] if number + 1 < len(groups) else 0.0
        middle = (score + below) / 2
        threshold = middle if below < middle <= score else score
        points.append(
            Point(threshold, Counts(right, wrong, supported - right, unsupported - wrong))
        )
    return points


def counts_at(rows: Iterable[ScoredRow], threshold: float) -> Counts:
    """Return what a threshold accepts."""
    numbers = [0, 0, 0, 0]
    for row in rows:
        numbers[2 * (row.score < threshold) + (not row.supported)] += 1
    return Counts(*numbers)


def parts_of(rows: Sequence[ScoredRow], seed: int) -> list[list[ScoredRow]]:
    """Return the rows in up to ten parts; rows of one group are in one part.

    Where that would leave a label out of all but one part, each row is a group of its own.
    """
    groups: dict[str, list[ScoredRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    parts = _dealt(list(groups.values()), seed)
    for label in (True, False):
        if sum(any(row.supported is label for row in part) for part in parts) < 2:
            return _dealt([[row] for row in rows], seed)
    return parts


def _dealt(groups: list[list[ScoredRow]], seed: int) -> list[list[ScoredRow]]:
    """Deal the groups in random order to parts, those of like shares of supported in turn."""
    random.Random(seed).shuffle(groups)
    groups.sort(key=lambda group: sum(row.supported for row in group) / len(group))
    parts: list[list[ScoredRow]] = [[] for _ in range(min(_PARTS, len(groups)))]
    for number, group in enumerate(groups):
        parts[number % len(parts)].extend(group)
    return parts


def cross_fit(parts: Sequence[Sequence[ScoredRow]], goal: Goal) -> Expectation:
    """Return what is expected of new rows: each part is judged by the threshold of the others."""
    total = Counts()
    thresholds = []
    for number, part in enumerate(parts):
        others = [row for other in (*parts[:number], *parts[number + 1 :]) for row in other]
        threshold = goal.best(points_of(others)).threshold
        thresholds.append(threshold)
        total += counts_at(part, threshold)
    return Expectation(
        total,
        wilson(total.accepted_supported, total.accepted_supported + total.accepted_unsupported),
        wilson(total.accepted_supported, total.accepted_supported + total.rejected_supported),
        min(thresholds),
        max(thresholds),
    )


def wilson(part: int, whole: int) -> Estimate:
    """Return a share and its 95 % interval by Wilson's score method; nothing says nothing."""
    if not whole:
        return Estimate(0.0, 0.0, 1.0)
    z = NormalDist().inv_cdf((1 + _LEVEL) / 2)
    share = part / whole
    middle = share + z * z / (2 * whole)
    width = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    scale = 1 + z * z / whole
    low, high = (middle - width) / scale, (middle + width) / scale
    # Rounding must not put the share itself outside.
    return Estimate(share, max(0.0, min(low, share)), min(1.0, max(high, share)))


def roc_auc(points: Sequence[Point]) -> float:
    """Return the area under the ROC curve: how often a supported text has the higher score.

    Equal scores count half.
    """
    area = 0.0
    recall = fallout = 0.0
    for point in points:
        new_recall, new_fallout = point.counts.recall, 1.0 - point.counts.rejection
        area += (new_fallout - fallout) * (new_recall + recall) / 2
        recall, fallout = new_recall, new_fallout
    return area + (1.0 - fallout) * (1.0 + recall) / 2


def bins_of(rows: Iterable[ScoredRow]) -> list[Bin]:
    """Return the ten bins of equal width, as far as they hold rows."""
    bins: dict[int, list[ScoredRow]] = {}
    for row in rows:
        bins.setdefault(min(int(row.score * _BINS), _BINS - 1), []).append(row)
    return [
        Bin(
            number / _BINS,
            (number + 1) / _BINS,
            len(rows),
            math.fsum(row.score for row in rows) / len(rows),
            sum(row.supported for row in rows) / len(rows),
        )
        for number, rows in sorted(bins.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean distance of score and share, over rows."""
    rows = sum(each.rows for each in bins)
    return math.fsum(each.rows * abs(each.mean - each.supported) for each in bins) / rows


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
