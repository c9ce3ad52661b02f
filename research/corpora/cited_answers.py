"""Answers with citation markers that were written for the project, with labels.

`research/benchmarks/data/cited_answers.md` says how they were written.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from corpora.rows import read_rows

__all__ = ["CitedRow", "load_answers"]

_FILE: Final = Path(__file__).parents[1] / "benchmarks" / "data" / "cited_answers.jsonl.gz"


class CitedRow(BaseModel):
    """An answer that was written for this benchmark, with its labels."""

    id: str
    split: str
    domain: str
    style: str
    scope: str
    fault: str | None
    question: str
    references: list[dict[str, str]]
    answer: str
    markers: list[dict[str, Any]]
    sentences: list[dict[str, Any]]

    @property
    def texts(self) -> dict[str, str]:
        """The references by their ids."""
        return {reference["id"]: reference["text"] for reference in self.references}

    def placed_sentences(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield the sentences with their places in the answer."""
        end = 0
        for sentence in self.sentences:
            start = self.answer.index(sentence["text"], end)
            end = start + len(sentence["text"])
            yield start, end, sentence


def load_answers(split: str) -> list[CitedRow]:
    """Return the answers of a split."""
    rows = map(CitedRow.model_validate, read_rows(_FILE))
    return [row for row in rows if row.split == split]
