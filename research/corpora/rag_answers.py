"""RAG answers written for the project: several sentences each, with the faulty ones marked.

They are a folder of gzipped JSON Lines among the public sets (`research/notes/benchmarks.md`): a
line holds the references, a question and some answers. A source belongs to one part as a whole.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
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
_LIST_ITEM: Final = re.compile(r"\s*(?:[-*•]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """An answer to a question on some references.

    `are_right` says of each sentence whether the references say so; `None` if it claims nothing
    about the subject. `kinds` are the kinds of their faults, or `talk` or `abstention`.
    """

    references: tuple[str, ...]
    question: str
    sentences: tuple[str, ...]
    are_right: tuple[bool | None, ...]
    kinds: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole answer; items of a list have lines of their own."""
        separators = [""]
        for before, sentence in pairwise(self.sentences):
            is_list = _LIST_ITEM.match(sentence) or _LIST_ITEM.match(before)
            separators.append("\n" if is_list else " ")
        return "".join(map(str.__add__, separators, self.sentences))

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each sentence is in the text: half open, in code points."""
        places: list[tuple[int, int]] = []
        end = -1
        for sentence in self.sentences:
            places.append((end + 1, end + 1 + len(sentence)))  # one character is between them
            end = places[-1][1]
        return places

    @property
    def is_faultless(self) -> bool:
        """Whether no sentence is wrong."""
        return False not in self.are_right


def rag_answers(folder: Path, part: Part | None, names: Sequence[str] = _FILES) -> list[RagAnswer]:
    """Return the answers of a part, or of both, in the order of the files; by default the English.

    `languages` is the name of the file of other languages.
    """
    return [
        RagAnswer(
            tuple(row["references"]),
            row["question"],
            tuple(sentence["text"] for sentence in answer["sentences"]),
            tuple(sentence["ok"] for sentence in answer["sentences"]),
            tuple(sentence["kind"] for sentence in answer["sentences"]),
        )
        for name in names
        for row in read_rows(folder / "answers" / f"{name}.jsonl.gz")
        if part is None or _part_of(row["id"]) == part
        for answer in row["answers"]
    ]


def _part_of(source: str) -> Part:
    digest = hashlib.sha256(_SAME_TEXT.get(source, source).encode()).hexdigest()
    return "tune" if int(digest, 16) % 100 < _TUNE_BELOW else "test"
