"""Evaluation: scores of answers and of whole runs, and the comparison of two runs.

`answers` turns rows (`row`) into `results`: each has three support tasks, which an NLI engine or an
LLM scores (`support_scores`). `claims` scores the claims of answers, `citations` their citation
markers. `run_statistics` has means with intervals, `evaluation_job` evaluates a file.
"""

from groundtypes.evaluation.answers import (
    aevaluate,
    aevaluate_many,
    evaluate,
    evaluate_many,
)
from groundtypes.evaluation.citations import CitationScores, citation_scores
from groundtypes.evaluation.claims import (
    ClaimsEvaluation,
    aevaluate_claims,
    evaluate_claims,
)
from groundtypes.evaluation.results import Evaluation
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.evaluation.run_statistics import Aggregate, Difference, aggregate, compare

__all__ = [
    "Aggregate",
    "CitationScores",
    "ClaimsEvaluation",
    "Difference",
    "Evaluation",
    "EvaluationRow",
    "aevaluate",
    "aevaluate_claims",
    "aevaluate_many",
    "aggregate",
    "citation_scores",
    "compare",
    "evaluate",
    "evaluate_claims",
    "evaluate_many",
]
