"""Scores by an NLI engine: each sentence is one statement, and its score is a probability.

NLI engines read numbers badly: that something opened in 1932 is often said to follow from "opened
in 1931". So a sentence with a figure that `Figures` would not find is not entailed, whatever the
engine says.
"""

from collections.abc import Sequence
from itertools import islice

from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.entailments import Entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.evaluation.results import JudgedHypothesis, JudgedStatement, SupportScores
from groundtypes.evaluation.support_tasks import SupportTask
from groundtypes.figures.outcomes import find_outcomes
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.scoring import Label
from groundtypes.text.hypotheses import Hypothesis


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
                _judged(question.hypothesis, entailment, task)
                for question, entailment in zip(
                    questions, islice(entailments, len(questions)), strict=True
                )
            ),
            task.missing,
        )
        for task, questions in zip(tasks, questions_of, strict=True)
    ]


def _judged(sentence: Hypothesis, entailment: Entailment, task: SupportTask) -> JudgedHypothesis:
    label, estimate = entailment.label, entailment.scores.entailment
    if _has_absent_figure(sentence.text, task):
        label, estimate = Label.NEUTRAL if label is Label.ENTAILMENT else label, 0.0
    statement = JudgedStatement(entailment.text, label, estimate)
    return JudgedHypothesis(sentence.text, sentence.start, sentence.end, (statement,))


def _has_absent_figure(text: str, task: SupportTask) -> bool:
    """Whether a figure of a sentence is one that `Figures` would refuse."""
    return any(
        not finding.outcome.holds for finding in find_outcomes(text, task.references, task.question)
    )
