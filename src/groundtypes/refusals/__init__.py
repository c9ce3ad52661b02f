"""Refusals: does a text answer, refuse or abstain, and do the references contain an answer at all?

A text *declines* if it refuses, abstains or answers only in part. `detect` decides what a text
does. It reads only the opening of the text (`opening`), turns it into features (`features`, with
`quotations` and `vocabulary`) and applies a linear model (`linear_model`): that of long texts
(`data/refusals.bin`) or that of short ones (`data/short_refusals.bin`). An opening that is not
English (`english`) is read by another model (`hashed_model`, with the features of `multilingual`
and the lists of `word_classes`), a third (`convolution`), and the `transformer` where it is
installed. `mixture` adds them up. Of an English text of up to 200 characters of which the linear
model is not sure, it also asks the `hashed_model`, and then the `transformer`. `answerable` decides
whether the references contain an answer.
"""

from groundtypes.refusals.detect import adetect_refusal, detect_refusal
from groundtypes.refusals.refusal import Refusal, RefusalKind

__all__ = [
    "Refusal",
    "RefusalKind",
    "adetect_refusal",
    "detect_refusal",
]
