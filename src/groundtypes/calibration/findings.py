"""What labelled rows say of an engine, as plain values."""

from dataclasses import dataclass

from groundtypes.backends.operating_point import Calibration
from groundtypes.calibration.disagreements import Example
from groundtypes.calibration.labelled_rows import RowCounts
from groundtypes.calibration.reliability import Bin
from groundtypes.calibration.thresholds import Counts, Expectation, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A calibration, and how it was found.

    `chosen` and `usual` count what the calibrated threshold and the usual one, 0.5, accept of the
    labelled rows. `expected` is what to expect of new rows. `points` are all thresholds that
    differ in what they accept, the highest first. `bins` compare scores with shares of supported
    texts, `mapped_bins` do so for the mapped scores; `error` and `mapped_error` are the expected
    calibration errors. The examples are texts on which engine and people disagree.
    """

    calibration: Calibration
    chosen: Counts
    usual: Counts
    expected: Expectation
    points: tuple[Point, ...]
    roc_auc: float
    bins: tuple[Bin, ...]
    error: float
    mapped_bins: tuple[Bin, ...]
    mapped_error: float | None
    counts: RowCounts
    wrongly_accepted: tuple[Example, ...]
    wrongly_rejected: tuple[Example, ...]

    @property
    def threshold(self) -> float:
        """The threshold that was chosen."""
        return self.calibration.threshold
