"""The pairs of the run on everyday text: written claims, natural passages, and known pairs.

Known pairs keep what the model knows: their targets are shared with what the model said before.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from corpora.rows import read_rows
from corpora.written_claims import claim_sets
from groundtypes import Pair, References
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.evidence.index import select_passages
from groundtypes.evidence.premises import compose_premise
from groundtypes.scoring import NLIScores
from training.claim_pairs import claim_pairs, softened, start_sets
from training.negations import negated
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, Row, train_rows

__all__ = ["everyday_mixture"]

#: How many known pairs of each set are shown.
_KNOWN: Final = {
    "mnli_subset": 1500,
    "snli_train_slice": 1300,
    "cad_snli": 600,
    "fever_rte": 800,
    "semiauto_wiki": 500,
    "conjnli": 300,
    "med": 300,
    "folio": 100,
    "scifact_pairs": 200,
}
#: How many pairs of each sentence of a claim are shown.
_PAIRS: Final = 3
#: How many pairs of the sets that were written first are shown.
_START: Final = 1500
_NEGATED: Final = 800
_NEWS: Final = 700
_TABLES: Final = 500
_CONJUNCTIONS: Final = 200
#: The share of what the model said before in the target of a known pair.
_KEPT: Final = 0.5
#: A news passage from which what a claim needs was taken away does not state it.
_MISSING: Final = (0.0, 0.8, 0.2)
_TARGETS: Final = {
    "entailment": ENTAILMENT,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTION,
}


def everyday_mixture(
    data: Path,
    _wordnet: Path,
    seed: int,
    scale: float = 1.0,
    _teacher_pairs: Sequence[Row] = (),
) -> list[Row]:
    """Return the pairs in random order; `scale` is the share of the written claims."""
    rng = random.Random(seed)
    sets = claim_sets("train")
    rows = list(claim_pairs(rng, rng.sample(sets, int(len(sets) * scale)), _PAIRS))
    rows += rng.sample(list(claim_pairs(rng, start_sets(data), _PAIRS)), _START)
    rows += rng.sample(list(news(data)), _NEWS)
    rows += rng.sample(list(tables(data)), _TABLES)
    rows += rng.sample(list(conjunctions(data)), _CONJUNCTIONS)
    known = _known(rng, data)
    rows += softened(known, _guesses(known), _KEPT)
    rng.shuffle(rows)
    return rows


def _known(rng: random.Random, data: Path) -> list[Row]:
    by_origin: dict[str, list[Row]] = {}
    for row in train_rows(data, {"mnli_subset": 1.0, "fever_rte": 1.0}):
        by_origin.setdefault(row.origin, []).append(row)
    known = [
        row
        for origin, count in _KNOWN.items()
        for row in rng.sample(by_origin[origin], min(count, len(by_origin[origin])))
    ]
    short = by_origin["snli_train_slice"] + by_origin["mnli_subset"]
    return known + list(negated(rng, short, _NEGATED))


def _guesses(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """Return what the bundled network says of pairs, without its calibration."""
    engine = OnnxNLI(calibrate=_uncalibrated)
    scores = engine.score([Pair(row.premise, row.hypothesis) for row in rows])
    return [(score.entailment, score.neutral, score.contradiction) for score in scores]


def _uncalibrated(_pair: Pair, scores: NLIScores) -> NLIScores:
    return scores


def news(data: Path) -> Iterator[Row]:
    """Yield claims on news passages, and the same on passages that no longer say so."""
    for row in read_rows(data / "grounded" / "cg2c_doc.jsonl.gz"):
        if row["split"] != "train":
            continue
        claim = str(row.get("claim") or row.get("response"))
        references = References.of([row["context"]])
        target = ENTAILMENT if row["label"] == "supported" else _MISSING
        if composed := compose_premise(references, claim):
            yield Row(composed.text, claim, target, "news: composed")
        # A supported claim may need what stands outside of its best passage.
        [passage] = select_passages(references, claim, 1)
        if row["label"] != "supported" or len(passage.text) >= len(row["context"].strip()):
            yield Row(passage.text, claim, target, "news: passage")


def tables(data: Path) -> Iterator[Row]:
    """Yield statements on tables that are told as text."""
    yield from _pairs(data, "infotabs")


def conjunctions(data: Path) -> Iterator[Row]:
    """Yield sentences with a part of a conjunction left out or added."""
    yield from _pairs(data, "help")


def _pairs(data: Path, name: str) -> Iterator[Row]:
    row: dict[str, Any]
    for row in read_rows(data / "nli" / f"{name}.jsonl.gz"):
        if row["split"] == "train":
            yield Row(row["premise"], row["hypothesis"], _TARGETS[row["label"]], name)
