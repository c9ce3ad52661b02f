"""Operating points: the threshold of an NLI engine, fitted to texts that people have labelled.

`labelled_rows` reads the rows, `scored_rows` has the engine score them. `thresholds` finds the best
threshold for a goal, and by cross-fitting what to expect of it. `calibrate` does all of it and
returns a `result`. `review_bands` finds the scores at which a person should look. `cascades` finds
the band of two engines, of which the second is asked less.
"""

from groundtypes.calibration.calibrate import acalibrate, calibrate
from groundtypes.calibration.cascades import CascadeCurve, CascadePoint, calibrate_cascade
from groundtypes.calibration.labelled_rows import LabelColumns
from groundtypes.calibration.result import CalibrationResult
from groundtypes.calibration.review_bands import ReviewBandResult, SideOfBand

__all__ = [
    "CalibrationResult",
    "CascadeCurve",
    "CascadePoint",
    "LabelColumns",
    "ReviewBandResult",
    "SideOfBand",
    "acalibrate",
    "calibrate",
    "calibrate_cascade",
]
