"""How the scores of `evaluate` go with what people said, beside the overlap of words.

    python -m benchmarks.evaluation_quality --data DATA [--most 150]

`answer_by_context` is held against whether people found the text supported (AUC, point-biserial
correlation), and on MTRAG all three scores against what people gave answers of models (Spearman).
Nothing is trained or tuned on these rows.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final

from benchmarks.machine import describe, show
from corpora import nli_sets
from groundtypes.evaluation import EvaluationRow, evaluate_many
from groundtypes.text.bm25 import terms

MTRAG: Final = {
    "answer_by_context": "human_faithfulness",
    "answer_by_truth": "human_appropriateness",
    "truth_by_answer": "human_completeness",
}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=150, help="rows of each set")
    args = parser.parse_args(argv)
    print(show(describe(["onnxruntime"])), "\n")
    print("| set | rows | AUC: score | words | correlation: score | words |")
    print("|---|---|---|---|---|---|", flush=True)
    for name, split in nli_sets.REPORTED_TEXTS.items():
        rows = nli_sets.labelled_texts(args.data, name, split, args.most)
        found = evaluate_many(
            EvaluationRow(row.question, list(row.references), row.text) for row in rows
        )
        score = [one.answer_by_context.score or 0.0 for one in found]
        words = [recall(row.text, " ".join(row.references)) for row in rows]
        truth = [float(row.supported) for row in rows]
        cells = (auc(truth, score), auc(truth, words), pearson(truth, score), pearson(truth, words))
        told = " | ".join(f"{cell:.2f}" for cell in cells)
        print(f"| {name} | {len(rows)} | {told} |", flush=True)
    print_mtrag(args.data)


def print_mtrag(data: Path) -> None:
    """Print rank correlations with the marks of people, over answers of models."""
    with gzip.open(data / "grounded/mtrag_human_eval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["response_model"] != "reference"]
    found = evaluate_many(
        EvaluationRow(row["messages"][-1]["text"], row["context"], row["response"], row["target"])
        for row in rows
    )
    overlaps = {
        "answer_by_context": [recall(row["response"], row["context"]) for row in rows],
        "answer_by_truth": [recall(row["response"], row["target"]) for row in rows],
        "truth_by_answer": [recall(row["target"], row["response"]) for row in rows],
    }
    print(f"\nMTRAG, {len(rows)} answers of two models, Spearman:\n")
    print("| score | people's mark | score | words |\n|---|---|---|---|")
    for metric, mark in MTRAG.items():
        scores = [one.metrics[metric] or 0.0 for one in found]
        marks = [fmean(row[mark]) if row[mark] else 0.0 for row in rows]
        cells = f"{spearman(marks, scores):.2f} | {spearman(marks, overlaps[metric]):.2f}"
        print(f"| {metric} | {mark} | {cells} |")


def _asked(row: dict[str, Any]) -> str:
    return str(row["messages"][-1]["text"])


def recall(text: str, reference: str) -> float:
    """Return which share of the words of a text stands in a reference."""
    words = terms(text)
    held = set(terms(reference))
    return sum(word in held for word in words) / len(words) if words else 0.0


def auc(truth: Sequence[float], scores: Sequence[float]) -> float:
    """Return how often a true row has the higher score than a false one."""
    good = [score for score, label in zip(scores, truth, strict=True) if label]
    bad = [score for score, label in zip(scores, truth, strict=True) if not label]
    wins = sum((one > other) + (one == other) / 2 for one in good for other in bad)
    return wins / (len(good) * len(bad)) if good and bad else 0.5


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation; with labels of 0 and 1 it is the point-biserial one."""
    spread = pstdev(one) * pstdev(other)
    means = fmean(one), fmean(other)
    shared = fmean((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True))
    return shared / spread if spread else 0.0


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation of the ranks; equal values share their mean rank."""
    return pearson(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    first = {value: order.index(value) for value in set(values)}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]


if __name__ == "__main__":
    main()
