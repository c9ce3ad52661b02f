"""Evaluation: scores of answers and of whole runs, and the comparison of two runs.

`evaluate` and `evaluate_many` turn rows (`row`) into results (`results`): `answers` lists which
texts are compared (`comparison`), and an NLI engine (`nli_scores`) or an LLM (`llm_scores`) scores
them. `evaluate_claims` scores the claims of answers. `statistics` sums up the results of a run and
compares two runs.
"""

from groundtypes.evaluation.answers import (
    aevaluate,
    aevaluate_many,
    aiter_evaluations,
    evaluate,
    evaluate_many,
    iter_evaluations,
)
from groundtypes.evaluation.claims import (
    ClaimsEvaluation,
    aevaluate_claims,
    aiter_claims_evaluations,
    evaluate_claims,
    iter_claims_evaluations,
)
from groundtypes.evaluation.results import Evaluation
from groundtypes.evaluation.row import EvaluationRow
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
