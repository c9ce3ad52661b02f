"""The sum of the models: what each says of an opening, weighted.

The outputs of a model are the logit of declining, and one number for each of `KINDS`.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.refusals.convolution import load_convolution
from groundtypes.refusals.hashed_model import load_hashed_model
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.transformer import transformer_outputs

__all__ = [
    "decline_probability",
    "english_outputs",
    "most_probable_kind",
    "multilingual_outputs",
    "score_of_sure_answer",
    "with_transformer",
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


class _Doubt(NamedTuple):
    """When the transformer is asked, and how much it counts.

    It is not asked if the logit of the others is below `answer`, or above `decline` while the best
    kind leads by more than `lead`. Its outputs count `weight` times beside theirs. `temperature`
    divides the logit of the sum, so that the score is the share of texts that decline.
    """

    weight: float
    answer: float
    decline: float
    lead: float
    temperature: float


#: Chosen on the tune parts. In English, the linear model knows more than in other languages.
_IN_ENGLISH: Final = _Doubt(1.0, -1.0, 3.0, 1.0, 1.5)
_IN_OTHERS: Final = _Doubt(4.0, -5.0, 5.0, 2.0, 3.5)


def multilingual_outputs(opening: str) -> list[float]:
    """Return the sum of the outputs of the hashed and the convolutional model.

    Raises:
        ValueError: The file of a model is damaged.
    """
    convolution = _with_logit(load_convolution().outputs(opening))
    hashed = load_hashed_model().outputs(opening)
    return list(map(sum, zip(hashed, convolution, strict=True)))


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


def with_transformer(outputs: list[float], opening: str, *, english: bool) -> list[float]:
    """Return outputs with those of the transformer added, if they are not sure themselves.

    `opening` is what the transformer reads, and `english` its language. Where the transformer is
    not installed, nothing is added.

    Raises:
        BackendError: A file of the transformer is damaged.
    """
    doubt = _IN_ENGLISH if english else _IN_OTHERS
    if _are_sure(outputs, doubt):
        return outputs
    found = transformer_outputs(opening)
    if found is None:
        return outputs
    declines, *kinds = (
        one + doubt.weight * other for one, other in zip(outputs, _with_logit(found), strict=True)
    )
    return [declines / doubt.temperature, *kinds]


def _are_sure(outputs: Sequence[float], doubt: _Doubt) -> bool:
    declines, *kinds = outputs
    first, second, *_ = sorted(kinds, reverse=True)
    return declines < doubt.answer or (declines > doubt.decline and first - second > doubt.lead)


def _with_logit(outputs: Sequence[float]) -> tuple[float, ...]:
    """Return the logit of declining and the outputs of the kinds, from those of all four kinds."""
    answer, *kinds = outputs
    return math.log(sum(map(math.exp, kinds))) - answer, *kinds


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
