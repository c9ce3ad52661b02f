"""`CalibrationResult`: a calibration, and what the labelled rows say of the engine."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundtypes.backends.operating_point import Calibration
from groundtypes.calibration.labelled_rows import RowCounts
from groundtypes.calibration.review_bands import ReviewBandResult
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.calibration.thresholds import Bin, Counts, Expectation, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult:
    """A calibration, and how it was found; `save` writes what `Judges(calibration=...)` reads.

    `chosen` and `usual` count what the calibrated threshold and the usual one, 0.5, accept of the
    labelled rows. `expected` is what to expect of new rows. `points` are all thresholds that
    differ in what they accept, the highest first: the ROC curve. `bins` compare scores with shares
    of supported texts; `error` is the expected calibration error. The examples are texts on which
    engine and people disagree. `review` is what was found where a `risk` was asked for.
    """

    calibration: Calibration
    chosen: Counts
    usual: Counts
    expected: Expectation
    points: tuple[Point, ...]
    roc_auc: float
    bins: tuple[Bin, ...]
    error: float
    counts: RowCounts
    wrongly_accepted: tuple[ScoredRow, ...]
    wrongly_rejected: tuple[ScoredRow, ...]
    review: ReviewBandResult | None = None

    @property
    def threshold(self) -> float:
        """The threshold that was chosen."""
        return self.calibration.threshold

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration and the figures as plain data that JSON can hold."""
        return {
            "calibration": self.calibration.to_dict(),
            "chosen": asdict(self.chosen),
            "usual": asdict(self.usual),
            "expected": asdict(self.expected),
            "roc_auc": self.roc_auc,
            "error": self.error,
            "bins": [asdict(each) for each in self.bins],
            "rows": asdict(self.counts),
            "review": None if self.review is None else asdict(self.review),
            "wrongly_accepted": [asdict(example) for example in self.wrongly_accepted],
            "wrongly_rejected": [asdict(example) for example in self.wrongly_rejected],
        }

    def save(self, path: str | Path) -> None:
        """Write the calibration to a file that `Judges(calibration=...)` reads.

        Raises:
            CalibrationError: The file cannot be written.
        """
        self.calibration.save(path)
