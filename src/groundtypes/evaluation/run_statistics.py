"""Statistics of evaluation runs: means with intervals, and two runs compared row by row.

Intervals are bootstrap percentiles (Efron and Tibshirani, 1993). The generator is seeded, so that
the same rows give the same numbers. From 2,000 values on the normal distribution is used, which by
then gives the same intervals.
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any, Final, Protocol

_RESAMPLES: Final = 1_000
#: The lowest number of values for which the normal distribution replaces the bootstrap.
_NORMAL_FROM: Final = 2_000

#: The numbers of one evaluation by their names: `Evaluation.metrics`, the same from a file, or the
#: shares of labels in `Audit.shares`.
Metrics = Mapping[Any, float | None]


class HasMetrics(Protocol):
    """An evaluation of one answer, such as `Evaluation`."""

    @property
    def metrics(self) -> Metrics:
        """The numbers by their names; `None` if there is nothing to score."""
        ...


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The mean of a metric over the rows that have it, and the interval of the mean."""

    mean: float
    low: float
    high: float
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much larger a metric is in a run than in its baseline.

    Rows count that have the metric in both. `low` and `high` are the interval of the mean
    difference; `larger`, `smaller` and `same` count the rows in which the metric is larger than in
    the baseline, smaller or equal.
    """

    mean: float
    low: float
    high: float
    rows: int
    larger: int
    smaller: int
    same: int

    @property
    def clear(self) -> bool:
        """Whether zero is outside the interval."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        # Larger is not better for every metric, but files have these keys.
        keys = {"larger": "better", "smaller": "worse"}
        data = {keys.get(name, name): value for name, value in asdict(self).items()}
        return {**data, "clear": self.clear}


def aggregate(
    evaluations: Iterable[HasMetrics | Metrics], *, level: float = 0.95, seed: int = 0
) -> dict[str, Aggregate]:
    """Return the mean and its interval for each metric that any row has.

    The shares of labels are averaged over answers, each counting once (RefChecker's macro
    average), not over statements.

    Raises:
        ValueError: `level` is not between 0 and 1.
    """
    columns: dict[str, list[float]] = {}
    for evaluation in evaluations:
        for name, value in _metrics(evaluation).items():
            if value is not None:
                columns.setdefault(name, []).append(value)
    return {
        name: Aggregate(fmean(values), *_interval(values, level, seed), len(values))
        for name, values in columns.items()
    }


def compare(
    baseline: Sequence[HasMetrics | Metrics],
    run: Sequence[HasMetrics | Metrics],
    *,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Difference]:
    """Return for each metric how a run differs from its baseline, compared row by row.

    The runs have the same rows in the same order; a row counts if both runs have the metric. A
    difference is the run minus the baseline. Differences are paired: a row that is hard in both
    runs does not widen the interval.

    Raises:
        ValueError: The runs do not have the same number of rows, or `level` is not between 0 and
            1.
    """
    if len(baseline) != len(run):
        raise ValueError(
            f"the runs must have the same number of rows, not {len(baseline)} and {len(run)}"
        )
    columns: dict[str, list[float]] = {}
    for baseline_row, row in zip(baseline, run, strict=True):
        metrics = _metrics(row)
        for name, before in _metrics(baseline_row).items():
            after = metrics.get(name)
            if before is not None and after is not None:
                columns.setdefault(name, []).append(after - before)
    return {
        name: Difference(
            fmean(values),
            *_interval(values, level, seed),
            len(values),
            sum(value > 0 for value in values),
            sum(value < 0 for value in values),
            sum(value == 0 for value in values),
        )
        for name, values in columns.items()
    }


def _metrics(evaluation: HasMetrics | Metrics) -> Metrics:
    return evaluation if isinstance(evaluation, Mapping) else evaluation.metrics


def _interval(values: Sequence[float], level: float, seed: int) -> tuple[float, float]:
    """Return the interval of the mean."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"level={level} is not between 0 and 1")
    mean = fmean(values)
    if len(set(values)) == 1:
        return mean, mean
    if len(values) >= _NORMAL_FROM:
        quantile = NormalDist().inv_cdf((1 + level) / 2)
        half_width = quantile * stdev(values) / math.sqrt(len(values))
        return mean - half_width, mean + half_width
    generator = random.Random(seed)
    means = sorted(fmean(generator.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    tail = (1 - level) / 2 * _RESAMPLES
    return means[math.floor(tail)], means[min(math.ceil(_RESAMPLES - tail), _RESAMPLES) - 1]
