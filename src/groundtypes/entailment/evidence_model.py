"""The probabilities of one statement, from the scores of all its evidence and the words it lacks.

Two small logistic models: one for entailment, one that shares the rest between contradiction and
neutral. They read what the network itself says of each pair; its calibration counts shared words,
which are among the features here. A sentence of a longer text is judged more leniently, so that a
text of which every sentence has to hold is not refused for one doubt among many. The weights are
fitted on held-out data (`research/training/fit_calibrator.py`) and are part of a model's
configuration. An engine without them has the rule of `groundtypes.entailment.entailments` instead.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.entailment.differences import MISSING_WORDS, Differences
from groundtypes.entailment.evidence.statement_evidence import Evidence
from groundtypes.errors import BackendError
from groundtypes.scoring import CalibratedScores, NLIScores

#: The logarithm of the number of sentences of the text that have to hold; 0 for a single one.
TEXT_LENGTH: Final = "sentences of the text"
#: The names of the features, in the order of the weights.
FEATURES: Final = (
    "bias",
    "passage entailment",
    "passage contradiction",
    "passage length",
    "passage length x entailment",
    "sentence entailment",
    "sentence contradiction",
    "best sentence entailment",
    "composed entailment",
    "composed contradiction",
    "highest entailment",
    *MISSING_WORDS,
    "closeness x sentence entailment",
    "closeness x sentence contradiction",
    "closeness x passage entailment",
    TEXT_LENGTH,
)
#: The features of the model that tells contradiction from neutral.
CONTRADICTION_FEATURES: Final = (
    "bias",
    "passage contradiction",
    "sentence contradiction",
    "composed contradiction",
    "highest contradiction",
    "words not in references",
)
#: Log odds are clipped to this absolute value, beyond which they say no more.
_MAX_LOG_ODDS: Final = 6.0
_MIN_PROBABILITY: Final = 1e-4
#: "passage length" is 0 for a passage of at most the first number of words, and 1 from the second.
_SHORT: Final = 20
_LONG: Final = 110
#: A text of more sentences counts as one of so many.
_MOST_SENTENCES: Final = 12


def evidence_features(
    evidence: Evidence,
    scores: Sequence[NLIScores],
    differences: Differences,
    sentences: int = 1,
) -> dict[str, float]:
    """Return the features of a statement by name, those of both models.

    Args:
        evidence: The premises of the statement, of which there is at least one.
        scores: The scores of `evidence.premises`.
        differences: What differs between the statement and the evidence.
        sentences: How many sentences of the text have to hold.
    """
    by_text = {
        " ".join(premise.text.split()): _of_network(score)
        for premise, score in zip(evidence.premises, scores, strict=True)
    }

    def score_of(text: str) -> NLIScores:
        return by_text[" ".join(text.split())]

    assert evidence.passage is not None  # noqa: S101 # there are scores
    passage = score_of(evidence.passage.text)
    nearest = [score_of(premise.text) for premise in evidence.sentences] or [passage]
    # What differs was found in the sentence that has most words of the statement.
    closest = " ".join((differences.closest or "").split())
    first = by_text.get(closest, nearest[0])
    composed = score_of(evidence.composed.text) if evidence.composed is not None else first
    words = max(1, len(evidence.passage.text.split()))
    length = min(1.0, max(0.0, math.log(words / _SHORT) / math.log(_LONG / _SHORT)))
    closeness = differences.closeness
    everything = list(by_text.values())
    return {
        "bias": 1.0,
        "passage entailment": _entailment(passage),
        "passage contradiction": _contradiction(passage),
        "passage length": length,
        "passage length x entailment": length * _entailment(passage),
        "sentence entailment": _entailment(first),
        "sentence contradiction": _contradiction(first),
        "best sentence entailment": max(map(_entailment, nearest)),
        "composed entailment": _entailment(composed),
        "composed contradiction": _contradiction(composed),
        "highest entailment": max(map(_entailment, everything)),
        "highest contradiction": max(map(_contradiction, everything)),
        **differences.missing,
        "closeness x sentence entailment": closeness * _entailment(first),
        "closeness x sentence contradiction": closeness * _contradiction(first),
        "closeness x passage entailment": closeness * _entailment(passage),
        TEXT_LENGTH: math.log(min(max(1, sentences), _MOST_SENTENCES)),
    }


@dataclass(frozen=True, slots=True)
class EvidenceModel:
    """The weights of both models, by feature."""

    entailment: Mapping[str, float]
    contradiction: Mapping[str, float]

    @classmethod
    def of(cls, weights: Any) -> "EvidenceModel":
        """Read the weights of a model's configuration.

        Raises:
            ValueError: The weights belong to other features.
        """
        parts = []
        for part, names in (("entailment", FEATURES), ("contradiction", CONTRADICTION_FEATURES)):
            listed = weights.get(part) if isinstance(weights, Mapping) else None
            if not isinstance(listed, Mapping) or set(listed) != set(names):
                raise ValueError(f"the weights of evidence for {part} belong to other features")
            parts.append({name: float(listed[name]) for name in names})
        return cls(*parts)

    def scores(self, features: Mapping[str, float]) -> NLIScores:
        """Return the probabilities for features."""
        entailment = _probability(self.entailment, features)
        rest = 1.0 - entailment
        contradiction = rest * _probability(self.contradiction, features)
        return NLIScores(entailment, rest - contradiction, contradiction)


def evidence_model(nli: object) -> EvidenceModel | None:
    """Return the model of an engine's evidence weights; `None` if it has none.

    Raises:
        BackendError: The weights belong to other features.
    """
    weights = getattr(nli, "evidence_weights", None)
    if weights is None:
        return None
    try:
        return EvidenceModel.of(weights)
    except (TypeError, ValueError) as error:
        raise BackendError(f"The evidence weights cannot be used: {error}") from error


def _probability(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    log_odds = math.fsum(weight * features[name] for name, weight in weights.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, log_odds))))


def _of_network(scores: NLIScores) -> NLIScores:
    return scores.network if isinstance(scores, CalibratedScores) else scores


def _entailment(scores: NLIScores) -> float:
    return _log_odds(scores.entailment, scores.neutral + scores.contradiction)


def _contradiction(scores: NLIScores) -> float:
    return _log_odds(scores.contradiction, scores.neutral)


def _log_odds(probability: float, other: float) -> float:
    ratio = max(probability, _MIN_PROBABILITY) / max(other, _MIN_PROBABILITY)
    return max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, math.log(ratio)))
