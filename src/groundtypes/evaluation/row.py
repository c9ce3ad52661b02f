"""The rows that are evaluated: their columns, and which text is scored against which references."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.errors import ContextError, DatasetError
from groundtypes.references import References
from groundtypes.row_files.answer_rows import REFERENCE_KEYS
from groundtypes.row_files.table_files import parsed_references
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.message_excerpts import clip


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """An answer to evaluate.

    Without references or a ground truth, the scores that need them are missing. `references` may
    have any shape: a text, a list of texts, a mapping from id to text, documents.
    """

    question: str | None
    references: Any
    answer: str
    ground_truth: str | None = None

    def check(self) -> None:
        """Raise an error if the row cannot be evaluated.

        Raises:
            ContextError: The question, the answer or the ground truth is not text.
            ReferencesError: The references cannot be read.
        """
        texts = {
            "question": self.question,
            "answer": self.answer,
            "ground truth": self.ground_truth,
        }
        for name, text in texts.items():
            if not isinstance(text, str) and (name == "answer" or text is not None):
                raise ContextError(f"the {name} is of type {type(text).__name__}, not text")
        if self.references is not None:
            References.of(self.references)


@dataclass(frozen=True, slots=True)
class Columns:
    """Under which names a row holds its parts.

    `context=None` means the first of the context columns that has a value.
    """

    answer: str = "answer"
    context: str | None = None
    question: str = "question"
    ground_truth: str = "ground_truth"
    row_id: str = "id"

    def __post_init__(self) -> None:
        if self.answer == self.context:
            raise DatasetError(f"`answer` and `context` both name {clip(repr(self.answer), 40)}.")

    def read(self, row: Mapping[str, Any]) -> EvaluationRow:
        """Return what is evaluated."""
        if self.answer not in row or (self.context is not None and self.context not in row):
            raise ContextError(self.missing(row))
        names = (self.context,) if self.context is not None else REFERENCE_KEYS
        context = next((row[name] for name in names if row.get(name) is not None), None)
        answer = row[self.answer]
        return EvaluationRow(
            row.get(self.question),
            parsed_references(context),
            "" if answer is None else answer,
            row.get(self.ground_truth),
        )

    def missing(self, row: Mapping[str, Any]) -> str:
        """Return a text that says which columns a row lacks and which it has."""
        wanted = [name for name in (self.answer, self.context) if name is not None]
        missing = ", ".join(repr(clip(name, 40)) for name in wanted if name not in row)
        present = ", ".join(repr(clip(str(name), 40)) for name in list(row)[:20])
        return f"no column {missing}; the columns are {present or 'none'}"


def plain_id(value: Any) -> Any:
    """Return the id of a row as JSON can hold it; Parquet has dates, bytes and others."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


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
    """Return the three support tasks of a row, in the order of the scores of `Evaluation`."""
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
