"""Pairs of the written claims that a teacher labels for the small model.

    python -m training.everyday_opinions --out build/opinions.jsonl

The teacher is the larger model that is shipped (`research/models/groundtypes-nli-large`), without
its calibration, unless the folder of another ONNX model is named. Beside pairs whose label is
known, of which the teacher's opinion is a part, there are others of which it is all: a statement
beside sentences that were not written as its evidence, and beside another statement on the same
references.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from corpora.written_claims import ClaimSet, claim_sets
from groundtypes import Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.scoring import NLIScorer
from groundtypes.text.sentences import sentence_spans
from training.claim_pairs import claim_pairs
from training.everyday_mixture import uncalibrated
from training.rows import Row, read_teacher_pairs, write_teacher_pairs
from training.teacher_pairs import UNKNOWN, with_predictions

__all__ = ["labelled_by", "main", "opinions_to_ask"]

_SEED: Final = 91
#: So many pairs of each sentence of a claim, with premises of at most so many words.
_OF_SENTENCE: Final = 4
_WORDS: Final = 60
#: So many sentences that do not decide are laid beside each statement.
_OTHER_SENTENCES: Final = 2
#: After so many pairs, progress is shown.
_SHOWN: Final = 2_000


def opinions_to_ask(sets: Sequence[ClaimSet], scale: float = 1.0, seed: int = _SEED) -> list[Row]:
    """Return the pairs in random order; those without a known label have the target `UNKNOWN`."""
    rng = random.Random(seed)
    known = list(claim_pairs(rng, sets, _OF_SENTENCE, _WORDS))
    others = list(_unlabelled(rng, sets))
    rows = rng.sample(known, int(len(known) * scale))
    rows += rng.sample(others, int(len(others) * scale))
    rng.shuffle(rows)
    return rows


def _unlabelled(rng: random.Random, sets: Sequence[ClaimSet]) -> Iterator[Row]:
    for claim_set in sets:
        sentences = [
            " ".join(text[start:end].split())
            for text in claim_set.references
            for start, end in sentence_spans(text)
        ]
        statements = [claim for claim in claim_set.claims if claim.form == "statement"]
        for claim in statements:
            decides = {" ".join(sentence.split()) for sentence in claim.decides}
            rest = [sentence for sentence in sentences if sentence not in decides]
            for sentence in rng.sample(rest, min(_OTHER_SENTENCES, len(rest))):
                yield Row(sentence, claim.text, UNKNOWN, "other sentence")
            if others := [other.text for other in statements if other.text != claim.text]:
                yield Row(rng.choice(others), claim.text, UNKNOWN, "other statement")


def labelled_by(engine: NLIScorer, rows: Sequence[Row]) -> list[Row]:
    """Return the pairs with what the engine says of them in their targets."""
    predictions = []
    for start in range(0, len(rows), _SHOWN):
        pairs = [Pair(row.premise, row.hypothesis) for row in rows[start : start + _SHOWN]]
        scores = engine.score(pairs)
        predictions += [(each.entailment, each.neutral, each.contradiction) for each in scores]
        print(f"{len(predictions)} of {len(rows)} pairs", flush=True)
    return with_predictions(rows, predictions)


def main(argv: Sequence[str] | None = None) -> None:
    """Make the pairs, label them, and write JSON Lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teacher", help="folder of another ONNX model than the larger one")
    parser.add_argument("--out", type=Path, default=Path("build/opinions.jsonl"))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=_SEED, help="another one draws other pairs")
    parser.add_argument(
        "--beside", type=Path, help="its pairs are written, too, and not asked again"
    )
    parser.add_argument("--domains", nargs="+", help="ask about the claims of these alone")
    args = parser.parse_args(argv)
    before = read_teacher_pairs(args.beside) if args.beside else []
    known = {(row.premise, row.hypothesis) for row in before}
    sets = [
        claim_set
        for claim_set in claim_sets("train")
        if args.domains is None or claim_set.domain in args.domains
    ]
    asked = opinions_to_ask(sets, args.scale, args.seed)
    asked = [row for row in asked if (row.premise, row.hypothesis) not in known]
    if args.teacher:
        engine = OnnxNLI(args.teacher, calibrate=uncalibrated)
    else:
        engine = OnnxNLI.large(calibrate=uncalibrated)
    write_teacher_pairs(args.out, [*before, *labelled_by(engine, asked)])


if __name__ == "__main__":
    main()
