"""RAG answers written for the project: several sentences each, with the faulty ones marked.

They are a folder of gzipped JSON Lines among the public sets (`docs/benchmarks.md`): a line holds
the references, a question and some answers. A source belongs to one part as a whole.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from corpora.rows import read_rows

__all__ = ["Part", "RagAnswer", "rag_answers"]

Part = Literal["tune", "test"]

#: The files of English answers.
_FILES: Final = ("rag", "more")
#: Two sources on one text.
_SAME_TEXT: Final = {"wiki4-23": "wiki4-17"}
_TUNE_BELOW: Final = 60


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """An answer to a question on some references.

    `are_right` says of each sentence whether the references say so; `None` if it claims nothing.
    """

    references: tuple[str, ...]
    question: str
    sentences: tuple[str, ...]
    are_right: tuple[bool | None, ...]

    @property
    def text(self) -> str:
        """The whole answer."""
        return " ".join(self.sentences)

    @property
    def is_faultless(self) -> bool:
        """Whether no sentence is wrong."""
        return False not in self.are_right


def rag_answers(folder: Path, part: Part) -> list[RagAnswer]:
    """Return the English answers of a part, in the order of the files."""
    return [
        RagAnswer(
            tuple(row["references"]),
            row["question"],
            tuple(sentence["text"] for sentence in answer["sentences"]),
            tuple(sentence["ok"] for sentence in answer["sentences"]),
        )
        for name in _FILES
        for row in read_rows(folder / "answers" / f"{name}.jsonl.gz")
        if _part_of(row["id"]) == part
        for answer in row["answers"]
    ]


def _part_of(source: str) -> Part:
    digest = hashlib.sha256(_SAME_TEXT.get(source, source).encode()).hexdigest()
    return "tune" if int(digest, 16) % 100 < _TUNE_BELOW else "test"
