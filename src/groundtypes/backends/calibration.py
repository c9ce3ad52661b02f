"""Scores of a model and what words show, in one probability.

A small model reads a long passage less well than a sentence; how many words of a statement stand in
the passage tells then what the model overlooks. The weights are fitted on held-out data and come
with a model, in its configuration.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.scoring import NLIScores, Pair
from groundtypes.text.coverage import coverage

__all__ = ["FEATURES", "Calibrator", "calibrator_of", "features"]

#: What the weights belong to, in this order.
FEATURES: Final = (
    "bias",
    "entailment",
    "contradiction",
    "words",
    "names",
    "long",
    "long entailment",
    "long contradiction",
    "long words",
    "long names",
)
#: Log odds beyond this say no more.
_SURE: Final = 8.0
_LEAST: Final = 1e-6
#: A premise of so many words is short, and one of so many is as long as passages are.
_SHORT: Final = 20
_LONG: Final = 110


def features(pair: Pair, scores: NLIScores) -> tuple[float, ...]:
    """Return what a pair shows, in the order of `FEATURES`."""
    found = coverage(pair.premise, pair.hypothesis)
    entailed = _odds(scores.entailment, scores.neutral)
    refuted = _odds(scores.contradiction, scores.neutral)
    count = max(len(pair.premise.split()), 1)
    long = min(1.0, max(0.0, math.log(count / _SHORT) / math.log(_LONG / _SHORT)))
    plain = (entailed, refuted, found.words, found.names)
    return (1.0, *plain, long, *(long * value for value in plain))


@dataclass(frozen=True, slots=True)
class Calibrator:
    """A logistic function of the features; neutral and contradiction share what is left."""

    weights: tuple[float, ...]

    def __call__(self, pair: Pair, scores: NLIScores) -> NLIScores:
        """Return the final scores of a pair."""
        total = math.fsum(
            weight * value
            for weight, value in zip(self.weights, features(pair, scores), strict=True)
        )
        entailed = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
        rest = scores.neutral + scores.contradiction
        if rest <= 0.0:
            return NLIScores(entailed, 1.0 - entailed, 0.0)
        share = (1.0 - entailed) / rest
        return NLIScores(entailed, scores.neutral * share, scores.contradiction * share)


def calibrator_of(config: Mapping[str, Any]) -> Callable[[Pair, NLIScores], NLIScores] | None:
    """Return the combiner that a model's configuration holds, if it holds one.

    Raises:
        ValueError: Its features are not those that are known here.
    """
    found = config.get("combiner")
    if found is None:
        return None
    if not isinstance(found, Mapping) or set(found) != set(FEATURES):
        raise ValueError(f"the combiner has other features than {', '.join(FEATURES)}")
    return Calibrator(tuple(float(found[name]) for name in FEATURES))


def _odds(one: float, other: float) -> float:
    return max(-_SURE, min(_SURE, math.log(max(one, _LEAST) / max(other, _LEAST))))
