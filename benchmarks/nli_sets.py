"""The public sets by which entailment is measured: which rows are reported, which are tuned on.

The sets are a folder of gzipped JSON Lines, described in `docs/benchmarks.md`; they are not part of
the project.
"""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["GROUNDED", "PAIRS", "Grounded", "LabelledPair", "grounded", "labelled_pairs"]

#: name -> the split that is reported; none of these rows is trained, tuned or calibrated on.
PAIRS = {
    "snli_devtest": "dev",
    "mnli_subset": "dev",
    "fever_rte": "test",
    "semiauto_wiki": "test",
    "breaking_nli": "test",
    "negation": "test",
}
GROUNDED = {
    "bump": "public",
    "factcheckgpt_stance": "public",
    "factscore_claims": "public",
    "ragtruth_qa_test": "public",
    "summedits": "public",
    "qags": "test",
}
#: What thresholds and weights are chosen on.
TUNED_GROUNDED = {"attributionbench": "dev", "begin": "dev", "wice_claims": "dev"}


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair of sentences with its label: one of the three, or `not_entailment`."""

    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """A text, the references it shall stand on (each one text), and whether people say it does."""

    references: tuple[str, ...]
    text: str
    supported: bool
    question: str | None = None


def labelled_pairs(folder: Path, name: str, split: str, most: int | None) -> list[LabelledPair]:
    """Return the pairs of a set, in a drawn order if they are cut to `most`."""
    rows = [row for row in read(folder / "nli" / f"{name}.jsonl.gz") if row["split"] == split]
    return [
        LabelledPair(row["premise"], row["hypothesis"], row["label"]) for row in _some(rows, most)
    ]


def grounded(folder: Path, name: str, split: str, most: int | None) -> list[Grounded]:
    """Return the texts of a set with their references, in a drawn order if cut to `most`."""
    rows = [row for row in read(folder / "grounded" / f"{name}.jsonl.gz") if row["split"] == split]
    if name == "wice_claims":
        return _some(_wice(rows), most)
    contexts = {}
    if name == "factscore_claims":
        path = folder / "grounded" / "factscore_contexts.jsonl.gz"
        contexts = {row["ctx_id"]: row["text"] for row in read(path)}
    found = [_grounded(row, contexts) for row in rows if row["label"] != "generic"]
    return _some([row for row in found if row.references[0] and row.text], most)


def _grounded(row: dict[str, Any], contexts: dict[str, str]) -> Grounded:
    context = contexts.get(row.get("ctx_id") or "", row.get("context"))
    text = row.get("claim") or row.get("response")
    question = row.get("question")
    return Grounded(
        (str(context or ""),),
        str(text or ""),
        row["label"] == "supported",
        None if question in (None, "None", "") else str(question),
    )


def _wice(rows: list[dict[str, Any]]) -> list[Grounded]:
    """Join the rows of one claim, each of which holds the evidence that one person chose."""
    claims: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        claims[row["claim_id"]].append(row)
    return [
        Grounded(
            tuple(dict.fromkeys(row["context"] for row in group)),
            group[0]["response"],
            group[0]["label"] == "supported",
        )
        for group in claims.values()
    ]


def _some(rows: list[Any], most: int | None) -> list[Any]:
    if most is None or len(rows) <= most:
        return rows
    return random.Random(20).sample(rows, most)


def read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
