from groundtypes.ray.checking import build_dataset as build_dataset
from groundtypes.ray.checking import check as check
from groundtypes.ray.table_audits import audit as audit

__all__ = [
    "audit",
    "build_dataset",
    "check",
]
