"""Replies written for the project: how assistants answer, refuse and abstain in many languages.

`data/refusal_replies.jsonl.gz` has one reply on each line, `research/notes/refusal-model.md` is its
card.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpora.rows import read_rows

__all__ = ["UNTRAINED_LANGUAGES", "WrittenReply", "written_replies"]

FILE: Final = Path(__file__).parent / "data" / "refusal_replies.jsonl.gz"
#: Nothing is trained on these, so that the scores tell how far the model carries over.
UNTRAINED_LANGUAGES: Final = frozenset({"da", "uk"})


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A reply, what it does, its language and domain; `part` is train, tune, test or untrained.

    `wording` says how its writer was asked to decline: in "varied" or mostly in "common" ways.
    """

    text: str
    kind: str
    language: str
    domain: str
    question: str
    wording: str
    part: str


def written_replies() -> Iterator[WrittenReply]:
    """Yield the written replies; whole domains, and two languages, are kept from training."""
    for row in read_rows(FILE):
        yield WrittenReply(
            row["text"],
            row["kind"],
            row["language"],
            row["domain"],
            row["question"],
            row["wording"],
            _part(row["domain"], row["language"]),
        )


def _part(domain: str, language: str) -> str:
    if language in UNTRAINED_LANGUAGES:
        return "untrained"
    number = int(hashlib.sha256(domain.encode()).hexdigest(), 16) % 100
    return "train" if number < 70 else "tune" if number < 82 else "test"
