"""Calibration: a model's scores and the words that a pair shares, combined into one probability.

A small model reads a long passage less well than a sentence; the share of a hypothesis' words that
the passage contains then shows what the model overlooks. The weights are fitted on held-out data.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import BackendError
from groundtypes.scoring import CalibratedScores, NLIScores, Pair
from groundtypes.text.coverage import coverage

#: The names of the features, in the order of the weights.
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
#: The key of a model's configuration that holds a weight for each feature.
CONFIG_KEY: Final = "combiner"
#: The key that holds the weights for several pieces of evidence on one statement.
EVIDENCE_KEY: Final = "evidence"
#: Log odds are clipped to this absolute value, beyond which they say no more.
_MAX_LOG_ODDS: Final = 8.0
_MIN_PROBABILITY: Final = 1e-6
#: "long" is 0 for a premise of at most the first number of words, and 1 from the second on.
_SHORT_PREMISE: Final = 20
_LONG_PREMISE: Final = 110


def features(pair: Pair, scores: NLIScores) -> tuple[float, ...]:
    """Return the features of a pair, in the order of `FEATURES`."""
    shared = coverage(pair.premise, pair.hypothesis)
    entailment = _log_odds(scores.entailment, scores.neutral)
    contradiction = _log_odds(scores.contradiction, scores.neutral)
    words = max(len(pair.premise.split()), 1)
    long = math.log(words / _SHORT_PREMISE) / math.log(_LONG_PREMISE / _SHORT_PREMISE)
    long = min(1.0, max(0.0, long))
    plain = (entailment, contradiction, shared.words, shared.names)
    return (1.0, *plain, long, *(long * value for value in plain))


@dataclass(frozen=True, slots=True)
class Calibrator:
    """A logistic regression for entailment; neutral and contradiction share the remainder."""

    weights: tuple[float, ...]

    def __call__(self, pair: Pair, scores: NLIScores) -> CalibratedScores:
        """Return the final scores of a pair, with those of the network beside them."""
        log_odds = math.fsum(
            weight * value
            for weight, value in zip(self.weights, features(pair, scores), strict=True)
        )
        entailment = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, log_odds))))
        others = scores.neutral + scores.contradiction
        if others <= 0.0:
            return CalibratedScores(entailment, 1.0 - entailment, 0.0, scores)
        share = (1.0 - entailment) / others
        neutral, contradiction = scores.neutral * share, scores.contradiction * share
        return CalibratedScores(entailment, neutral, contradiction, scores)


def calibrator_of(config: Mapping[str, Any], name: str) -> Calibrator | None:
    """Return the calibrator of a model's configuration, if it has the weights of one.

    Raises:
        BackendError: The weights belong to other features, or are no numbers.
    """
    weights = config.get(CONFIG_KEY)
    if weights is None:
        return None
    try:
        if set(weights) == set(FEATURES):
            return Calibrator(tuple(float(weights[feature]) for feature in FEATURES))
    except (TypeError, ValueError) as error:
        raise BackendError(f"The calibration of {name} cannot be used: {error}") from error
    raise BackendError(
        f"The calibration of {name} cannot be used: the calibration weights belong to other "
        f"features than {', '.join(FEATURES)}"
    )


def _log_odds(probability: float, other: float) -> float:
    ratio = max(probability, _MIN_PROBABILITY) / max(other, _MIN_PROBABILITY)
    return max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, math.log(ratio)))
