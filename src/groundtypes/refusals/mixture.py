"""The sum of the models: what each says of an opening, weighted."""

import math
from collections.abc import Sequence
from typing import Final

from groundtypes.refusals.convolution import load_convolution
from groundtypes.refusals.hashed_model import load_hashed_model
from groundtypes.refusals.linear_model import KINDS

__all__ = [
    "decline_probability",
    "english_outputs",
    "most_probable_kind",
    "multilingual_outputs",
    "score_of_sure_answer",
]

#: Beyond these logits the linear model of English is sure that a text answers, or that it declines,
#: and the others are not asked. Ordinary answers are many, so they leave early.
_SURE_ANSWER: Final = -2.0
_SURE_DECLINE: Final = 4.0
#: In texts up to this length, in characters, the multilingual models count beside it, so much. They
#: were trained on short replies, and add nothing in longer ones.
_SHORT_TEXT: Final = 300
_WEIGHT: Final = 0.5
#: Subtracted from the logit of declining in longer texts, which mostly are answers.
_CAUTION: Final = 0.4


def multilingual_outputs(opening: str) -> list[float]:
    """Return the sum of the outputs of the hashed and the convolutional model.

    Raises:
        ValueError: The file of a model is damaged.
    """
    answer, *kinds = load_convolution().outputs(opening)
    declines = math.log(sum(map(math.exp, kinds))) - answer
    hashed = load_hashed_model().outputs(opening)
    return list(map(sum, zip(hashed, (declines, *kinds), strict=True)))


def english_outputs(linear: list[float], opening: str, length: int) -> list[float]:
    """Return the outputs for an English opening; `length` is that of the whole text.

    `linear` are the outputs of the linear model. They stand alone where that model is sure, and
    for long texts, which have to be more certain to decline.

    Raises:
        ValueError: The file of a model is damaged.
    """
    if length > _SHORT_TEXT:
        return [linear[0] - _CAUTION, *linear[1:]]
    if not _SURE_ANSWER <= linear[0] <= _SURE_DECLINE:
        return linear
    others = multilingual_outputs(opening)
    return [one + _WEIGHT * other for one, other in zip(linear, others, strict=True)]


def score_of_sure_answer(declines: float, length: int) -> float | None:
    """Return the score of an English text that the linear model alone takes for an answer.

    `declines` is the first output of that model, and `length` is that of the whole text. `None`:
    the other outputs matter.
    """
    if length > _SHORT_TEXT:
        return decline_probability([declines - _CAUTION]) if declines < _CAUTION else None
    return decline_probability([declines]) if declines < _SURE_ANSWER else None


def decline_probability(outputs: Sequence[float]) -> float:
    """Return the probability that a text with these outputs is not a plain answer."""
    return 1.0 / (1.0 + math.exp(-outputs[0]))


def most_probable_kind(outputs: Sequence[float]) -> str:
    """Return the most probable of `KINDS` for a text that declines."""
    of_kinds = outputs[1:]
    return KINDS[of_kinds.index(max(of_kinds))]
