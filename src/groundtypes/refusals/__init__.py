"""Refusals: does a text answer, refuse or abstain, and do the references contain an answer at all?

A text *declines* if it refuses, abstains or answers only in part. `detect` decides what a text
does. It reads only the opening of the text (`opening`), turns it into features (`features`, with
`quotations` and `vocabulary`) and applies a linear model (`linear_model`): that of long texts
(`data/refusals.bin`) or that of short ones (`data/short_refusals.bin`). An opening that is not
English (`english`) is read by another model (`hashed_model`, with the features of `multilingual`
and the lists of `word_classes`) and a third (`convolution`). `mixture` adds them up, together with
what the `transformer` says, where it is installed, of texts in other languages and of short English
ones of which they are not sure. `answerable` decides whether the references contain an answer.
"""

from groundtypes.refusals.detect import Refusal, RefusalKind, adetect_refusal, detect_refusal

__all__ = [
    "Refusal",
    "RefusalKind",
    "adetect_refusal",
    "detect_refusal",
]
