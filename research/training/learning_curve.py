"""How much more written claims would help: the same short run on a quarter, a half and all of them.

    python -m training.learning_curve CHECKPOINT --data DATA [--shares 0 0.25 0.5 1]

`CHECKPOINT` has not seen the written claims. Every run begins with it and takes one pass over the
pairs of a share of the sets of the train domains, always the same known pairs beside them. Asked
are the statements of the tune domains, beside the sentences that decide and beside the whole
references. A run that is in the file of results is not run again.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch

from corpora.written_claims import Claim, ClaimSet, claim_sets
from training.claim_pairs import claim_pairs
from training.rows import ENTAILMENT, Row, train_rows
from training.train import Run, batches, encoded, logits, start, tensors

__all__ = ["learn", "main", "rank", "statements"]

_SEED: Final = 77
#: Pairs of each sentence, and the most words of their premises: short, so that a run takes minutes.
_OF_SENTENCE: Final = 1
_WORDS: Final = 60
_KNOWN: Final = 1_500
_CONFIG: Final[dict[str, Any]] = {"rate": 1e-4, "decay": 0.01, "warm": 0.05}
_AVERAGE: Final = 0.98
_SMOOTH: Final = 0.02
_TOKENS: Final = 4_000
_PAIRS: Final = 64
_LENGTH: Final = 160
_ASKED_LENGTH: Final = 256
_ASKED: Final = 900

Statement = tuple[ClaimSet, Claim]


def statements(most: int) -> list[Statement]:
    """Return statements of the tune domains whose deciding sentences are known, pairs together."""
    pairs: dict[tuple[str, int], list[Statement]] = {}
    for each in claim_sets("tune"):
        for claim in each.claims:
            if claim.form == "statement" and claim.decides:
                pairs.setdefault((each.id, claim.pair), []).append((each, claim))
    keys = sorted(pairs)
    random.Random(_SEED).shuffle(keys)
    return [one for key in keys for one in pairs[key]][:most]


def learn(checkpoint: str, rows: Sequence[Row]) -> tuple[Any, Any]:
    """Return tokenizer and model after one pass over the rows, its weights averaged."""
    torch.manual_seed(_SEED)
    tokenizer, model = start(checkpoint)
    if not rows:
        return tokenizer, model
    inputs = encoded(tokenizer, rows, _LENGTH)
    targets = torch.tensor([row.target for row in rows]) * (1 - _SMOOTH) + _SMOOTH / 3
    plan = batches([len(ids) for ids, _ in inputs], _TOKENS, _PAIRS, _SEED)
    run = Run.new(model, len(plan), _CONFIG)
    for batch in plan:
        given = tensors([inputs[at] for at in batch], model.config.pad_token_id)
        run.learn(given, targets[batch], _AVERAGE)
        if run.step % 50 == 0:
            print(f"  batch {run.step} of {len(plan)}", flush=True)
    model.load_state_dict(run.averaged)
    return tokenizer, model


def rank(tokenizer: Any, model: Any, asked: Sequence[Statement]) -> dict[str, float]:
    """Return the area under the ROC curve for both kinds of premise, in %."""
    premises = {
        "sentences that decide": [" ".join(claim.decides) for _, claim in asked],
        "whole references": [" ".join(each.references) for each, _ in asked],
    }
    supported = torch.tensor([claim.supported for _, claim in asked])
    found = {}
    for name, texts in premises.items():
        rows = [
            Row(premise, claim.text, ENTAILMENT, name)
            for premise, (_, claim) in zip(texts, asked, strict=True)
        ]
        scores = logits(model, encoded(tokenizer, rows, _ASKED_LENGTH))
        odds = scores[:, 0] - torch.logsumexp(scores[:, 1:], 1)
        apart = odds[supported][:, None] - odds[~supported][None, :]
        better = (apart > 0).float() + 0.5 * (apart == 0).float()
        found[name] = round(100 * float(better.mean()), 1)
    return found


def _rows(share: float, data: Path) -> list[Row]:
    """Return the pairs of a share of the sets; smaller shares are parts of larger ones."""
    if not share:
        return []
    sets = sorted(claim_sets("train"), key=lambda each: each.id)
    random.Random(_SEED).shuffle(sets)
    rng = random.Random(_SEED)
    rows = list(claim_pairs(rng, sets[: int(share * len(sets))], _OF_SENTENCE, _WORDS))
    rows += random.Random(_SEED).sample(train_rows(data), _KNOWN)
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Run what is not in the file of results, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.25, 0.5, 1.0])
    parser.add_argument("--out", type=Path, default=Path("build/learning_curve.jsonl"))
    args = parser.parse_args(argv)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    lines = args.out.read_text(encoding="utf-8").splitlines() if args.out.exists() else []
    done = {found["share"]: found for found in map(json.loads, lines)}
    asked = statements(_ASKED)
    for share in args.shares:
        if share in done:
            continue
        rows = _rows(share, args.data)
        print(f"{share:.0%} of the sets: {len(rows)} pairs", flush=True)
        begun = time.monotonic()
        tokenizer, model = learn(args.checkpoint, rows)
        seconds = round(time.monotonic() - begun)
        done[share] = {"share": share, "pairs": len(rows), "seconds": seconds}
        done[share] |= rank(tokenizer, model, asked)
        with args.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(done[share]) + "\n")
    print("\n| written sets | pairs | seconds | sentences that decide | whole references |")
    print("|---|---|---|---|---|")
    for share, found in sorted(done.items()):
        values = (found["pairs"], found["seconds"])
        ranks = (found["sentences that decide"], found["whole references"])
        print(f"| {share:.0%} | {' | '.join(map(str, (*values, *ranks)))} |")


if __name__ == "__main__":
    main()
