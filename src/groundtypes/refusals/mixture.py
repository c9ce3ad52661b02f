"""The sum of the models: what each says of an opening, weighted.

The outputs of a model are the logit of declining, and one number for each of `KINDS`.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.refusals.convolution import load_convolution
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.multilingual_model import load_hashed_model
from groundtypes.refusals.transformer import transformer_outputs

#: Beyond these logits the linear model of English is sure that a text answers, or that it declines,
#: and the others are not asked. Ordinary answers are many, so they leave early.
SURE_ANSWER: Final = -2.0
_SURE_DECLINE: Final = 4.0
#: So much does the hashed model count beside it. The convolution would take four times as long.
_WEIGHT: Final = 0.5
#: English texts of up to so many characters are judged by the other models, too. Of longer ones
#: they find a few more that decline, and cost too much (`research/notes/history.md`).
BRIEF_TEXT: Final = 200
#: The transformer is not asked about an English text if the logit of the small models is below
#: `SURE_ANSWER`, or above `_DECLINE` while the most probable kind leads by more than `_LEAD`.
_DECLINE: Final = 3.0
_LEAD: Final = 1.0
#: The convolution is not asked below this logit about a text that may be English, such as a name or
#: a number.
_ANSWER_PERHAPS_IN_ENGLISH: Final = -3.0


class _Share(NamedTuple):
    """How much the transformer counts: `weight` times beside the small models.

    `bias` is added to its logit of declining. `temperature` divides the logit of the sum, so that
    the score is the share of texts that decline.
    """

    weight: float
    bias: float
    temperature: float


#: Chosen on the tune parts. The linear model of English is better than the models of the others.
_IN_ENGLISH: Final = _Share(1.0, 0.0, 1.5)
_IN_OTHERS: Final = _Share(8.0, -0.6, 6.0)


def multilingual_outputs(opening: str, *, perhaps_english: bool = False) -> list[float]:
    """Return the sum of the outputs of the hashed and the convolutional model.

    Those of the hashed model stand alone if it is sure that a text answers that may be English.
    """
    hashed = load_hashed_model().outputs(opening)
    if perhaps_english and hashed[0] < _ANSWER_PERHAPS_IN_ENGLISH:
        return hashed
    convolution = _with_logit(load_convolution().outputs(opening))
    return list(map(sum, zip(hashed, convolution, strict=True)))


def english_outputs(linear: list[float], opening: str) -> list[float]:
    """Return the outputs of the small models for the opening of a brief English text.

    `linear` are those of the linear model. They stand alone where that model is sure.
    """
    if not SURE_ANSWER <= linear[0] <= _SURE_DECLINE:
        return linear
    hashed = load_hashed_model().outputs(opening)
    return [one + _WEIGHT * other for one, other in zip(linear, hashed, strict=True)]


def english_outputs_with_transformer(outputs: list[float], opening: str) -> list[float]:
    """Return the outputs for a brief English text with those of the transformer.

    They stay where they are sure; `opening` is what the transformer reads.
    """
    declines, *kinds = outputs
    first, second, *_ = sorted(kinds, reverse=True)
    if declines < SURE_ANSWER or (declines > _DECLINE and first - second > _LEAD):
        return outputs
    return _with_transformer(outputs, opening, _IN_ENGLISH)


def outputs_with_transformer(
    outputs: list[float], opening: str, *, perhaps_english: bool
) -> list[float]:
    """Return the outputs for a text in any other language with those of the transformer.

    In a language that they were not trained on, the small models may be sure and wrong. Only about
    a text that may be English it is not asked if they take it for an answer.
    """
    if perhaps_english and outputs[0] < 0:
        return outputs
    return _with_transformer(outputs, opening, _IN_OTHERS)


def _with_transformer(outputs: list[float], opening: str, share: _Share) -> list[float]:
    found = transformer_outputs(opening)
    if found is None:
        return outputs
    declines, *kinds = (
        one + share.weight * other for one, other in zip(outputs, _with_logit(found), strict=True)
    )
    return [(declines + share.weight * share.bias) / share.temperature, *kinds]


def _with_logit(outputs: Sequence[float]) -> tuple[float, ...]:
    """Return the logit of declining and the outputs of the kinds, from those of all four kinds."""
    answer, *kinds = outputs
    return math.log(sum(map(math.exp, kinds))) - answer, *kinds


def decline_probability(outputs: Sequence[float]) -> float:
    """Return the probability that a text with these outputs is not a plain answer."""
    return 1.0 / (1.0 + math.exp(-outputs[0]))


def most_probable_kind(outputs: Sequence[float]) -> str:
    """Return the most probable of `KINDS` for a text that declines."""
    of_kinds = outputs[1:]
    return KINDS[of_kinds.index(max(of_kinds))]
