"""Evaluation: scores of answers and of whole runs, and the comparison of two runs."""

from groundtypes.evaluation.claims import ClaimsEvaluation, evaluate_claims
from groundtypes.evaluation.metrics import Evaluation, EvaluationRow, evaluate, evaluate_many
from groundtypes.evaluation.statistics import Aggregate, Difference, aggregate, compare

__all__ = [
    "Aggregate",
    "ClaimsEvaluation",
    "Difference",
    "Evaluation",
    "EvaluationRow",
    "aggregate",
    "compare",
    "evaluate",
    "evaluate_claims",
    "evaluate_many",
]
