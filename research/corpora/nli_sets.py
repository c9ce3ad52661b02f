"""The public sets that entailment is measured with, and which of their rows are for what.

The sets are a folder of gzipped JSON Lines, described in `research/notes/benchmarks.md`; they are
not part of the project.
"""

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.rows import read_rows

__all__ = [
    "REPORTED_PAIRS",
    "REPORTED_TEXTS",
    "TUNING_TEXTS",
    "LabelledPair",
    "LabelledText",
    "labelled_pairs",
    "labelled_texts",
]

#: Name of the set -> the split that benchmarks report. Nothing is trained, tuned or calibrated on
#: these rows.
REPORTED_PAIRS = {
    "snli_devtest": "dev",
    "mnli_subset": "dev",
    "fever_rte": "test",
    "semiauto_wiki": "test",
    "breaking_nli": "test",
    "negation": "test",
}
REPORTED_TEXTS = {
    "bump": "public",
    "factcheckgpt_stance": "public",
    "factscore_claims": "public",
    "ragtruth_qa_test": "public",
    "summedits": "public",
    "qags": "test",
}
#: Name of the set -> the split on which thresholds and weights are chosen.
TUNING_TEXTS = {"attributionbench": "dev", "begin": "dev", "wice_claims": "dev"}


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair of sentences with its label: one of the three, or `not_entailment`."""

    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, its references, and whether people say that the references support it."""

    references: tuple[str, ...]
    text: str
    supported: bool
    question: str | None = None


def labelled_pairs(folder: Path, name: str, split: str, most: int | None) -> list[LabelledPair]:
    """Return the pairs of a set, or a random sample of them if there are more than `most`."""
    rows = [row for row in read_rows(folder / "nli" / f"{name}.jsonl.gz") if row["split"] == split]
    return [
        LabelledPair(row["premise"], row["hypothesis"], row["label"]) for row in _sample(rows, most)
    ]


def labelled_texts(folder: Path, name: str, split: str, most: int | None) -> list[LabelledText]:
    """Return the texts of a set, or a random sample of them if there are more than `most`."""
    rows = [
        row for row in read_rows(folder / "grounded" / f"{name}.jsonl.gz") if row["split"] == split
    ]
    if name == "wice_claims":
        return _sample(_wice(rows), most)
    contexts = {}
    if name == "factscore_claims":
        path = folder / "grounded" / "factscore_contexts.jsonl.gz"
        contexts = {row["ctx_id"]: row["text"] for row in read_rows(path)}
    texts = [_labelled_text(row, contexts) for row in rows if row["label"] != "generic"]
    return _sample([row for row in texts if row.references[0] and row.text], most)


def _labelled_text(row: dict[str, Any], contexts: dict[str, str]) -> LabelledText:
    context = contexts.get(row.get("ctx_id") or "", row.get("context"))
    text = row.get("claim") or row.get("response")
    question = row.get("question")
    return LabelledText(
        (str(context or ""),),
        str(text or ""),
        row["label"] == "supported",
        None if question in (None, "None", "") else str(question),
    )


def _wice(rows: list[dict[str, Any]]) -> list[LabelledText]:
    """Join the rows of one claim, each of which holds the evidence that one person chose."""
    claims: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        claims[row["claim_id"]].append(row)
    return [
        LabelledText(
            tuple(dict.fromkeys(row["context"] for row in group)),
            group[0]["response"],
            group[0]["label"] == "supported",
        )
        for group in claims.values()
    ]


def _sample(rows: list[Any], most: int | None) -> list[Any]:
    if most is None or len(rows) <= most:
        return rows
    return random.Random(20).sample(rows, most)
