"""How right entailment is: per set, for the bundled model and for any model that is named.

    python -m benchmarks.nli_quality --data FOLDER [--model NAME ...] [--most 1500] [--tune]

`--data` is the folder of the public sets (docs/benchmarks.md). Pair sets are judged pair by pair;
texts of the groundedness sets go through `Entailed()`, and through `Entailed()` with `Figures()`,
as users declare them. `--tune` prints the sets that thresholds were chosen on instead of those that
are reported. A model is a folder with an exported model, or a name for `TransformersNLI`.
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

from benchmarks import machine, minimal_pairs
from corpora import nli_sets
from groundtypes import Entailed, Figures, Grounded, Judges, Label, NLIScorer, Pair
from groundtypes.scoring import NLIScores
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
        judge = _Counted(_engine(name))
        begun = time.perf_counter()
        print(f"\n## {name}\n")
        if not args.tune:
            _pairs(judge, args.data, most, args.only)
        _grounded(judge, args.data, most, args.only, tune=args.tune)
        if not args.tune and not args.only:
            _minimal_pairs(judge)
        print(f"\n{judge.pairs} pairs scored, {time.perf_counter() - begun:.0f} s in all")


class _Counted:
    """An engine that counts what it is asked."""

    def __init__(self, engine: NLIScorer) -> None:
        self._engine = engine
        self.pairs = 0

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.pairs += len(pairs)
        return self._engine.score(pairs)


def _engine(name: str) -> NLIScorer:
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # loaded when asked for

    if name == "bundled":
        return OnnxNLI()
    if Path(name).is_dir() and list(Path(name).glob("*.onnx")):
        return OnnxNLI(name)
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415 # the same

    return TransformersNLI(name)


# --- pairs of sentences ---------------------------------------------------------------------


def _pairs(judge: NLIScorer, data: Path, most: int | None, only: str | None) -> None:
    print(
        "| pairs | rows | accuracy | macro-F1 | balanced accuracy | ROC-AUC"
        " | majority | overlap | hypothesis only | ECE |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, split in nli_sets.REPORTED_PAIRS.items():
        if only and only not in name:
            continue
        rows = nli_sets.labelled_pairs(data, name, split, most)
        labels = [row.label for row in rows]
        scores = _scores(judge, [Pair(row.premise, row.hypothesis) for row in rows])
        blind = _scores(judge, [Pair("", row.hypothesis) for row in rows])
        two = Label.NEUTRAL not in labels and "not_entailment" not in labels
        guesses = [_guess(score, two=two) for score in scores]
        blindly = [_guess(score, two=two) for score in blind]
        right = [_is_right(g, w) for g, w in zip(guesses, labels, strict=True)]
        majority = max(Counter(labels).values()) / len(labels)
        confident = [max(s.entailment, s.neutral, s.contradiction) for s in scores]
        truth = [label == "entailment" for label in labels]
        odds = [s.entailment / max(s.entailment + s.contradiction, 1e-9) for s in scores]
        cells = (
            fmean(right),
            _macro_f1(guesses, labels),
            _balanced([guess == "entailment" for guess in guesses], truth) if two else None,
            _auc(odds, truth) if two else None,
            majority,
            _by_overlap(rows),
            fmean(_is_right(g, w) for g, w in zip(blindly, labels, strict=True)),
            _calibration_error(confident, right),
        )
        print(f"| {name} | {len(rows)} | {' | '.join(map(_percent, cells))} |", flush=True)


def _scores(judge: NLIScorer, pairs: list[Pair]) -> list[NLIScores]:
    found: list[NLIScores] = []
    for at in range(0, len(pairs), 2048):
        found += judge.score(pairs[at : at + 2048])
    return found


def _guess(score: NLIScores, *, two: bool) -> str:
    if two:
        return "entailment" if score.entailment >= score.contradiction else "contradiction"
    return str(score.label)


def _is_right(guess: str, wanted: str) -> bool:
    if wanted == "not_entailment":
        return guess != "entailment"
    return guess == wanted


def _macro_f1(guesses: Sequence[str], labels: Sequence[str]) -> float:
    found = []
    for label in sorted(set(labels)):
        if label == "not_entailment":
            continue
        hit = sum(g == label == w for g, w in zip(guesses, labels, strict=True))
        guessed = sum(g == label for g in guesses)
        wanted = sum(w == label for w in labels)
        found.append(2 * hit / (guessed + wanted) if guessed + wanted else 0.0)
    return fmean(found)


def _by_overlap(rows: Sequence[nli_sets.LabelledPair]) -> float:
    """Return the best accuracy of "entailed from so much overlap on, else the commonest other"."""
    others = Counter(row.label for row in rows if row.label != "entailment")
    other = others.most_common(1)[0][0]
    marked = [(_overlap(row.premise, row.hypothesis), row.label) for row in rows]
    return max(
        fmean(("entailment" if share >= at / 20 else other) == label for share, label in marked)
        for at in range(22)
    )


def _overlap(premise: str, hypothesis: str) -> float:
    wanted = set(terms(hypothesis))
    return len(wanted & set(terms(premise))) / len(wanted) if wanted else 0.0


def _calibration_error(confident: Sequence[float], right: Sequence[bool]) -> float:
    """Return the expected calibration error over ten bins (Guo et al., 2017)."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, hit in zip(confident, right, strict=True):
        bins.setdefault(min(int(score * 10), 9), []).append((score, hit))
    return sum(
        len(held) * abs(fmean(s for s, _ in held) - fmean(h for _, h in held))
        for held in bins.values()
    ) / len(right)


