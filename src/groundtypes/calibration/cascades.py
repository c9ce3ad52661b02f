"""The band of a cascade of two engines, from labelled texts that both have judged."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.cascade import engine_of
from groundtypes.calibration.labelled_rows import LabelColumns, RowCounts, read_labelled_rows
from groundtypes.calibration.scored_rows import ScoredRow, score_rows
from groundtypes.calibration.thresholds import Counts, parts_of
from groundtypes.errors import CalibrationError, ContextError
from groundtypes.judges import Judges, nli_engine
from groundtypes.rounds.row_mistakes import OnMistake
from groundtypes.scoring import LLM, THRESHOLD, NLIScorer

#: The shares of texts that may be asked of the second engine, for which the best band is sought.
_SHARES: Final = tuple(number / 10 for number in range(11))
#: So many limits of a band are tried on each side of the threshold.
_LIMITS: Final = 40
#: A band is good enough if it is at most so much, or a standard error, below the best.
_TOLERATED: Final = 0.005
_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class _Pair:
    """What both engines say of a text: one row each."""

    first: ScoredRow
    then: ScoredRow


@dataclass(frozen=True, slots=True)
class CascadePoint:
    """A band, the share of texts that it asks the second engine, and how right the cascade is.

    `counts` are those of texts that had no part in the choice: each tenth of the texts is judged by
    the band that the others choose.
    """

    between: tuple[float, float]
    asked: float
    counts: Counts

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the share of right texts that pass and of wrong ones that are refused."""
        return self.counts.balanced_accuracy


@dataclass(frozen=True, slots=True)
class CascadeCurve:
    """How right a cascade is by the share of texts that its second engine is asked.

    Attributes:
        points: One for each share from none to all, by tenths.
        chosen: The point with the smallest share that is within half a point of the best, or within
            a standard error of it.
    """

    points: tuple[CascadePoint, ...]
    chosen: CascadePoint

    @property
    def between(self) -> tuple[float, float]:
        """The band for `Cascade(first, then, between=...)`."""
        return self.chosen.between

    def __str__(self) -> str:
        lines = ["asked   balanced  passed+refused  between"]
        for point in self.points:
            counts, (low, high) = point.counts, point.between
            lines.append(
                f"{point.asked:5.0%}   {point.balanced_accuracy:8.1%}  "
                f"{counts.recall:6.1%}+{counts.rejection:.1%}  {low:.3f} to {high:.3f}"
                f"{' *' if point is self.chosen else ''}"
            )
        return "\n".join(lines)


def calibrate_cascade(
    rows: str | Path | Iterable[Mapping[str, Any]],
    first: NLIScorer | str,
    then: NLIScorer | LLM | str,
    *,
    columns: LabelColumns | None = None,
    batch: int = _BATCH,
    seed: int = 0,
    on_mistake: OnMistake = "raise",
) -> CascadeCurve:
    """Return how right a cascade is by what it asks its second engine, and the band to take.

    Both engines judge every row. A text counts as asked if the lowest of its sentences' scores by
    the first engine lies in the band.

    Args:
        rows: As for `calibrate`.
        first: The engine that is asked about everything, or its name.
        then: The engine that is asked about what lies in the band, or its name; also an LLM.
        columns: The names of the columns, where they are others.
        batch: How many rows are sent to an engine together.
        seed: Another number divides the rows differently.
        on_mistake: What becomes of a row that an engine cannot judge; with "keep" it is left out.

    Raises:
        CalibrationError: A row is broken or has no references, or there are fewer than ten rows of
            a label.
        Mistake: An engine is missing or fails.
    """
    if batch < 1:
        raise ContextError(f"`batch` is {batch}; it is at least 1.")
    labelled = list(read_labelled_rows(rows, columns or LabelColumns(), RowCounts()))
    for row in labelled:
        if row.references is None:
            raise CalibrationError(
                f"Row {row.number} has no references, which both engines judge by: its score is "
                "of one engine."
            )
    judged = [
        [
            each
            for _, each in score_rows(
                labelled, _engine(nli), batch, on_mistake, as_cascades_see=is_first
            )
        ]
        for nli, is_first in ((first, True), (then, False))
    ]
    return curve_of(
        (
            (one, other)
            for one, other in zip(*judged, strict=True)
            if isinstance(one, ScoredRow) and isinstance(other, ScoredRow)
        ),
        seed,
    )


