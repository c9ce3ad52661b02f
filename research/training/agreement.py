"""How often models say what the teacher says, of pairs from premises held out from training.

    python -m training.agreement --data DATA --teacher build/teacher/averaged --encoder MINILM \
      research/models/groundtypes-nli/src/groundtypes_nli/nli [MODEL ...]

The pairs are made in the same way as those that a teacher labels
(`research/training/teacher_pairs.py`), and no benchmark reports them. There are thousands of them,
where people labelled hundreds: enough to choose between runs.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from groundtypes import NLIScores, Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from training.fit_calibrator import untouched
from training.long_premises import Corpus
from training.rows import Row, Target, tune_rows
from training.teacher_pairs import (
    REVERSED_WORDS,
    UNKNOWN,
    Near,
    labelled,
    near_words,
    other_words,
    part,
)

__all__ = ["agreement", "kept_back", "main"]

_SEED: Final = 99
#: The number of pairs of SNLI and of FEVER; all of MultiNLI is used.
_SOME: Final = 250


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", help="folders that export_onnx.py wrote")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--teacher", required=True, help="folder of the trained teacher")
    parser.add_argument("--encoder", required=True, help="folder of all-MiniLM-L6-v2")
    args = parser.parse_args(argv)
    rows = labelled(kept_back(args.data, near_words(args.encoder)), args.teacher)
    kinds = sorted({row.origin for row in rows})
    print(f"{len(rows)} pairs; labels that are the teacher's, in %:\n")
    names = " | ".join(kind.removeprefix("taught: ") for kind in kinds)
    print(f"| model | all | {names} |")
    print("|---" * (len(kinds) + 2) + "|")
    for model in args.models:
        engine = OnnxNLI(model, calibrate=untouched)
        found = agreement(engine.score([Pair(row.premise, row.hypothesis) for row in rows]), rows)
        cells = (f"{100 * found[kind]:.1f}" for kind in ("all", *kinds))
        print(f"| {Path(model).name} | {' | '.join(cells)} |", flush=True)


def kept_back(data: Path, near: Near) -> list[Row]:
    """Return pairs without labels, from premises held out from training."""
    rng = random.Random(_SEED)
    found: list[Row] = []

    def add(kind: str, premise: str | None, hypothesis: str | None) -> None:
        if premise and hypothesis and premise != hypothesis:
            found.append(Row(premise, hypothesis, UNKNOWN, kind))

    sets = tune_rows(data)
    pairs = sets["mnli_subset"]
    claims = Corpus(row.hypothesis for row in pairs)
    for row in pairs:
        add("known", row.premise, row.hypothesis)
        add("other words", row.premise, other_words(rng, row.hypothesis, near))
        add("part", row.premise, part(rng, row.premise))
        if len(row.premise.split()) < REVERSED_WORDS:
            add("reversed", row.hypothesis, row.premise)
        add("other premise", other_words(rng, row.premise, near), row.hypothesis)
        if beside := claims.near(row.premise, 3, {row.hypothesis}):
            add("near", row.premise, rng.choice(beside))
    for row in sets["snli_train_slice"][:_SOME]:
        add("snli", row.premise, row.hypothesis)
        add("snli reversed", row.hypothesis, row.premise)
    for row in sets["fever_rte"][:_SOME]:
        add("wiki other", row.premise, other_words(rng, row.hypothesis, near))
    return found


def agreement(said: Sequence[NLIScores], rows: Sequence[Row]) -> dict[str, float]:
    """Return the share of pairs with the teacher's label, of `all` and of each kind."""
    same: dict[str, list[bool]] = defaultdict(list)
    for scores, row in zip(said, rows, strict=True):
        found = _first((scores.entailment, scores.neutral, scores.contradiction))
        for kind in ("all", row.origin):
            same[kind].append(found == _first(row.target))
    return {kind: sum(one) / len(one) for kind, one in same.items()}


def _first(shares: Target) -> int:
    return max(range(len(shares)), key=shares.__getitem__)


if __name__ == "__main__":
    main()
