"""RAG answers written for the project, in which it is known of each sentence whether it holds.

The files are gzipped JSON Lines, beside the public sets; they are not part of the project. Each
line is a source: `references`, a `question`, and `answers`, each of them `sentences` with their
`text`, `ok` (true, false, or null where nothing is claimed) and `kind`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from corpora.rows import read_rows

__all__ = ["AnswerSentence", "RagAnswer", "rag_answers"]

_LIST_ITEM: Final = re.compile(r"\s*(?:[-*•]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence and where it is in its answer: half open, in code points.

    `right` says whether the references support it; it is `None` for talk and abstentions, which
    claim nothing about the subject. `kind` is the kind of the fault, or `talk` or `abstention`.
    """

    start: int
    end: int
    right: bool | None
    kind: str


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """An answer, the references and the question that it was written to, and its language."""

    source: str
    references: tuple[str, ...]
    question: str
    text: str
    sentences: tuple[AnswerSentence, ...]
    language: str = "en"

    @property
    def right(self) -> bool:
        """Whether none of the sentences is faulty."""
        return all(sentence.right is not False for sentence in self.sentences)


def rag_answers(path: Path) -> Iterator[RagAnswer]:
    """Yield the answers of a file, in its order."""
    for row in read_rows(path):
        for answer in row["answers"]:
            text, sentences = _joined(answer["sentences"])
            yield RagAnswer(
                row["id"],
                tuple(row["references"]),
                row["question"],
                text,
                sentences,
                row.get("language", "en"),
            )


def _joined(rows: list[dict[str, Any]]) -> tuple[str, tuple[AnswerSentence, ...]]:
    """Return the text of an answer and its sentences; items of a list have lines of their own."""
    text, sentences = "", []
    was_item = False
    for row in rows:
        is_item = _LIST_ITEM.match(row["text"]) is not None
        if text:
            text += "\n" if is_item or was_item else " "
        start = len(text)
        text += row["text"]
        sentences.append(AnswerSentence(start, len(text), row["ok"], row["kind"]))
        was_item = is_item
    return text, tuple(sentences)