def curve_of(judged: Iterable[tuple[ScoredRow, ScoredRow]], seed: int = 0) -> CascadeCurve:
    """Return the curve for texts with the scores of both engines.

    Raises:
        CalibrationError: There are fewer than ten texts of a label.
    """
    pairs = [_Pair(first, then) for first, then in judged]
    for label in (True, False):
        if (count := sum(pair.first.supported is label for pair in pairs)) < 10:
            kind = "supported" if label else "unsupported"
            raise CalibrationError(f"There are {count} {kind} texts; a band needs at least 10.")
    parts = _parts(pairs, seed)
    points = tuple(_point(pairs, parts, share) for share in _SHARES)
    best = max(point.balanced_accuracy for point in points)
    chosen = next(point for point in points if _is_as_good(point.balanced_accuracy, best, pairs))
    return CascadeCurve(points, chosen)


def _engine(nli: NLIScorer | LLM | str) -> NLIScorer:
    # Engines that are named are shared within a process.
    return nli_engine(Judges(nli=nli if isinstance(nli, str) else engine_of(nli)))


def _is_as_good(accuracy: float, best: float, pairs: Sequence[_Pair]) -> bool:
    error = math.sqrt(accuracy * (1.0 - accuracy) / len(pairs))
    return best - accuracy <= max(_TOLERATED, error)


def _parts(pairs: Sequence[_Pair], seed: int) -> list[list[_Pair]]:
    """Return the pairs in parts; rows of one group are in one part."""
    numbered = dict(enumerate(pairs))
    # The score of a row stands for its number while rows are dealt.
    rows = [replace(pair.first, score=float(number)) for number, pair in numbered.items()]
    return [[numbered[int(row.score)] for row in part] for part in parts_of(rows, seed)]


def _point(pairs: Sequence[_Pair], parts: Sequence[Sequence[_Pair]], share: float) -> CascadePoint:
    everything = _Ranked(pairs)
    between = everything.best_band(share)
    total = Counts()
    for number, part in enumerate(parts):
        others = [pair for other in (*parts[:number], *parts[number + 1 :]) for pair in other]
        total += _Ranked(part).counts(_Ranked(others).best_band(share))
    return CascadePoint(between, everything.asked(between), total)


class _Ranked:
    """Pairs by the score of the first engine, and what each engine makes of those below a rank."""

    def __init__(self, pairs: Sequence[_Pair]) -> None:
        ranked = sorted(pairs, key=lambda pair: pair.first.score)
        self._scores = [pair.first.score for pair in ranked]
        self._first = _sums(pair.first for pair in ranked)
        self._then = _sums(pair.then for pair in ranked)

    def best_band(self, share: float) -> tuple[float, float]:
        """Return the best band that asks at most a share of the texts, the narrowest of equals."""
        if share >= 1.0:
            return 0.0, 1.0
        scores = [0.0, *dict.fromkeys(self._scores), 1.0]
        # In the middle between two scores, so that new texts of the same kind lie within, too.
        middles = [(one + other) / 2 for one, other in pairwise(scores)]
        bands = [
            (low, high)
            for low in [THRESHOLD, *_some([each for each in middles if each < THRESHOLD])]
            for high in [THRESHOLD, *_some([each for each in middles if each > THRESHOLD])]
            if self.asked((low, high)) <= share
        ]

        def rank(band: tuple[float, float]) -> tuple[float, float]:
            return self.counts(band).balanced_accuracy, -self.asked(band)

        # From the threshold to itself nothing is asked that does not lie on it.
        return max(bands, key=rank, default=(THRESHOLD, THRESHOLD))

    def asked(self, band: tuple[float, float]) -> float:
        """Return the share of the texts in a band."""
        start, end = self._within(band)
        return (end - start) / len(self._scores)

    def counts(self, band: tuple[float, float]) -> Counts:
        """Return what a cascade with a band accepts."""
        start, end = self._within(band)
        numbers = [
            every - (first_end - first_start) + (then_end - then_start)
            for every, first_start, first_end, then_start, then_end in zip(
                self._first[-1],
                self._first[start],
                self._first[end],
                self._then[start],
                self._then[end],
                strict=True,
            )
        ]
        return Counts(*numbers)

    def _within(self, band: tuple[float, float]) -> tuple[int, int]:
        low, high = band
        return bisect_left(self._scores, low), bisect_right(self._scores, high)


def _sums(rows: Iterable[ScoredRow]) -> list[tuple[int, ...]]:
    """Return what is accepted and rejected of the first rows, for each number of them."""
    sums: list[tuple[int, ...]] = [(0, 0, 0, 0)]
    for row in rows:
        at = 2 * (row.score < THRESHOLD) + (not row.supported)
        sums.append(tuple(count + (kind == at) for kind, count in enumerate(sums[-1])))
    return sums


def _some(limits: Sequence[float]) -> Sequence[float]:
    """Return some of many limits, evenly spread over their ranks."""
    return limits[:: max(1, len(limits) // _LIMITS)]
