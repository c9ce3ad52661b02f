"""Refusals: does a text answer, refuse or abstain, and do the references contain an answer at all?

A text *declines* if it refuses, abstains or answers only in part. `detect` decides what a text
does. It reads only the opening of the text (`opening`). An English opening is turned into features
(`english_features`, with `quotations`) for a `linear_model`: that of long texts, or that of short
ones. Another one is read by the `hashed_model`, with the lists of `word_classes`, and by the
`transformer` where it is installed; so is a brief English text of which the linear model is not
sure. `mixture` adds them up.
"""

from groundtypes.refusals.detect import adetect_refusal, detect_refusal
from groundtypes.refusals.refusal import Refusal, RefusalKind

__all__ = [
    "Refusal",
    "RefusalKind",
    "adetect_refusal",
    "detect_refusal",
]
