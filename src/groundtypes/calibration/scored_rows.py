"""Scores of labelled texts: the lowest score of the sentences of each.

A text is accepted as a whole, so that the sentence with the lowest score decides. A text is
accepted at a threshold if and only if its score is at least that.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from groundtypes.calibration.labelled_rows import LabelledRow
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.errors import Mistake
from groundtypes.ledger import Ledger
from groundtypes.references import References
from groundtypes.rounds.row_mistakes import OnMistake, RowMistakes
from groundtypes.scoring import NLIScorer
from groundtypes.text.message_excerpts import clip

#: How many texts are shown on which engine and people disagree, and their characters.
_MOST: Final = 20
_MAX_TEXT: Final = 400


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The score of a text, and whether a person calls it supported.

    `group` is the same for rows that are not independent of each other.
    """

    score: float
    supported: bool
    group: str
    number: int = 0
    text: str = ""


def score_rows(
    rows: Iterable[LabelledRow],
    nli: NLIScorer,
    batch: int,
    on_mistake: OnMistake = "raise",
    *,
    as_cascades_see: bool = False,
) -> Iterator[tuple[LabelledRow, ScoredRow | Mistake]]:
    """Yield each row with its score; `batch` rows are sent to the engine together.

    A row without references has a recorded score, which is taken. With `on_mistake="keep"`, a row
    that cannot be judged has its mistake in the place of a score. A cascade goes by the probability
    of entailment alone, also of what is contradicted: with `as_cascades_see`, so do scores.
    """
    scored = partial(_scores, nli=nli, as_cascades_see=as_cascades_see)
    mistakes = RowMistakes.when(on_mistake)
    remaining = iter(rows)
    while rows_of_batch := list(islice(remaining, batch)):
        judged = [row for row in rows_of_batch if row.references is not None]
        found: Sequence[float | Mistake]
        if mistakes is None or not judged:
            found = scored(judged)
        else:
            found = mistakes.apart(judged, scored)
            mistakes.end_batch([each if isinstance(each, Mistake) else None for each in found])
        scores = iter(found)
        for row in rows_of_batch:
            score = next(scores) if row.references is not None else row.score or 0.0
            if isinstance(score, Mistake):
                yield row, score
            else:
                text = clip(" ".join(row.text.split()), _MAX_TEXT)
                yield row, ScoredRow(score, row.supported, row.group, row.number, text)


def _scores(rows: Sequence[LabelledRow], *, nli: NLIScorer, as_cascades_see: bool) -> list[float]:
    """Return the score of each row: the highest threshold at which the text is accepted."""
    questions_of_rows = [
        build_questions(row.text, row.references or References.of([]), row.question) for row in rows
    ]
    questions = [question for questions in questions_of_rows for question in questions]
    decided = iter(decide_entailment(questions, nli, Ledger().ask_now))
    scores = []
    for row, of_row in zip(rows, questions_of_rows, strict=True):
        found = [
            each.scores.entailment if as_cascades_see else each.score
            for each in islice(decided, len(of_row))
        ]
        # Talk that states nothing holds; a text without any word does not.
        scores.append(min(found, default=float(any(map(str.isalnum, row.text)))))
    return scores


def most_surprising(
    rows: Iterable[ScoredRow], threshold: float, *, supported: bool
) -> tuple[ScoredRow, ...]:
    """Return the supported rows that a threshold rejects, or the others that it accepts."""
    wrong = (
        row for row in rows if row.supported is supported and (row.score < threshold) is supported
    )
    sign = -1 if supported else 1
    return tuple(heapq.nlargest(_MOST, wrong, key=lambda row: sign * row.score))
