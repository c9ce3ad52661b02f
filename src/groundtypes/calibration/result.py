"""`CalibrationResult`: the calibration of an engine, and all that the labelled rows say of it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundtypes.calibration.calibration_page import render_page
from groundtypes.calibration.findings import Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult(Findings):
    """The findings on labelled rows, which can be saved and shown.

    `save` writes the calibration itself, which `Judges(calibration=...)` reads.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration and the figures as plain data that JSON can hold."""
        return {
            "calibration": self.calibration.to_dict(),
            "chosen": asdict(self.chosen),
            "usual": asdict(self.usual),
            "expected": asdict(self.expected),
            "roc_auc": self.roc_auc,
            "error": self.error,
            "mapped_error": self.mapped_error,
            "rows": asdict(self.counts),
        }

    def save(self, path: str | Path) -> None:
        """Write the calibration to a file that `Judges(calibration=...)` reads.

        Raises:
            CalibrationError: The file cannot be written.
        """
        self.calibration.save(path)

    def to_html(self, title: str = "Calibration") -> str:
        """Return a page with the ROC curve, the reliability, and a table of thresholds."""
        return render_page(self, title)
