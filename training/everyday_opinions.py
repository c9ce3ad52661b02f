r"""Pairs of the written claims that a teacher labels for the small model.

    python -m training.everyday_opinions --teacher build/everyday_teacher/averaged \
      --out build/everyday_opinions.jsonl

Beside pairs whose label is known, of which the teacher's opinion is a part, there are others of
which it is all: a statement beside a sentence that was not written as its evidence, and beside
another statement on the same references.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from corpora.written_claims import ClaimSet, claim_sets
from groundtypes.text.sentences import sentence_spans
from training.claim_pairs import claim_pairs
from training.rows import Row, write_teacher_pairs
from training.teacher_pairs import UNKNOWN, labelled

__all__ = ["main", "opinions_to_ask"]

_SEED: Final = 91
#: So many pairs of each sentence of a claim, with premises of at most so many words.
_OF_SENTENCE: Final = 2
_WORDS: Final = 60
#: So many pairs of each sort at most.
_KNOWN: Final = 22_000
_OTHERS: Final = 11_000


def opinions_to_ask(sets: Sequence[ClaimSet], scale: float = 1.0, seed: int = _SEED) -> list[Row]:
    """Return the pairs in random order; those without a known label have the target `UNKNOWN`."""
    rng = random.Random(seed)
    known = list(claim_pairs(rng, sets, _OF_SENTENCE, _WORDS))
    others = list(_unlabelled(rng, sets))
    rows = rng.sample(known, min(int(_KNOWN * scale), len(known)))
    rows += rng.sample(others, min(int(_OTHERS * scale), len(others)))
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
            if rest := [sentence for sentence in sentences if sentence not in decides]:
                yield Row(rng.choice(rest), claim.text, UNKNOWN, "other sentence")
            if others := [other.text for other in statements if other.text != claim.text]:
                yield Row(rng.choice(others), claim.text, UNKNOWN, "other statement")


def main(argv: Sequence[str] | None = None) -> None:
    """Make the pairs, label them, and write JSON Lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teacher", required=True, help="folder of the trained teacher")
    parser.add_argument("--out", type=Path, default=Path("build/everyday_opinions.jsonl"))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=_SEED, help="another one draws other pairs")
    args = parser.parse_args(argv)
    asked = opinions_to_ask(claim_sets("train"), args.scale, args.seed)
    rows = labelled(asked, args.teacher)
    write_teacher_pairs(args.out, rows)
    print(f"{len(rows)} pairs")


if __name__ == "__main__":
    main()
