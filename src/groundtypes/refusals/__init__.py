"""Refusals: does a text answer, refuse or abstain, and do the references contain an answer at all?

A text *declines* if it refuses, abstains or answers only in part. `detect` decides what a text
does. It reads only the opening of the text (`opening`), turns it into features (`features`, with
`quotations` and `vocabulary`) and applies the linear model (`linear_model`, whose weights are
`data/refusals.bin`). An opening that is not English (`english`) is read by a second model
(`hashed_model`, with the features of `multilingual` and the lists of `word_classes`) and a third
(`convolution`). `mixture` adds them up, together with what the `transformer` says of texts of which
they are not sure, where it is installed. `answerable` decides whether the references contain an
answer.
"""

from groundtypes.refusals.detect import Refusal, RefusalKind, adetect_refusal, detect_refusal

__all__ = [
    "Refusal",
    "RefusalKind",
    "adetect_refusal",
    "detect_refusal",
]
