"""Data sets: rows in; clean and rejected rows, scores, or the files that trainers read, out."""

from groundtypes.dataset.build.asking import AskOptions
from groundtypes.dataset.build.examples import ExampleOptions
from groundtypes.dataset.build.pipeline import BuiltDataset, build_dataset
from groundtypes.dataset.build.prompts import chat_prompt
from groundtypes.dataset.check.audited import audited_rows
from groundtypes.dataset.check.batch_files import CheckedBatch, check_batch
from groundtypes.dataset.check.job import Job, Outcome
from groundtypes.dataset.check.row_auditor import CheckOptions
from groundtypes.dataset.evaluate.columns import Columns
from groundtypes.dataset.evaluate.run import EvaluationJob
from groundtypes.dataset.evaluate.scores import EvaluationReport
from groundtypes.dataset.io.counts import RunCounts
from groundtypes.dataset.io.files import replace_file
from groundtypes.dataset.io.progress import Progress
from groundtypes.dataset.io.rows import Keys
from groundtypes.dataset.io.run_files import check_outputs

__all__ = [
    "AskOptions",
    "BuiltDataset",
    "CheckOptions",
    "CheckedBatch",
    "Columns",
    "EvaluationJob",
    "EvaluationReport",
    "ExampleOptions",
    "Job",
    "Keys",
    "Outcome",
    "Progress",
    "RunCounts",
    "audited_rows",
    "build_dataset",
    "chat_prompt",
    "check_batch",
    "check_outputs",
    "replace_file",
]
