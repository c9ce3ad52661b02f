"""Scores of answers: what the references and the ground truth support, and refusals.

The sentences of a text are its hypotheses. If there is an LLM, it splits each into
statements and labels these; otherwise each is one statement, and an NLI engine labels it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from groundtypes.concurrency.threads import awaitable
from groundtypes.errors import Mistake
from groundtypes.evaluation.citations import audit_rows, citation_scores, without_markers
from groundtypes.evaluation.results import Evaluation
from groundtypes.evaluation.row import EvaluationRow, is_given, support_tasks_of
from groundtypes.evaluation.support_scores import score_by_llm, score_by_nli
from groundtypes.judges import Judges, llm_engine
from groundtypes.refusals.detect import detect_refusal
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes
from groundtypes.validation.audits import Audit
from groundtypes.validators.cited import Cited

#: How many rows are sent to the engines together.
_BATCH: Final = 64


def evaluate(
    question: str | None,
    references: Any,
    answer: str,
    ground_truth: str | None = None,
    *,
    judges: Judges | None = None,
    citations: Cited | None = None,
) -> Evaluation:
    """Return the scores of one answer.

    The NLI engine of `judges` scores it, by default the bundled one. If `judges` name an LLM, that
    scores it instead: it replaces pronouns, splits sentences into statements and labels these.

    Args:
        question: The question that the answer is to.
        references: The references, of any shape.
        answer: The answer.
        ground_truth: The expected answer.
        judges: The engines.
        citations: The check that judges the citation markers of the answer, such as
            `Cited(superfluous=True)`. The other scores are those of the answer without its
            markers, with or without the check.

    Examples:
        >>> reference = "It opened in 1932."
        >>> evaluation = evaluate("When did it open?", reference, "In 1932.", "It was 1932.")
        >>> evaluation.answer_refuses
        False

    Raises:
        Mistake: The references cannot be read, one of the texts is not text, or an engine is
            missing or fails.
    """
    row = EvaluationRow(question, references, answer, ground_truth)
    [evaluation] = evaluate_many([row], judges=judges, citations=citations)
    return evaluation


def evaluate_many(
    rows: Iterable[EvaluationRow],
    *,
    judges: Judges | None = None,
    batch: int = _BATCH,
    citations: Cited | None = None,
    on_mistake: OnMistake = "raise",
) -> list[Evaluation]:
    """Return the scores of each row, in order; `batch` rows are sent to the engines together.

    `citations` is the check that judges citation markers, as in `evaluate`. `on_mistake` says what
    becomes of a row that cannot be judged, as in `audit_many`: with "keep" its evaluation has a
    `mistake`, and the others are judged.

    Raises:
        Mistake: As `evaluate`; with `on_mistake="keep"` only one that all rows would make.
    """
    judges = judges or Judges()
    mistakes = RowMistakes.when(on_mistake)
    remaining = iter(rows)
    evaluations: list[Evaluation] = []
    while rows_of_batch := list(islice(remaining, max(batch, 1))):
        evaluations += evaluate_batch(rows_of_batch, judges, citations, mistakes)
    return evaluations


aevaluate = awaitable(evaluate)
"""As `evaluate`, without blocking the event loop."""
aevaluate_many = awaitable(evaluate_many)
"""As `evaluate_many`, without blocking the event loop."""


def evaluate_batch(
    rows: Sequence[EvaluationRow],
    judges: Judges,
    citations: Cited | None,
    mistakes: RowMistakes | None,
) -> list[Evaluation]:
    """Return the scores of each row of one batch of a run, whose mistakes may be kept."""
    if mistakes is None:
        return list(_evaluations(rows, judges, citations))
    results = mistakes.apart(rows, lambda part: list(_evaluations(part, judges, citations)))
    kept = [
        Evaluation.unjudged(result) if isinstance(result, Mistake) else result for result in results
    ]
    mistakes.end_batch([evaluation.mistake for evaluation in kept])
    return kept


def _evaluations(
    rows: Sequence[EvaluationRow], judges: Judges, citations: Cited | None
) -> Iterator[Evaluation]:
    audits: Sequence[Audit[Any] | None] = [None] * len(rows)
    # What is no word of the answer would only disturb the other scores.
    given, rows = rows, [without_markers(row, citations) for row in rows]
    if citations is not None:
        audits = audit_rows(given, judges, citations)
    tasks = [task for row in rows for task in support_tasks_of(row)]
    if judges.llm is not None:
        scores, tokens = score_by_llm(tasks, llm_engine(judges.llm, judges.model))
    else:
        scores, tokens = score_by_nli(tasks, judges), [0] * len(tasks)
    for number, (row, audit) in enumerate(zip(rows, audits, strict=True)):
        of_row = slice(3 * number, 3 * number + 3)
        answer_by_context, answer_by_truth, truth_by_answer = scores[of_row]
        truth = row.ground_truth or ""
        verdicts = () if audit is None else audit.verdicts
        yield Evaluation(
            answer_by_context,
            answer_by_truth,
            truth_by_answer,
            detect_refusal(row.answer, row.question),
            detect_refusal(truth, row.question) if is_given(truth) else None,
            sum(tokens[of_row]) + sum(verdict.tokens or 0 for verdict in verdicts),
            None if audit is None else citation_scores(audit),
            verdicts,
        )
