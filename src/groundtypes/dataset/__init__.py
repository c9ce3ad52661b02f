"""Data sets: rows in; clean and rejected rows, scores, or the files that trainers read, out."""

from groundtypes.dataset.build.asking import Asking
from groundtypes.dataset.build.pipeline import BuiltDataset, build_dataset
from groundtypes.dataset.build.prompts import chat_prompt
from groundtypes.dataset.check.audited import audited_rows
from groundtypes.dataset.check.batches import CheckedBatch, check_batch
from groundtypes.dataset.check.job import Job, Outcome, Watcher
from groundtypes.dataset.evaluate.columns import Columns
from groundtypes.dataset.evaluate.run import EvaluationJob
from groundtypes.dataset.evaluate.scores import EvaluationReport
from groundtypes.dataset.io.counts import Tally
from groundtypes.dataset.io.files import check_outputs, replace_file
from groundtypes.dataset.io.rows import Keys

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
