"""Data sets: rows in; clean and rejected rows, scores, or the files that trainers read, out.

The names below are imported when they are first used: checking rows needs no evaluation.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from groundtypes.dataset.build.asking import AskOptions as AskOptions
    from groundtypes.dataset.build.pipeline import BuiltDataset as BuiltDataset
    from groundtypes.dataset.build.pipeline import build_dataset as build_dataset
    from groundtypes.dataset.build.prompts import chat_prompt as chat_prompt
    from groundtypes.dataset.check.audited import audited_rows as audited_rows
    from groundtypes.dataset.check.job import Job as Job
    from groundtypes.dataset.check.job import JobResult as JobResult
    from groundtypes.dataset.check.provider_batches import CheckedBatch as CheckedBatch
    from groundtypes.dataset.check.provider_batches import check_batch as check_batch
    from groundtypes.dataset.check.row_auditor import CheckOptions as CheckOptions
    from groundtypes.dataset.estimation.estimate_run import estimate as estimate
    from groundtypes.dataset.estimation.intervals import Estimate as Estimate
    from groundtypes.dataset.estimation.intervals import Interval as Interval
    from groundtypes.dataset.evaluate.columns import Columns as Columns
    from groundtypes.dataset.evaluate.run import EvaluationJob as EvaluationJob
    from groundtypes.dataset.evaluate.scores import EvaluationReport as EvaluationReport
    from groundtypes.row_files.counts import RunCounts as RunCounts
    from groundtypes.row_files.progress import Progress as Progress
    from groundtypes.row_files.rows import Keys as Keys

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

#: Where each name is defined.
_MODULES: Final = {
    "AskOptions": "groundtypes.dataset.build.asking",
    "BuiltDataset": "groundtypes.dataset.build.pipeline",
    "CheckOptions": "groundtypes.dataset.check.row_auditor",
    "CheckedBatch": "groundtypes.dataset.check.provider_batches",
    "Columns": "groundtypes.dataset.evaluate.columns",
    "Estimate": "groundtypes.dataset.estimation.intervals",
    "EvaluationJob": "groundtypes.dataset.evaluate.run",
    "EvaluationReport": "groundtypes.dataset.evaluate.scores",
    "Interval": "groundtypes.dataset.estimation.intervals",
    "Job": "groundtypes.dataset.check.job",
    "Keys": "groundtypes.row_files.rows",
    "JobResult": "groundtypes.dataset.check.job",
    "Progress": "groundtypes.row_files.progress",
    "RunCounts": "groundtypes.row_files.counts",
    "audited_rows": "groundtypes.dataset.check.audited",
    "build_dataset": "groundtypes.dataset.build.pipeline",
    "chat_prompt": "groundtypes.dataset.build.prompts",
    "check_batch": "groundtypes.dataset.check.provider_batches",
    "estimate": "groundtypes.dataset.estimation.estimate_run",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'groundtypes.dataset' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
