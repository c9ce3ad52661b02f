"""How accurate entailment is on each set, for the bundled model and any other given model.

    python -m benchmarks.nli_quality --data FOLDER [--model NAME ...] [--most 1500] [--tune]

`--data` is the folder of the public sets (research/notes/benchmarks.md). Pair sets are scored pair
by pair; texts of the groundedness sets are validated with `Entailed()`, with and without
`Figures()`, as users declare them. `--tune` prints the sets that thresholds were chosen on instead
of those that are reported. A model is a folder with an exported model, or a name for
`TransformersNLI`.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from pydantic import create_model

from benchmarks import machine, minimal_pairs, written_claims
from benchmarks.label_scores import (
    area_under_curve,
    balanced_accuracy,
    guessed_label,
    is_correct,
)
from corpora import nli_sets, rag_answers
from groundtypes import Entailed, Figures, Grounded, Judges, Label, NLIScorer, Pair
from groundtypes.scoring import EngineWrapper, NLIScores
from groundtypes.text.bm25 import terms
from groundtypes.validation import iter_audits

_BATCH = 128


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--most", type=int, default=1500, help="rows of each set, 0 for all")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--only", help="sets whose name contains this")
    args = parser.parse_args(argv)
    most = args.most or None
    print(machine.show(machine.describe(["onnxruntime", "tokenizers", "transformers", "torch"])))
    for name in args.model or ["bundled"]:
        judge = CountingNLI(_engine(name))
        begun = time.perf_counter()
        print(f"\n## {name}\n")
        if not args.tune:
            _pairs(judge, args.data, most, args.only)
        _grounded(judge, args.data, most, args.only, tune=args.tune)
        if not args.only or args.only in "written claims":
            _written_claims(judge, tune=args.tune)
        if not args.only or args.only in "rag answers":
            _rag_answers(judge, args.data, tune=args.tune)
        if not args.tune and not args.only:
            _minimal_pairs(judge)
        print(f"\n{judge.pairs} pairs scored, {time.perf_counter() - begun:.0f} s in all")


class CountingNLI(EngineWrapper):
    """An engine that counts what it is asked."""

    def __init__(self, engine: NLIScorer) -> None:
        super().__init__(engine)
        self.pairs = 0

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.pairs += len(pairs)
        return super().score(pairs)


def _engine(name: str) -> NLIScorer:
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # loaded on demand

    if name == "bundled":
        return OnnxNLI()
    if name == "large":
        return OnnxNLI.large()
    if Path(name).is_dir() and list(Path(name).glob("*.onnx")):
        return OnnxNLI(name)
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415 # the same

    return TransformersNLI(name)


# --- pairs of sentences ---------------------------------------------------------------------


def _pairs(judge: NLIScorer, data: Path, most: int | None, name_part: str | None) -> None:
    print(
        "| pairs | rows | accuracy | macro-F1 | balanced accuracy | ROC-AUC"
        " | majority | overlap | hypothesis only | ECE |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, split in nli_sets.REPORTED_PAIRS.items():
        if name_part and name_part not in name:
            continue
        rows = nli_sets.labelled_pairs(data, name, split, most)
        labels = [row.label for row in rows]
        scores = _scores(judge, [Pair(row.premise, row.hypothesis) for row in rows])
        without_premise = _scores(judge, [Pair("", row.hypothesis) for row in rows])
        two_labels = Label.NEUTRAL not in labels and "not_entailment" not in labels
        guesses = [guessed_label(score, two_labels=two_labels) for score in scores]
        guesses_without_premise = [
            guessed_label(score, two_labels=two_labels) for score in without_premise
        ]
        correct = [is_correct(guess, label) for guess, label in zip(guesses, labels, strict=True)]
        majority = max(Counter(labels).values()) / len(labels)
        confidences = [max(s.entailment, s.neutral, s.contradiction) for s in scores]
        truth = [label == "entailment" for label in labels]
        entailment_shares = [
            s.entailment / max(s.entailment + s.contradiction, 1e-9) for s in scores
        ]
        cells = (
            fmean(correct),
            _macro_f1(guesses, labels),
            balanced_accuracy([guess == "entailment" for guess in guesses], truth)
            if two_labels
            else None,
            area_under_curve(entailment_shares, truth) if two_labels else None,
            majority,
            _by_overlap(rows),
            fmean(
                is_correct(guess, label)
                for guess, label in zip(guesses_without_premise, labels, strict=True)
            ),
            _calibration_error(confidences, correct),
        )
        print(f"| {name} | {len(rows)} | {' | '.join(map(_percent, cells))} |", flush=True)


def _scores(judge: NLIScorer, pairs: list[Pair]) -> list[NLIScores]:
    scores: list[NLIScores] = []
    for start in range(0, len(pairs), 2048):
        scores += judge.score(pairs[start : start + 2048])
    return scores


def _macro_f1(guesses: Sequence[str], labels: Sequence[str]) -> float:
    f1_scores = []
    for label in sorted(set(labels)):
        if label == "not_entailment":
            continue
        hits = sum(guess == label == actual for guess, actual in zip(guesses, labels, strict=True))
        predicted_count = sum(guess == label for guess in guesses)
        actual_count = sum(actual == label for actual in labels)
        f1_scores.append(
            2 * hits / (predicted_count + actual_count) if predicted_count + actual_count else 0.0
        )
    return fmean(f1_scores)


def _by_overlap(rows: Sequence[nli_sets.LabelledPair]) -> float:
    """Return the best accuracy of an overlap threshold; below it is the most common other label."""
    others = Counter(row.label for row in rows if row.label != "entailment")
    other = others.most_common(1)[0][0]
    overlaps = [(_overlap(row.premise, row.hypothesis), row.label) for row in rows]
    return max(
        fmean(("entailment" if share >= step / 20 else other) == label for share, label in overlaps)
        for step in range(22)
    )


def _overlap(premise: str, hypothesis: str) -> float:
    hypothesis_terms = set(terms(hypothesis))
    return (
        len(hypothesis_terms & set(terms(premise))) / len(hypothesis_terms)
        if hypothesis_terms
        else 0.0
    )


def _calibration_error(confident: Sequence[float], right: Sequence[bool]) -> float:
    """Return the expected calibration error over ten bins (Guo et al., 2017)."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, was_right in zip(confident, right, strict=True):
        bins.setdefault(min(int(score * 10), 9), []).append((score, was_right))
    return sum(
        len(bin_rows)
        * abs(
            fmean(confidence for confidence, _ in bin_rows)
            - fmean(is_right for _, is_right in bin_rows)
        )
        for bin_rows in bins.values()
    ) / len(right)