# --- texts against references ---------------------------------------------------------------


def _grounded(
    judge: NLIScorer, data: Path, most: int | None, only: str | None, *, tune: bool
) -> None:
    print()
    print(
        "| texts | rows | supported | Entailed: balanced accuracy | with Figures | ROC-AUC"
        " | overlap, tuned threshold | overlap, its best threshold | its ROC-AUC |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    sums: list[tuple[float, ...]] = []
    bar = _tuned_bar(data, most)
    for name, split in (nli_sets.TUNING_TEXTS if tune else nli_sets.REPORTED_TEXTS).items():
        if only and only not in name:
            continue
        rows = nli_sets.labelled_texts(data, name, split, most)
        truth = [row.supported for row in rows]
        entailed, score, figures = _audited(judge, rows)
        both = [a and b for a, b in zip(entailed, figures, strict=True)]
        shares = [_overlap(" ".join(row.references), row.text) for row in rows]
        figured = [s if f else s / 10 for s, f in zip(score, figures, strict=True)]
        line = (
            _balanced(entailed, truth),
            _balanced(both, truth),
            _auc(figured, truth),
            _balanced([share >= bar for share in shares], truth),
            max(_balanced([share >= one for share in shares], truth) for one in set(shares)),
            _auc(shares, truth),
        )
        sums.append(line)
        cells = " | ".join(map(_percent, line))
        print(f"| {name} | {len(rows)} | {sum(truth)} | {cells} |", flush=True)
    if sums:
        cells = " | ".join(_percent(fmean(column)) for column in zip(*sums, strict=True))
        print(f"| mean | | | {cells} |")


def _tuned_bar(data: Path, most: int | None) -> float:
    """Return the share of words that tells best on the sets to tune on, each counting the same."""
    sets = [
        [
            (_overlap(" ".join(row.references), row.text), row.supported)
            for row in nli_sets.labelled_texts(data, name, split, most)
        ]
        for name, split in nli_sets.TUNING_TEXTS.items()
    ]

    def mean(bar: float) -> float:
        return fmean(
            _balanced([share >= bar for share, _ in rows], [truth for _, truth in rows])
            for rows in sets
        )

    return max((at / 100 for at in range(1, 101)), key=mean)


def _audited(
    judge: NLIScorer, rows: Sequence[nli_sets.LabelledText]
) -> tuple[list[bool], list[float], list[bool]]:
    """Return whether each text is entailed, its least score, and whether its figures stand."""
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
    for done, audit in enumerate(audits, 1):
        told = {
            kind: [v for v in audit.verdicts if v.check == kind] for kind in ("Entailed", "Figures")
        }
        entailed.append(all(v.ok for v in told["Entailed"]))
        scores.append(min((v.score or 0.0 for v in told["Entailed"]), default=0.0))
        figures.append(all(v.ok for v in told["Figures"]))
        if done % 500 == 0:
            print(f"{done} of {len(rows)}", file=sys.stderr, flush=True)
    return entailed, scores, figures


def _balanced(said: Sequence[bool], truth: Sequence[bool]) -> float:
    kept = fmean(s for s, t in zip(said, truth, strict=True) if t)
    refused = fmean(not s for s, t in zip(said, truth, strict=True) if not t)
    return (kept + refused) / 2


def _auc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Return the area under the ROC curve, ties counted as half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0.0] * len(scores)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and scores[order[end]] == scores[order[at]]:
            end += 1
        for place in order[at:end]:
            ranks[place] = (at + end + 1) / 2
        at = end
    good = sum(truth)
    bad = len(truth) - good
    return (sum(r for r, t in zip(ranks, truth, strict=True) if t) - good * (good + 1) / 2) / (
        good * bad
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


# --- minimal pairs --------------------------------------------------------------------------


def _minimal_pairs(judge: NLIScorer) -> None:
    pairs = minimal_pairs.load_minimal_pairs()
    sides = [
        (pair.reference, text) for pair in pairs for text in (pair.supported, pair.unsupported)
    ]
    rows = [nli_sets.LabelledText((reference,), text, supported=True) for reference, text in sides]
    entailed, _, figures = _audited(judge, rows)
    both = {side: one and other for side, one, other in zip(sides, entailed, figures, strict=True)}
    alone = dict(zip(sides, entailed, strict=True))
    found = minimal_pairs.report(lambda reference, text: both[reference, text])
    without = minimal_pairs.report(lambda reference, text: alone[reference, text])
    print()
    print(
        "| minimal pairs | pairs | supported accepted | unsupported rejected | both right"
        " | both right without Figures |"
    )
    print("|---|---|---|---|---|---|")
    for name, shares in found.items():
        cells = (
            shares.supported_accepted,
            shares.unsupported_rejected,
            shares.both_right,
            without[name].both_right,
        )
        print(f"| {name} | {shares.pairs} | {' | '.join(f'{cell:.0f}' for cell in cells)} |")


if __name__ == "__main__":
    main()
