"""Data sets: rows in; clean and rejected rows, or scores, out."""

from groundtypes.dataset.columns import Columns
from groundtypes.dataset.evaluating import EvaluationJob
from groundtypes.dataset.job import Job, Outcome, Watcher
from groundtypes.dataset.rows import Keys
from groundtypes.dataset.scores import EvaluationReport
from groundtypes.dataset.tally import Tally

__all__ = [
    "Columns",
    "EvaluationJob",
    "EvaluationReport",
    "Job",
    "Keys",
    "Outcome",
    "Tally",
    "Watcher",
]
