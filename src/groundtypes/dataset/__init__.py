"""Data sets: rows in, clean and rejected rows out, or the files that trainers read."""

from groundtypes.dataset.asking import Asking
from groundtypes.dataset.batches import CheckedBatch, check_batch
from groundtypes.dataset.build import BuiltDataset, build_dataset
from groundtypes.dataset.job import Job, Outcome, Watcher
from groundtypes.dataset.prompts import chat_prompt
from groundtypes.dataset.rows import Keys
from groundtypes.dataset.tally import Tally

__all__ = [
    "Asking",
    "BuiltDataset",
    "CheckedBatch",
    "Job",
    "Keys",
    "Outcome",
    "Tally",
    "Watcher",
    "build_dataset",
    "chat_prompt",
    "check_batch",
]
