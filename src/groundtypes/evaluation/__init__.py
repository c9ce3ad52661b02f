"""Evaluation: scores of answers and of whole runs, and the comparison of two runs.

`evaluate` and `evaluate_many` (`answers`) turn rows (`row`) into results (`results`): each row has
three `support_tasks`, which an NLI engine (`nli_scores`) or an LLM (`llm_scores`) scores. The
sentences of a text are judged as hypotheses: a hypothesis is a sentence worded to be judged alone.
`evaluate_claims` (`claims`) scores the claims of answers, and `citation_scores` (`citations`) their
citation markers. `run_statistics` computes the means of a run with their intervals, and compares
two runs. An `EvaluationJob` (`evaluation_job`) evaluates a file of rows (`row_columns`) and writes
their scores (`run_scores`).
"""

from groundtypes.evaluation.answers import (
    aevaluate,
    aevaluate_many,
    aiter_evaluations,
    evaluate,
    evaluate_many,
    iter_evaluations,
)
from groundtypes.evaluation.citations import CitationScores, citation_scores
from groundtypes.evaluation.claims import (
    ClaimsEvaluation,
    aevaluate_claims,
    aiter_claims_evaluations,
    evaluate_claims,
    iter_claims_evaluations,
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
    "aiter_claims_evaluations",
    "aiter_evaluations",
    "citation_scores",
    "compare",
    "evaluate",
    "evaluate_claims",
    "evaluate_many",
    "iter_claims_evaluations",
    "iter_evaluations",
]
