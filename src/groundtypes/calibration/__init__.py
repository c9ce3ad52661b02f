"""Operating points: the threshold of an NLI engine, fitted to texts that people have labelled.

1. `labelled_rows` reads the rows: of a file, or as a report's review mode saves them.
2. `scored_rows` has the engine score each text against its references.
3. `thresholds` finds what each threshold accepts, the best one for a goal, and by cross-fitting
   what to expect of it; `reliability` compares scores with shares and fits Platt's mapping.
4. `calibrate` does all of it and returns a `CalibrationResult` (`findings`), with the texts on
   which engine and people disagree (`disagreements`); `calibration_page` shows it as HTML, with
   `charts`.
"""

from groundtypes.calibration.calibrate import acalibrate, calibrate
from groundtypes.calibration.labelled_rows import LabelColumns
from groundtypes.calibration.result import CalibrationResult

__all__ = ["CalibrationResult", "LabelColumns", "acalibrate", "calibrate"]
