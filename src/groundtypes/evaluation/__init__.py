"""Evaluation: scores of answers and of whole runs, and the comparison of two runs.

`answers` turns rows (`row`) into `results`: each has three support tasks, which an NLI engine or an
LLM scores (`support_scores`). `citations` scores the citation markers of answers. `run_statistics`
has means with intervals, `evaluation_job` evaluates a file.
"""

from groundtypes.evaluation.answers import (
    aevaluate,
    aevaluate_many,
    evaluate,
    evaluate_many,
)
from groundtypes.evaluation.citations import CitationScores, citation_scores
from groundtypes.evaluation.results import Evaluation
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.evaluation.run_statistics import Aggregate, Difference, aggregate, compare

__all__ = [
    "Aggregate",
    "CitationScores",
    "Difference",
    "Evaluation",
    "EvaluationRow",
    "aevaluate",
    "aevaluate_many",
    "aggregate",
    "citation_scores",
    "compare",
    "evaluate",
    "evaluate_many",
]
