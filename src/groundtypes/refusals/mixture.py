"""The two tiers: what the linear models say of an opening, and the transformer where it is there.

The outputs of a model are the logit of declining, and one number for each of `KINDS`.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.refusals.hashed_model import load_hashed_model
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.transformer import transformer_outputs

#: Below this logit the linear model of English is sure that a text answers, and no other model is
#: asked. Ordinary answers are many, so they leave early.
_SURE_ANSWER: Final = -2.0
#: It is sure that a text declines above this one, if the most probable kind leads by so much.
_SURE_DECLINE: Final = 3.0
_LEAD: Final = 1.0
#: English texts of up to so many characters are judged by the other models, too. Of longer ones
#: they find a few more that decline, and cost too much (`research/notes/history.md`).
BRIEF_TEXT: Final = 200


class _Share(NamedTuple):
    """How much a model counts: `weight` times beside the linear one.

    `bias` is added to its logit of declining. `temperature` divides the logit of the sum, so that
    the score is the share of texts that decline.
    """

    weight: float
    bias: float
    temperature: float


#: The linear model of English is better than that of the others.
_HASHED_IN_ENGLISH: Final = _Share(0.5, 0.0, 1.0)
_TRANSFORMER_IN_ENGLISH: Final = _Share(1.25, 0.2, 1.5)
_TRANSFORMER_IN_OTHERS: Final = _Share(4.0, -0.4, 3.0)


def english_outputs(linear: list[float], opening: str, read: str) -> list[float]:
    """Return the outputs for a brief English text, given those of the linear model.

    They stand alone where that model is sure; else the transformer is asked about what it reads, or
    the hashed model about the opening.
    """
    declines, *kinds = linear
    first, second, *_ = sorted(kinds, reverse=True)
    if declines < _SURE_ANSWER or (declines > _SURE_DECLINE and first - second > _LEAD):
        return linear
    if (found := _of_transformer(read)) is not None:
        return _together(linear, found, _TRANSFORMER_IN_ENGLISH)
    return _together(linear, load_hashed_model().outputs(opening), _HASHED_IN_ENGLISH)


def outputs_in_any_language(opening: str, read: str, *, perhaps_english: bool) -> list[float]:
    """Return the outputs for a text in any other language.

    The transformer is asked about each: in a language that it was not trained on, the hashed model
    may be sure and wrong. Only a text that may be English, such as a name or a number, is left to
    the hashed model if that takes it for an answer.
    """
    hashed = load_hashed_model().outputs(opening)
    if not read or (perhaps_english and hashed[0] < 0) or (found := _of_transformer(read)) is None:
        return hashed
    return _together(hashed, found, _TRANSFORMER_IN_OTHERS)


def _of_transformer(read: str) -> list[float] | None:
    """Return the logit of declining and the outputs of the kinds."""
    outputs = transformer_outputs(read)
    if outputs is None:
        return None
    answer, *kinds = outputs
    return [math.log(sum(map(math.exp, kinds))) - answer, *kinds]


def _together(linear: Sequence[float], others: Sequence[float], share: _Share) -> list[float]:
    declines, *kinds = (
        one + share.weight * other for one, other in zip(linear, others, strict=True)
    )
    return [(declines + share.weight * share.bias) / share.temperature, *kinds]


def decline_probability(outputs: Sequence[float]) -> float:
    """Return the probability that a text with these outputs is not a plain answer."""
    return 1.0 / (1.0 + math.exp(-outputs[0]))


def most_probable_kind(outputs: Sequence[float]) -> str:
    """Return the most probable of `KINDS` for a text that declines."""
    of_kinds = outputs[1:]
    return KINDS[of_kinds.index(max(of_kinds))]
