"""Data sets: rows in; clean and rejected rows, scores, or the files that trainers read, out."""

from groundtypes.dataset.asking import Asking
from groundtypes.dataset.audited import audited_rows
from groundtypes.dataset.batches import CheckedBatch, check_batch
from groundtypes.dataset.build import BuiltDataset, build_dataset
from groundtypes.dataset.columns import Columns
from groundtypes.dataset.evaluating import EvaluationJob
from groundtypes.dataset.files import check_outputs, replace_file
from groundtypes.dataset.job import Job, Outcome, Watcher
from groundtypes.dataset.prompts import chat_prompt
from groundtypes.dataset.rows import Keys
from groundtypes.dataset.scores import EvaluationReport
from groundtypes.dataset.tally import Tally

__all__ = [
    "Asking",
    "BuiltDataset",
    "CheckedBatch",
    "Columns",
    "EvaluationJob",
    "EvaluationReport",
    "Job",
    "Keys",
    "Outcome",
    "Tally",
    "Watcher",
    "audited_rows",
    "build_dataset",
    "chat_prompt",
    "check_batch",
    "check_outputs",
    "replace_file",
]
