"""Fit the calibrator of an exported model on held-out data, and write it into its configuration.

    python -m training.fit_calibrator MODEL --data DATA

The rows are tuning sets: three sets of texts with references, and pairs that were held out from
training. No benchmark reports any of them. Each set has the same weight, and so has either label in
it. The score of a text is that of its weakest sentence, and that of a sentence is the score of its
best passage.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corpora import nli_sets
from groundtypes import NLIScores, Pair, References
from groundtypes.backends.calibration import CONFIG_KEY, FEATURES, features
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.entailment.questions import build_questions
from training.rows import ENTAILMENT, tune_rows

__all__ = ["Example", "fit", "main", "untouched"]

Array = np.ndarray[Any, Any]

#: The weight of a set of pairs, beside 1 for a set of texts.
_PAIRS = 0.5
_ROUNDS = 12
_RIDGE = 0.02


@dataclass(frozen=True)
class Example:
    """Features of the passages of each sentence of a text, and whether the text is supported."""

    sentences: tuple[Array, ...]
    supported: bool


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, print what it brings, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=1200, help="rows of each set")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    args = parser.parse_args(argv)
    engine = OnnxNLI(args.model, calibrate=untouched)
    sets = {
        **{name: _texts(engine, args.data, name, args.most) for name in nli_sets.TUNING_TEXTS},
        **{name: _pairs(engine, rows[: args.most]) for name, rows in tune_rows(args.data).items()},
    }
    plain = np.zeros(len(FEATURES))
    plain[FEATURES.index("entailment")] = 1.0
    chosen = fit(sets)
    print("| set | the model alone | combined | combined, fitted on the other sets |")
    print("|---|---|---|---|")
    for name, examples in sets.items():
        others = {other: held for other, held in sets.items() if other != name}
        cells = (balanced(examples, w) for w in (plain, chosen, fit(others)))
        print(f"| {name} | {' | '.join(f'{100 * cell:.1f}' for cell in cells)} |", flush=True)
    if not args.dry:
        write(args.model, chosen)


def untouched(_pair: Pair, scores: NLIScores) -> NLIScores:
    """Return the scores of the network as they are."""
    return scores


def _texts(engine: OnnxNLI, data: Path, name: str, most: int) -> list[Example]:
    rows = nli_sets.labelled_texts(data, name, nli_sets.TUNING_TEXTS[name], most)
    asked = [
        build_questions(row.text, References.of(list(row.references)), row.question) for row in rows
    ]
    pairs = [pair for inquiries in asked for one in inquiries for pair in one.pairs]
    print(f"{name}: {len(rows)} texts, {len(pairs)} pairs", file=sys.stderr, flush=True)
    scores = iter(zip(pairs, engine.score(pairs), strict=True))
    found = []
    for row, inquiries in zip(rows, asked, strict=True):
        sentences = [np.array([features(*next(scores)) for _ in one.passages]) for one in inquiries]
        kept = tuple(held for held in sentences if len(held))
        if kept:
            found.append(Example(kept, row.supported))
    return found


def _pairs(engine: OnnxNLI, rows: Sequence[Any]) -> list[Example]:
    pairs = [Pair(row.premise, row.hypothesis) for row in rows]
    return [
        Example((np.array([features(pair, scores)]),), row.target == ENTAILMENT)
        for row, pair, scores in zip(rows, pairs, engine.score(pairs), strict=True)
    ]


def decisive(example: Example, weights: Array) -> Array:
    """Return the features of the best passage of the weakest sentence."""
    best = [held[int(np.argmax(held @ weights))] for held in example.sentences]
    found: Array = min(best, key=lambda row: float(row @ weights))
    return found


def balanced(examples: Sequence[Example], weights: Array) -> float:
    """Return the balanced accuracy of weights on examples."""
    said = [float(decisive(example, weights) @ weights) >= 0 for example in examples]
    rates = [
        np.mean([s == e.supported for s, e in zip(said, examples, strict=True) if e.supported is t])
        for t in (True, False)
    ]
    return float(np.mean(rates))


def fit(sets: dict[str, list[Example]]) -> Array:
    """Return the weights: a logistic regression on what decides, which depends on the weights."""
    weights = np.zeros(len(FEATURES))
    weights[FEATURES.index("entailment")] = 1.0
    for _ in range(_ROUNDS):
        rows, truth, counts = [], [], []
        for examples in sets.values():
            grounded = any(len(e.sentences) > 1 or len(e.sentences[0]) > 1 for e in examples)
            share = sum(e.supported for e in examples) / len(examples)
            for example in examples:
                rows.append(decisive(example, weights))
                truth.append(float(example.supported))
                of_class = share if example.supported else 1 - share
                counts.append((1.0 if grounded else _PAIRS) / (of_class * len(examples)))
        weights = _logistic(np.array(rows), np.array(truth), np.array(counts), weights)
    return weights


def _logistic(rows: Array, truth: Array, counts: Array, begin: Array) -> Array:
    """Return the weights of a ridge logistic regression, by Newton's method with shorter steps."""
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[0] = 0.0

    def loss(weights: Array) -> float:
        missed = np.logaddexp(0.0, -(2 * truth - 1) * (rows @ weights))
        return float(np.sum(counts * missed) + 0.5 * np.sum(ridge * weights**2))

    weights = begin.copy()
    for _ in range(60):
        said = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (counts * (said - truth)) + ridge * weights
        curve = (rows * (counts * said * (1 - said))[:, None]).T @ rows + np.diag(ridge + 1e-9)
        step = np.linalg.solve(curve, slope)
        # Far from the optimum a full step overshoots, and the next one even more.
        while loss(weights - step) > loss(weights) and float(np.abs(step).max()) > 1e-6:
            step = step / 2
        weights = weights - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def write(model: Path, weights: Array) -> None:
    """Write the weights into the configuration, and its checksum into `SHA256SUMS`."""
    path = model / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config[CONFIG_KEY] = {
        name: round(float(weight), 5) for name, weight in zip(FEATURES, weights, strict=True)
    }
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    sums = model / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if not line.endswith("config.json")]
    lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  config.json")
    sums.write_text("\n".join(sorted(lines, key=lambda line: line.split()[1])) + "\n")


if __name__ == "__main__":
    main()
