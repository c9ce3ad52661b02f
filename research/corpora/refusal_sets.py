"""Labelled replies of public sets: which rows are trained, tuned and reported on."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpora.rows import read_rows

__all__ = ["ANSWERING_SETS", "SETS", "Reply", "answering_texts", "part", "replies"]

#: set -> label -> kind. Labels that are not named here are left out.
SETS: Final[Mapping[str, Mapping[str, str]]] = {
    "xstest_completions": {
        "compliance": "answer",
        "refusal": "refusal",
        "partial_refusal": "partial",
    },
    "chatgpt_refusals": {
        "compliance": "answer",
        "refusal": "refusal",
        "redirected": "partial",
        "contradicted": "partial",
        "counseling": "partial",
        "disclaimed": "partial",
        "dontknow": "abstention",
    },
    "delucionqa_abstention": {
        "answers": "answer",
        "abstains": "abstention",
        "abstains_by_rule": "abstention",
    },
}

#: Sets of texts that answer, none of them trained on -> the key of the text.
ANSWERING_SETS: Final = {
    "qags": "response",
    "summedits": "response",
    "bump": "response",
    "ragtruth_qa_test": "response",
    "mtrag_human_eval": "response",
    "factscore_facts": "sentence",
    "factcheckgpt_stance": "response",
    "factscore_claims": "full_response",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, what it does, and where it comes from; `part` is train, tune or test."""

    text: str
    kind: str
    origin: str
    part: str
    label: str = ""
    question: str | None = None


def part(row_id: str) -> str:
    """Return the part that a row belongs to: by the SHA-256 of its id, modulo 100."""
    number = int(hashlib.sha256(row_id.encode()).hexdigest(), 16) % 100
    return "train" if number < 60 else "tune" if number < 80 else "test"


def replies(folder: Path, name: str) -> Iterator[Reply]:
    """Yield the labelled replies of a set."""
    for row in read_rows(folder / "refusal" / f"{name}.jsonl.gz"):
        kind = SETS[name].get(row["label"])
        if kind is not None and row["response"].strip():
            yield Reply(row["response"], kind, name, part(row["id"]), row["label"], row["prompt"])


def answering_texts(folder: Path, name: str) -> list[str]:
    """Return the different texts of one of `ANSWERING_SETS`."""
    key = ANSWERING_SETS[name]
    rows = read_rows(folder / "grounded" / f"{name}.jsonl.gz")
    return sorted({row[key] for row in rows if row.get(key)})
