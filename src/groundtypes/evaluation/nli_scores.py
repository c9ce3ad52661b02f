"""Scores by an NLI engine: each sentence is one statement, and its score is a probability."""

from collections.abc import Sequence
from itertools import islice

from groundtypes.entailment.decision import Entailment, decide_entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.evaluation.results import JudgedHypothesis, JudgedStatement, SupportScores
from groundtypes.evaluation.support_tasks import SupportTask
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["score_by_nli"]


def score_by_nli(tasks: Sequence[SupportTask], judges: Judges) -> list[SupportScores]:
    """Return the scores of each task; the pairs of all are scored as one batch."""
    nli, threshold = nli_engine(judges), entailment_threshold(judges)
    questions_of = [
        [] if task.missing else build_questions(task.hypotheses, task.references, task.question)
        for task in tasks
    ]
    every_question = [question for questions in questions_of for question in questions]
    entailments = iter(
        decide_entailment(every_question, nli, Ledger().ask_now, threshold, finds_evidence=False)
    )
    return [
        SupportScores(
            tuple(
                _judged(question.hypothesis, entailment)
                for question, entailment in zip(
                    questions, islice(entailments, len(questions)), strict=True
                )
            ),
            task.missing,
        )
        for task, questions in zip(tasks, questions_of, strict=True)
    ]


def _judged(sentence: Hypothesis, entailment: Entailment) -> JudgedHypothesis:
    statement = JudgedStatement(entailment.text, entailment.label, entailment.scores.entailment)
    return JudgedHypothesis(sentence.text, sentence.start, sentence.end, (statement,))
