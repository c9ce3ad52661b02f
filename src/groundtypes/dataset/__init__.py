"""Data sets: rows in, clean and rejected rows out."""

from groundtypes.dataset.audited import audited_rows
from groundtypes.dataset.files import check_outputs, replace_file
from groundtypes.dataset.job import Job, Outcome, Watcher
from groundtypes.dataset.rows import Keys
from groundtypes.dataset.tally import Tally

__all__ = [
    "Job",
    "Keys",
    "Outcome",
    "Tally",
    "Watcher",
    "audited_rows",
    "check_outputs",
    "replace_file",
]
