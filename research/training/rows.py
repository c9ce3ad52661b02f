"""Labelled pairs to train and tune on, read from a folder of public sets.

The folder holds gzipped JSON Lines with `premise`, `hypothesis`, `label` and `split`; the model
card says which sets they are and under which licence.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from corpora.detokenise import detokenise
from corpora.rows import read_rows

__all__ = [
    "CONTRADICTION",
    "ENTAILMENT",
    "NEUTRAL",
    "NOT_ENTAILED",
    "TRAINED",
    "Row",
    "Target",
    "read_teacher_pairs",
    "train_rows",
    "tune_rows",
    "write_teacher_pairs",
]

#: The target probabilities of the three labels: entailment, neutral, contradiction.
Target = tuple[float, float, float]
ENTAILMENT: Final[Target] = (1.0, 0.0, 0.0)
NEUTRAL: Final[Target] = (0.0, 1.0, 0.0)
CONTRADICTION: Final[Target] = (0.0, 0.0, 1.0)
#: Not entailed; it is unknown whether it is contradicted.
NOT_ENTAILED: Final[Target] = (0.0, 0.5, 0.5)

_TARGETS: Final = {
    "entailment": ENTAILMENT,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTION,
    "not_entailment": NOT_ENTAILED,
}

#: set -> the share of its training split that is used. Sets without a licence are left out.
TRAINED: Final = {
    "snli_train_slice": 0.25,
    "cad_snli": 0.4,
    "mnli_subset": 0.7,
    "fever_rte": 0.25,
    "semiauto_wiki": 0.2,
    "conjnli": 0.1,
    "med": 0.3,
    "folio": 1.0,
    "scifact_pairs": 1.0,
}


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, its target probabilities, and its origin."""

    premise: str
    hypothesis: str
    target: Target
    origin: str


def read_teacher_pairs(path: Path) -> list[Row]:
    """Return the pairs that a teacher labelled (`research/training/teacher_pairs.py`)."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Row(row["premise"], row["hypothesis"], tuple(row["target"]), row["origin"]) for row in rows
    ]


def write_teacher_pairs(path: Path, rows: Iterable[Row]) -> None:
    """Write pairs that a teacher labelled for `read_teacher_pairs`."""
    lines = [
        json.dumps(
            {
                "premise": row.premise,
                "hypothesis": row.hypothesis,
                "target": [round(part, 4) for part in row.target],
                "origin": row.origin,
            }
        )
        for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def share(text: str) -> float:
    """Return a number from 0 to 1 that depends on the text alone."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


def train_rows(folder: Path, more: Mapping[str, float] = MappingProxyType({})) -> list[Row]:
    """Return the pairs to train on; one in 40 of SNLI and MNLI is kept to tune on.

    `more` has other shares of some sets.
    """
    rows = []
    for name, used in {**TRAINED, **more}.items():
        for row in read_rows(folder / "nli" / f"{name}.jsonl.gz"):
            kept = name in _HELD and share(row["premise"]) < _HELD_SHARE
            if row["split"] == "train" and not kept and share(row["id"]) <= used:
                rows.append(_row(row, name))
    return rows


_HELD: Final = {"snli_train_slice", "mnli_subset"}
_HELD_SHARE: Final = 1 / 40
_TUNED: Final = ("cad_snli", "fever_rte", "conjnli", "med")


def tune_rows(folder: Path) -> dict[str, list[Row]]:
    """Return the pairs to tune on, by set; no benchmark reports them."""
    sets: dict[str, list[Row]] = {}
    for name in sorted(_HELD):
        sets[name] = [
            _row(row, name)
            for row in read_rows(folder / "nli" / f"{name}.jsonl.gz")
            if row["split"] == "train" and share(row["premise"]) < _HELD_SHARE
        ]
    for name in _TUNED:
        sets[name] = [
            _row(row, name)
            for row in read_rows(folder / "nli" / f"{name}.jsonl.gz")
            if row["split"] == "dev"
        ]
    return sets


def _row(row: dict[str, Any], name: str) -> Row:
    return Row(
        detokenise(row["premise"]), detokenise(row["hypothesis"]), _TARGETS[row["label"]], name
    )
