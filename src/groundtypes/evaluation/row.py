"""The rows that are evaluated: their columns, and which text is scored against which references."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.errors import ContextError, DatasetError
from groundtypes.references import References
from groundtypes.references.row_keys import ANSWER, EXPECTED, QUESTION, REFERENCES, RowKey
from groundtypes.row_files.table_files import read_references
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

    `None` means the usual names, those of `groundtypes.references.row_keys`.
    """

    answer: str | None = None
    context: str | None = None
    question: str | None = None
    ground_truth: str | None = None
    row_id: str = "id"

    def __post_init__(self) -> None:
        if self.answer is not None and self.answer == self.context:
            raise DatasetError(f"`answer` and `context` both name {clip(repr(self.answer), 40)}.")

    def read(self, row: Mapping[str, Any]) -> EvaluationRow:
        """Return what is evaluated."""
        if (missing := self.missing(row)) is not None:
            raise ContextError(missing)
        named = (self.answer, self.context, self.question, self.ground_truth)
        _, answer = ANSWER.named(self.answer, named).find(row)
        _, context = (
            replace(REFERENCES, option="context")
            .named(self.context, named)
            .find(row, read_references)
        )
        _, question = QUESTION.named(self.question, named).find(row)
        _, truth = EXPECTED.named(self.ground_truth, named).find(row)
        return EvaluationRow(question, context, "" if answer is None else answer, truth)

    def missing(self, columns: Collection[str], *, of_file: bool = False) -> str | None:
        """Return which column of those that a row, or a file, must have is missing, if one is.

        A row may be without its question, expected answer or id, but no row can have a column
        that the file does not have: a name that was given for it is wrong.
        """
        wanted = [ANSWER.named(self.answer, (self.context, self.question, self.ground_truth))]
        named = {"context": self.context}
        if of_file:
            named |= {"question": self.question, "ground_truth": self.ground_truth}
            named["row_id"] = None if self.row_id == "id" else self.row_id  # runs may have no ids
        wanted += [RowKey(option, (name,)) for option, name in named.items() if name is not None]
        for part in wanted:
            if not any(name in columns for name in part.names):
                return f"no column {part.missing(columns)}"
        return None


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
