"""Evaluation: scores of answers and of whole runs, and the comparison of two runs."""

from groundtypes.evaluation.claims import (
    ClaimsEvaluation,
    aevaluate_claims,
    aiter_claims_evaluations,
    evaluate_claims,
    iter_claims_evaluations,
)
from groundtypes.evaluation.metrics import (
    Evaluation,
    EvaluationRow,
    aevaluate,
    aevaluate_many,
    aiter_evaluations,
    evaluate,
    evaluate_many,
    iter_evaluations,
)
from groundtypes.evaluation.statistics import Aggregate, Difference, aggregate, compare

__all__ = [
    "Aggregate",
    "ClaimsEvaluation",
    "Difference",
    "Evaluation",
    "EvaluationRow",
    "aevaluate",
    "aevaluate_claims",
    "aevaluate_many",
    "aggregate",
    "aiter_claims_evaluations",
    "aiter_evaluations",
    "compare",
    "evaluate",
    "evaluate_claims",
    "evaluate_many",
    "iter_claims_evaluations",
    "iter_evaluations",
]
