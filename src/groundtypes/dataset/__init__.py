"""Data sets: rows in; clean and rejected rows, or scores, out."""

from groundtypes.dataset.audited import audited_rows
from groundtypes.dataset.columns import Columns
from groundtypes.dataset.evaluating import EvaluationJob
from groundtypes.dataset.files import check_outputs, replace_file
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
    "audited_rows",
    "check_outputs",
    "replace_file",
]
