"""Train the three-label cross-encoder that the package ships.

    python -m training.train --data DATA --wordnet /usr/share/wordnet --out build/nli [--resume]

Checkpoints are written every few minutes, with all that an interrupted run needs to go on.
"""

import argparse
import json
import random
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training.mixture import MIXTURES
from training.rows import Row, read_teacher_pairs, tune_rows

__all__ = ["Run", "batches", "main", "start", "train"]

#: The numbers of the tokens of a pair, and to which side each belongs; some encoders do not care.
Encoded = tuple[list[int], list[int] | None]
#: Pairs are padded to multiples of so many tokens.
STEP = 16
#: Processors without such instructions take twice as long with them as with 32 bits.
BFLOAT16 = torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001 # there is no public function
LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}


def start(encoder: str) -> tuple[Any, Any]:
    """Return tokenizer and model: the encoder's weights, and a new head of three labels."""
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    model = AutoModelForSequenceClassification.from_pretrained(
        encoder,
        attn_implementation="eager",
        num_labels=3,
        id2label=LABELS,
        label2id={v: k for k, v in LABELS.items()},
    )
    return tokenizer, model


def encoded(tokenizer: Any, rows: Sequence[Row], length: int) -> list[Encoded]:
    """Return the token numbers of each pair, the premise cut to fit."""
    found = tokenizer(
        [row.premise for row in rows],
        [row.hypothesis for row in rows],
        truncation="longest_first",
        max_length=length,
        return_attention_mask=False,
    )
    sides = found.get("token_type_ids", [None] * len(rows))
    return list(zip(found["input_ids"], sides, strict=True))


