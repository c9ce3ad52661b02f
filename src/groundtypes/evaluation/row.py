"""The rows that are evaluated."""

from dataclasses import dataclass
from typing import Any

from groundtypes.errors import ContextError
from groundtypes.references import References


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
