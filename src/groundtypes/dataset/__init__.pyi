from groundtypes.dataset.build.asked_questions import AskOptions as AskOptions
from groundtypes.dataset.build.data_set import BuiltDataset as BuiltDataset
from groundtypes.dataset.build.data_set import build_dataset as build_dataset
from groundtypes.dataset.build.training_examples import chat_prompt as chat_prompt
from groundtypes.dataset.check.job import Job as Job
from groundtypes.dataset.check.job import JobResult as JobResult
from groundtypes.dataset.check.provider_batches import CheckedBatch as CheckedBatch
from groundtypes.dataset.check.provider_batches import check_batch as check_batch
from groundtypes.dataset.check.row_auditor import CheckOptions as CheckOptions
from groundtypes.dataset.check.row_auditor import audited_rows as audited_rows
from groundtypes.dataset.estimation.estimate_run import estimate as estimate
from groundtypes.dataset.estimation.sampling import Estimate as Estimate
from groundtypes.dataset.estimation.sampling import Interval as Interval
from groundtypes.evaluation.evaluation_job import EvaluationJob as EvaluationJob
from groundtypes.evaluation.evaluation_job import EvaluationReport as EvaluationReport
from groundtypes.evaluation.row import Columns as Columns
from groundtypes.row_files.answer_rows import Keys as Keys
from groundtypes.row_files.counts import Progress as Progress
from groundtypes.row_files.counts import RunCounts as RunCounts

__all__ = [
    "AskOptions",
    "BuiltDataset",
    "CheckOptions",
    "CheckedBatch",
    "Columns",
    "Estimate",
    "EvaluationJob",
    "EvaluationReport",
    "Interval",
    "Job",
    "JobResult",
    "Keys",
    "Progress",
    "RunCounts",
    "audited_rows",
    "build_dataset",
    "chat_prompt",
    "check_batch",
    "estimate",
]