# --- texts against references ---------------------------------------------------------------


def _grounded(
    judge: NLIScorer, data: Path, most: int | None, name_part: str | None, *, tune: bool
) -> None:
    print()
    print(
        "| texts | rows | supported | Entailed: balanced accuracy | with Figures | ROC-AUC"
        " | overlap, tuned threshold | overlap, its best threshold | its ROC-AUC |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    sums: list[tuple[float, ...]] = []
    threshold = _tuned_threshold(data, most)
    for name, split in (nli_sets.TUNING_TEXTS if tune else nli_sets.REPORTED_TEXTS).items():
        if name_part and name_part not in name:
            continue
        rows = nli_sets.labelled_texts(data, name, split, most)
        truth = [row.supported for row in rows]
        entailed, score, figures = _audit_texts(judge, rows)
        both = [
            is_entailed and figures_match
            for is_entailed, figures_match in zip(entailed, figures, strict=True)
        ]
        shares = [_overlap(" ".join(row.references), row.text) for row in rows]
        scores_with_figures = [
            text_score if figures_match else text_score / 10
            for text_score, figures_match in zip(score, figures, strict=True)
        ]
        row_cells = (
            balanced_accuracy(entailed, truth),
            balanced_accuracy(both, truth),
            area_under_curve(scores_with_figures, truth),
            balanced_accuracy([share >= threshold for share in shares], truth),
            max(
                balanced_accuracy([share >= candidate for share in shares], truth)
                for candidate in set(shares)
            ),
            area_under_curve(shares, truth),
        )
        sums.append(row_cells)
        cells = " | ".join(map(_percent, row_cells))
        print(f"| {name} | {len(rows)} | {sum(truth)} | {cells} |", flush=True)
    if sums:
        cells = " | ".join(_percent(fmean(column)) for column in zip(*sums, strict=True))
        print(f"| mean | | | {cells} |")


def _tuned_threshold(data: Path, most: int | None) -> float:
    """Return the overlap threshold with the best mean balanced accuracy on the tuning sets."""
    sets = [
        [
            (_overlap(" ".join(row.references), row.text), row.supported)
            for row in nli_sets.labelled_texts(data, name, split, most)
        ]
        for name, split in nli_sets.TUNING_TEXTS.items()
    ]

    def mean(threshold: float) -> float:
        return fmean(
            balanced_accuracy(
                [share >= threshold for share, _ in rows], [truth for _, truth in rows]
            )
            for rows in sets
        )

    return max((percent / 100 for percent in range(1, 101)), key=mean)


def _audit_texts(
    judge: NLIScorer, rows: Sequence[nli_sets.LabelledText]
) -> tuple[list[bool], list[float], list[bool]]:
    """Return for each text: is it entailed, its lowest score, and do its figures match."""
    model: Any = create_model(
        "Answer", __base__=Grounded, text=(Annotated[str, Entailed(), Figures()], ...)
    )
    contexts = [
        {"references": list(row.references), "question": row.question, "judges": Judges(nli=judge)}
        for row in rows
    ]
    entailed, scores, figures = [], [], []
    audits = iter_audits(
        model, [{"text": row.text} for row in rows], context=contexts, batch=_BATCH
    )
    for number, audit in enumerate(audits, 1):
        verdicts = {
            kind: [verdict for verdict in audit.verdicts if verdict.check == kind]
            for kind in ("Entailed", "Figures")
        }
        entailed.append(all(verdict.ok for verdict in verdicts["Entailed"]))
        scores.append(min((verdict.score or 0.0 for verdict in verdicts["Entailed"]), default=0.0))
        figures.append(all(verdict.ok for verdict in verdicts["Figures"]))
        if number % 500 == 0:
            print(f"{number} of {len(rows)}", file=sys.stderr, flush=True)
    return entailed, scores, figures


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


# --- written claims -------------------------------------------------------------------------


def _written_claims(judge: NLIScorer, *, tune: bool) -> None:
    def audited(rows: Sequence[nli_sets.LabelledText]) -> tuple[list[bool], list[float]]:
        entailed, scores, _ = _audit_texts(judge, rows)
        return entailed, scores

    written_claims.report(
        written_claims.measure(audited, "tune" if tune else "test"), area_under_curve
    )


# --- RAG answers ----------------------------------------------------------------------------


def _rag_answers(judge: NLIScorer, data: Path, *, tune: bool) -> None:
    answers = rag_answers.rag_answers(data, "tune" if tune else "test")
    rows = [
        nli_sets.LabelledText(answer.references, answer.text, answer.is_faultless, answer.question)
        for answer in answers
    ]
    entailed, scores, _ = _audit_texts(judge, rows)
    truth = [row.supported for row in rows]
    passing, refused = (
        fmean(is_entailed == right for is_entailed, is_right in zip(entailed, truth, strict=True)
              if is_right is right)
        for right in (True, False)
    )  # fmt: skip
    cells = " | ".join(map(_percent, (passing, refused, (passing + refused) / 2)))
    print(
        "\n| RAG answers | faultless | faultless accepted | faulty refused | balanced | ROC-AUC |"
    )
    print("|---|---|---|---|---|---|")
    print(f"| {len(rows)} | {sum(truth)} | {cells} | {_percent(area_under_curve(scores, truth))} |")


# --- minimal pairs --------------------------------------------------------------------------


def _minimal_pairs(judge: NLIScorer) -> None:
    pairs = minimal_pairs.load_minimal_pairs()
    sides = [
        (pair.reference, text) for pair in pairs for text in (pair.supported, pair.unsupported)
    ]
    rows = [nli_sets.LabelledText((reference,), text, supported=True) for reference, text in sides]
    entailed, _, figures = _audit_texts(judge, rows)
    both = {
        side: is_entailed and figures_match
        for side, is_entailed, figures_match in zip(sides, entailed, figures, strict=True)
    }
    entailed_sides = dict(zip(sides, entailed, strict=True))
    with_figures = minimal_pairs.report(lambda reference, text: both[reference, text])
    without_figures = minimal_pairs.report(lambda reference, text: entailed_sides[reference, text])
    print()
    print(
        "| minimal pairs | pairs | supported accepted | unsupported rejected | both right"
        " | both right without Figures |"
    )
    print("|---|---|---|---|---|---|")
    for name, shares in with_figures.items():
        cells = (
            shares.supported_accepted,
            shares.unsupported_rejected,
            shares.both_right,
            without_figures[name].both_right,
        )
        print(f"| {name} | {shares.pairs} | {' | '.join(f'{cell:.0f}' for cell in cells)} |")


if __name__ == "__main__":
    main()