def batches(lengths: Sequence[int], budget: int, most: int, seed: int) -> list[list[int]]:
    """Return positions in batches of one padded length and about `budget` tokens, shuffled.

    There are few shapes, because the matrix library prepares itself for each new one, which takes
    longer than the step.
    """
    rng = random.Random(seed)
    buckets: dict[int, list[int]] = {}
    for position, length in enumerate(lengths):
        buckets.setdefault(padded(length), []).append(position)
    made: list[list[int]] = []
    for length, positions in sorted(buckets.items()):
        rng.shuffle(positions)
        size = min(most, max(1, budget // length))
        made += [positions[at : at + size] for at in range(0, len(positions), size)]
    rng.shuffle(made)
    return made


def padded(length: int) -> int:
    """Return the length up to which a pair is padded."""
    return -(-length // STEP) * STEP


def tensors(inputs: Sequence[Encoded], filler: int = 0) -> dict[str, torch.Tensor]:
    """Return inputs of the model, padded with `filler`."""
    longest = padded(max(len(ids) for ids, _ in inputs))
    ids = torch.full((len(inputs), longest), filler, dtype=torch.long)
    types = torch.zeros_like(ids)
    mask = torch.zeros_like(ids)
    for at, (numbers, sides) in enumerate(inputs):
        ids[at, : len(numbers)] = torch.tensor(numbers)
        mask[at, : len(numbers)] = 1
        if sides is not None:
            types[at, : len(sides)] = torch.tensor(sides)
    made = {"input_ids": ids, "attention_mask": mask}
    return made if inputs[0][1] is None else made | {"token_type_ids": types}


def logits(model: Any, inputs: Sequence[Any], budget: int = 6000) -> torch.Tensor:
    """Return the logits of encoded pairs, in their order."""
    found = torch.zeros(len(inputs), 3)
    model.eval()
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
        for some in batches([len(ids) for ids, _ in inputs], budget, 64, 0):
            given = tensors([inputs[p] for p in some], model.config.pad_token_id)
            found[some] = model(**given).logits.float()
    return found


def accuracy(
    model: Any, tokenizer: Any, sets: dict[str, list[Row]], length: int, most: int
) -> dict[str, float]:
    """Return the share of right labels for each set, over at most so many rows."""
    found = {}
    for name, rows in sets.items():
        some = rows[:most]
        guess = logits(model, encoded(tokenizer, some, length)).argmax(1)
        two = name == "fever_rte"
        if two:
            scores = logits(model, encoded(tokenizer, some, length))
            guess = torch.where(scores[:, 0] > scores[:, 2], 0, 2)
        right = torch.tensor([max(range(3), key=row.target.__getitem__) for row in some])
        found[name] = round(float((guess == right).float().mean()), 4)
    return found


@dataclass
class Run:
    """A training run: what is trained, what is averaged, and how far it is."""

    model: Any
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LambdaLR
    averaged: dict[str, torch.Tensor]
    step: int = 0

    @classmethod
    def new(cls, model: Any, steps: int, config: dict[str, Any]) -> "Run":
        """Return a run of so many steps that has not begun."""
        trained = [value for value in model.parameters() if value.requires_grad]
        groups = [
            {"params": [v for v in trained if v.dim() > 1], "weight_decay": config["decay"]},
            {"params": [v for v in trained if v.dim() <= 1], "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=config["rate"], fused=True)
        warm = int(steps * config["warm"])

        def rate(step: int) -> float:
            if step < warm:
                return step / max(1, warm)
            return max(0.02, (steps - step) / max(1, steps - warm))

        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
        averaged = {name: value.detach().clone() for name, value in model.state_dict().items()}
        return cls(model, optimizer, schedule, averaged)

    def learn(self, inputs: dict[str, torch.Tensor], wanted: torch.Tensor, average: float) -> float:
        """Take one step and return the loss."""
        self.model.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            output = self.model(**inputs).logits
        loss = torch.nn.functional.cross_entropy(output.float(), wanted)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        # At the beginning the average is of few steps, lest it hold the weights before the first.
        keep = min(average, self.step / (self.step + 9))
        with torch.no_grad():
            for name, value in self.model.state_dict().items():
                if value.is_floating_point():
                    self.averaged[name].lerp_(value, 1 - keep)
        return float(loss.detach())

    def save(self, path: Path) -> None:
        """Write all that the run needs to go on, or leave the file as it was."""
        kept = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "averaged": self.averaged,
            "step": self.step,
        }
        torch.save(kept, path.with_suffix(".tmp"))
        path.with_suffix(".tmp").replace(path)

    def load(self, path: Path) -> None:
        """Go on where a run ended."""
        kept = torch.load(path, weights_only=True)
        self.model.load_state_dict(kept["model"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.schedule.load_state_dict(kept["schedule"])
        self.averaged, self.step = kept["averaged"], kept["step"]


def train(args: argparse.Namespace, config: dict[str, Any]) -> None:
    """Train, write checkpoints, end with the averaged weights in `out/averaged`."""
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(config["seed"])
    tokenizer, model = start(args.encoder)
    if config["freeze_words"]:
        model.get_input_embeddings().weight.requires_grad_(requires_grad=False)
    teacher_pairs = read_teacher_pairs(Path(args.teacher_pairs)) if args.teacher_pairs else []
    make = MIXTURES[config["mixture"]]
    rows = make(Path(args.data), Path(args.wordnet), config["seed"], args.scale, teacher_pairs)
    sets = tune_rows(Path(args.data))
    inputs = encoded(tokenizer, rows, config["length"])
    smooth = config["smooth"]
    targets = torch.tensor([row.target for row in rows]) * (1 - smooth) + smooth / 3
    lengths = [len(ids) for ids, _ in inputs]
    plan = [
        batch
        for epoch in range(config["epochs"])
        for batch in batches(lengths, config["tokens"], config["pairs"], config["seed"] + epoch)
    ]
    run = Run.new(model, len(plan), config)
    if args.resume and (out / "state.pt").exists():
        run.load(out / "state.pt")
    print(f"{len(rows)} pairs, {len(plan)} batches, from {run.step}", flush=True)
    pace = _Pace(run.step, len(plan))
    for batch in plan[run.step :]:
        given = tensors([inputs[at] for at in batch], model.config.pad_token_id)
        loss = run.learn(given, targets[batch], config["average"])
        pace.show(run.step, len(batch), loss)
        last = run.step in (len(plan), args.stop_after)
        if last or pace.since_saved > config["save_seconds"]:
            run.save(out / "state.pt")
            found = accuracy(model, tokenizer, sets, config["length"], 500)
            print(json.dumps({"step": run.step, **found}), flush=True)
            pace.saved()
        if run.step == args.stop_after:
            return
    model.load_state_dict(run.averaged)
    model.eval()
    model.save_pretrained(out / "averaged")
    tokenizer.save_pretrained(out / "averaged")
    found = accuracy(model, tokenizer, sets, config["length"], 2000)
    print(json.dumps({"averaged": True, **found}), flush=True)


class _Pace:
    """Shows how fast a run goes."""

    def __init__(self, step: int, steps: int) -> None:
        self._first, self._steps = step, steps
        self._begun = self._saved = time.monotonic()
        self._pairs = 0
        self._losses: list[float] = []

    @property
    def since_saved(self) -> float:
        """Seconds since the last checkpoint."""
        return time.monotonic() - self._saved

    def saved(self) -> None:
        """Note that a checkpoint was written."""
        self._saved = time.monotonic()

    def show(self, step: int, pairs: int, loss: float) -> None:
        """Print a line every 100 steps."""
        self._pairs += pairs
        self._losses.append(loss)
        if step % 100:
            return
        spent = time.monotonic() - self._begun
        left = (self._steps - step) * spent / (step - self._first) / 60
        mean = sum(self._losses) / len(self._losses)
        self._losses.clear()
        pace = f"{self._pairs / spent:.0f} pairs/s, {left:.0f} min left"
        print(f"{step}/{self._steps} loss {mean:.3f} {pace}", flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line and the configuration, and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--wordnet", default="/usr/share/wordnet")
    parser.add_argument("--encoder", required=True, help="folder of the weights to begin with")
    parser.add_argument(
        "--teacher-pairs", help="what a teacher labelled (research/training/teacher_pairs.py)"
    )
    parser.add_argument("--out", default="build/nli")
    parser.add_argument("--config", default=str(Path(__file__).parent / "config.toml"))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--resume", action="store_true", help="go on where a run ended")
    parser.add_argument("--stop-after", type=int, help="end after so many batches")
    args = parser.parse_args(argv)
    train(args, tomllib.loads(Path(args.config).read_text()))


if __name__ == "__main__":
    main()
