"""How the scores of `evaluate` and word overlap correlate with human judgements.

    python -m benchmarks.evaluation_quality --data DATA [--most 150]

`answer_by_context` is compared with the human label whether the text is supported (AUC,
point-biserial correlation), and on MTRAG all three scores with human ratings of answers (Spearman).
Nothing is trained or tuned on these rows.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final

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
        evaluations = evaluate_many(
            EvaluationRow(row.question, list(row.references), row.text) for row in rows
        )
        scores = [evaluation.answer_by_context.score or 0.0 for evaluation in evaluations]
        overlaps = [recall(row.text, " ".join(row.references)) for row in rows]
        truth = [float(row.supported) for row in rows]
        cells = (
            auc(truth, scores),
            auc(truth, overlaps),
            pearson(truth, scores),
            pearson(truth, overlaps),
        )
        formatted = " | ".join(f"{cell:.2f}" for cell in cells)
        print(f"| {name} | {len(rows)} | {formatted} |", flush=True)
    print_mtrag(args.data)


def print_mtrag(data: Path) -> None:
    """Print rank correlations with human ratings of the answers of models."""
    with gzip.open(data / "grounded/mtrag_human_eval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["response_model"] != "reference"]
    evaluations = evaluate_many(
        EvaluationRow(row["messages"][-1]["text"], row["context"], row["response"], row["target"])
        for row in rows
    )
    overlaps = {
        "answer_by_context": [recall(row["response"], row["context"]) for row in rows],
        "answer_by_truth": [recall(row["response"], row["target"]) for row in rows],
        "truth_by_answer": [recall(row["target"], row["response"]) for row in rows],
    }
    print(f"\nMTRAG, {len(rows)} answers of two models, Spearman:\n")
    print("| score | human rating | score | words |\n|---|---|---|---|")
    for metric, mark in MTRAG.items():
        scores = [evaluation.metrics[metric] or 0.0 for evaluation in evaluations]
        marks = [fmean(row[mark]) if row[mark] else 0.0 for row in rows]
        cells = f"{spearman(marks, scores):.2f} | {spearman(marks, overlaps[metric]):.2f}"
        print(f"| {metric} | {mark} | {cells} |")


def recall(text: str, reference: str) -> float:
    """Return the share of the words of a text that occur in a reference."""
    words = terms(text)
    reference_terms = set(terms(reference))
    return sum(word in reference_terms for word in words) / len(words) if words else 0.0


def auc(truth: Sequence[float], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve; ties count as half."""
    positives = [score for score, label in zip(scores, truth, strict=True) if label]
    negatives = [score for score, label in zip(scores, truth, strict=True) if not label]
    wins = sum(
        (positive > negative) + (positive == negative) / 2
        for positive in positives
        for negative in negatives
    )
    return wins / (len(positives) * len(negatives)) if positives and negatives else 0.5


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Pearson's correlation; for labels of 0 and 1 it is the point-biserial one."""
    spread = pstdev(one) * pstdev(other)
    means = fmean(one), fmean(other)
    covariance = fmean((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True))
    return covariance / spread if spread else 0.0


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation; equal values share their mean rank."""
    return pearson(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    first = {value: order.index(value) for value in set(values)}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]


if __name__ == "__main__":
    main()
