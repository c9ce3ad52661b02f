"""Refusals: does a reply answer, refuse or abstain, and could it have answered?"""

from groundtypes.refusals.detect import Refusal, RefusalKind, detect_refusal

__all__ = [
    "Refusal",
    "RefusalKind",
    "detect_refusal",
]
