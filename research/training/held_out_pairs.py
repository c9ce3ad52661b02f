"""Write a thousand pairs held out from training, with which `export_onnx.py` sets its scales.

    python -m training.held_out_pairs --data DATA PAIRS.jsonl

No benchmark reports any of them.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from corpora import nli_sets
from groundtypes import Pair, References
from groundtypes.entailment.questions import build_questions
from groundtypes.text.hypotheses import hypotheses
from training.rows import tune_rows

__all__ = ["held_out_pairs", "main"]

_SEED: Final = 4
_OF_A_SET: Final = 100
#: Texts with their passages: so many texts of each set, and so many of their pairs.
_TEXTS: Final = ("attributionbench", "begin")
_ROWS: Final = 120
_OF_TEXTS: Final = 200


def main(argv: Sequence[str] | None = None) -> None:
    """Write JSON Lines with `premise` and `hypothesis`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args(argv)
    pairs = held_out_pairs(args.data)
    lines = [json.dumps({"premise": one.premise, "hypothesis": one.hypothesis}) for one in pairs]
    args.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(pairs)} pairs")


def held_out_pairs(data: Path) -> list[Pair]:
    """Return pairs of the sets to tune on, short ones and passages, in random order."""
    rng = random.Random(_SEED)
    found = []
    for rows in tune_rows(data).values():
        some = rng.sample(rows, min(_OF_A_SET, len(rows)))
        found += [Pair(row.premise, row.hypothesis) for row in some]
    for name in _TEXTS:
        pairs = [
            pair
            for row in nli_sets.labelled_texts(data, name, nli_sets.TUNING_TEXTS[name], _ROWS)
            for asked in build_questions(
                hypotheses(row.text), References.of(list(row.references)), row.question
            )
            for pair in asked.pairs
        ]
        found += rng.sample(pairs, min(_OF_TEXTS, len(pairs)))
    rng.shuffle(found)
    return found


if __name__ == "__main__":
    main()
