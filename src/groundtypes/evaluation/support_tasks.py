"""The support tasks of a row: which text is scored against which references.

The answer is scored against the references and against the ground truth; the ground truth is
scored against the answer.
"""

from dataclasses import dataclass

from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.evaluation.row import EvaluationRow
from groundtypes.references import References
from groundtypes.text.hypotheses import Hypothesis


@dataclass(frozen=True, slots=True)
class SupportTask:
    """The sentences of one text, and the references they are scored against.

    A `question` goes in front of each premise, so that "In 1932." means something. `missing` says
    why there is nothing to score.
    """

    hypotheses: tuple[Hypothesis, ...]
    references: References
    question: str | None
    missing: str | None


def support_tasks_of(row: EvaluationRow) -> tuple[SupportTask, SupportTask, SupportTask]:
    """Return the three support tasks of a row, in the order of the scores of `Evaluation`.

    Raises:
        ContextError: The question, the answer or the ground truth is not text.
        ReferencesError: The references cannot be read.
    """
    row.check()
    truth = row.ground_truth if is_given(row.ground_truth) else None
    references = References.of([] if row.references is None else row.references)
    answer_sentences = tuple(sentences_with_claims(row.answer))
    truth_sentences = tuple(sentences_with_claims(truth or ""))
    no_references = "there is no context" if row.references is None else None
    no_truth = "there is no ground truth" if truth is None else None
    empty_answer = None if answer_sentences else "the answer states nothing"
    empty_truth = None if truth_sentences else "the ground truth states nothing"
    return (
        SupportTask(answer_sentences, references, None, no_references or empty_answer),
        SupportTask(
            answer_sentences, References.of(truth or []), row.question, no_truth or empty_answer
        ),
        SupportTask(
            truth_sentences, References.of(row.answer), row.question, no_truth or empty_truth
        ),
    )


def is_given(text: str | None) -> bool:
    """Whether there is a text and it is not blank."""
    return text is not None and bool(text.strip())
