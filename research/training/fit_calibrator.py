"""Fit how scores become probabilities on held-out data, and write it into a model's configuration.

    python -m training.fit_calibrator MODEL --data DATA [--cache build/scores.sqlite]

First the calibrator of a pair: the score of a sentence is that of its best premise. On its scores,
the weights of all evidence on a sentence (`groundtypes.entailment.evidence_model`). The score of a
text is that of its weakest sentence. Each set has a weight of its own, and either label half of it.
The tables are cross-fitted: no set has part in the weights that it is judged by.

Last, on RAG answers, how much more leniently each sentence of a longer text is judged.
`--only-text-length` fits that alone and keeps the rest.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from groundtypes import NLIScores, Pair
from groundtypes.backends.calibration import CONFIG_KEY, EVIDENCE_KEY, Calibrator, features
from groundtypes.backends.calibration import FEATURES as PAIR_FEATURES
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import DiskScoreCache
from groundtypes.entailment.evidence_model import (
    CONTRADICTION_FEATURES,
    FEATURES,
    TEXT_LENGTH,
    evidence_features,
)
from groundtypes.scoring import Label
from training.evidence_rows import (
    COPIED,
    WRITTEN,
    Example,
    Judged,
    answer_examples,
    example_sets,
)
from training.logistic import Array, logistic

__all__ = ["auc", "balanced", "fit", "main", "untouched"]

#: A text as an array for each sentence, with a row for each candidate; and whether it is supported.
Rows = list[tuple[list[Array], bool]]

#: The features by what they are about, so that each group can be left out.
_GROUPS: Final = {
    name: tuple(feature for feature in FEATURES if feature.startswith(beginnings))
    for name, beginnings in (
        ("passage", ("passage",)),
        ("sentence", ("sentence ", "best sentence")),
        ("composed", ("composed",)),
        ("highest", ("highest",)),
        ("word", ("words",)),
        ("product", ("closeness",)),
    )
}
_ROUNDS: Final = 8
_PAIR_RIDGE: Final = 0.02
_RIDGE: Final = 0.3
#: In how many parts the sets are split for the tables.
_FOLDS: Final = 4
#: The weights of sets; each set of pairs has the last.
_WEIGHTS: Final = {"attributionbench": 1.0, "begin": 1.0, "wice_claims": 1.0, COPIED: 1.0}
_WRITTEN_WEIGHT: Final = 1.5
_PAIRS_WEIGHT: Final = 0.5
#: The features that are fitted on sets of mostly single sentences.
_OF_SENTENCES: Final = tuple(name for name in FEATURES if name != TEXT_LENGTH)
#: What shares of faultless RAG answers shall pass, and of faulty ones be refused, at the least.
_PASSED: Final = 0.45
_REFUSED: Final = 0.7


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, print what it brings, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=120, help="rows of each set")
    parser.add_argument("--cache", type=Path, default=Path("build/fit_scores.sqlite"))
    parser.add_argument("--no-ablations", action="store_true", help="print one table only")
    parser.add_argument("--only-text-length", action="store_true", help="keep all other weights")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    args = parser.parse_args(argv)
    args.cache.parent.mkdir(parents=True, exist_ok=True)
    engine = OnnxNLI(args.model, calibrate=untouched, cache=DiskScoreCache(args.cache))
    if args.only_text_length:
        config = json.loads((args.model / "config.json").read_text(encoding="utf-8"))
        calibrate = Calibrator(tuple(config[CONFIG_KEY][name] for name in PAIR_FEATURES))
        weights = {CONFIG_KEY: config[CONFIG_KEY], EVIDENCE_KEY: config[EVIDENCE_KEY]}
    else:
        calibrate, weights = _fit_sentences(engine, args)
    answers = answer_examples(args.data, engine.score)
    entailment = weights[EVIDENCE_KEY]["entailment"]
    entailment[TEXT_LENGTH] = fit_text_length(_named_features(answers, calibrate), entailment)
    if not args.dry:
        write(args.model, weights)


def _fit_sentences(
    engine: OnnxNLI, args: argparse.Namespace
) -> tuple[Calibrator, dict[str, dict[str, Any]]]:
    """Print the tables, and return the calibrator of a pair and all weights but the last."""
    sets = example_sets(args.data, engine.score, args.most)
    print({name: len(examples) for name, examples in sets.items()}, file=sys.stderr, flush=True)
    # A pair that is asked about alone is calibrated on public sets, as peers are measured.
    public = {name: texts for name, texts in sets.items() if name not in (*WRITTEN, COPIED)}
    pair_rows = {name: _pair_rows(examples) for name, examples in public.items()}
    pair_weights = fit(pair_rows, PAIR_FEATURES, "entailment", _PAIR_RIDGE)
    calibrate = Calibrator(tuple(map(float, pair_weights)))
    named = {name: _named_features(examples, calibrate) for name, examples in sets.items()}
    every_pair_rows = {name: _pair_rows(examples) for name, examples in sets.items()}
    _print_tables(every_pair_rows, named, ablations=not args.no_ablations)
    evidence = {
        "entailment": _weights(_OF_SENTENCES, _fit_evidence(named, _OF_SENTENCES)),
        "contradiction": _weights(CONTRADICTION_FEATURES, _fit_contradiction(named)),
    }
    return calibrate, {CONFIG_KEY: _weights(PAIR_FEATURES, pair_weights), EVIDENCE_KEY: evidence}


def untouched(_pair: Pair, scores: NLIScores) -> NLIScores:
    """Return the scores of the network as they are."""
    return scores


# --- features -------------------------------------------------------------------------------

#: For each text, the features of each sentence by name, and its label.
Named = list[tuple[list[Mapping[str, float]], Label | None]]


def _pair_rows(examples: Sequence[Example]) -> Rows:
    return [
        ([_pair_features(sentence) for sentence in example.sentences], example.supported)
        for example in examples
    ]


def _pair_features(sentence: Judged) -> Array:
    pairs = zip(sentence.question.pairs, sentence.scores, strict=True)
    return np.array([features(pair, scores) for pair, scores in pairs])


def _named_features(examples: Sequence[Example], calibrate: Calibrator) -> Named:
    return [
        (
            [
                _evidence(sentence, calibrate, len(example.sentences))
                for sentence in example.sentences
            ],
            example.label,
        )
        for example in examples
    ]


def _evidence(sentence: Judged, calibrate: Calibrator, count: int) -> Mapping[str, float]:
    pairs = zip(sentence.question.pairs, sentence.scores, strict=True)
    scores = [calibrate(pair, score) for pair, score in pairs]
    return evidence_features(sentence.question.evidence, scores, sentence.differences, count)


def _rows(named: Named, names: Sequence[str]) -> Rows:
    return [
        (
            [np.array([[sentence[name] for name in names]]) for sentence in sentences],
            label is Label.ENTAILMENT,
        )
        for sentences, label in named
    ]


# --- fits -----------------------------------------------------------------------------------


def fit(sets: Mapping[str, Rows], names: Sequence[str], start: str, ridge: float = _RIDGE) -> Array:
    """Return the weights: a regression on what decides, which depends on the weights.

    They begin with 1 for the feature `start` alone.
    """
    weights = np.array([float(name == start) for name in names])
    for _ in range(_ROUNDS):
        rows, truth, counts = [], [], []
        for name, examples in sets.items():
            share = sum(supported for _, supported in examples) / len(examples)
            for sentences, supported in examples:
                rows.append(_decisive(sentences, weights))
                truth.append(float(supported))
                of_class = share if supported else 1 - share
                counts.append(_weight(name) / (of_class * len(examples)))
        weights = logistic(np.array(rows), np.array(truth), np.array(counts), weights, ridge)
    return weights


def _weight(name: str) -> float:
    if name in WRITTEN:
        return _WRITTEN_WEIGHT
    return _WEIGHTS.get(name, _PAIRS_WEIGHT)


def _decisive(sentences: Sequence[Array], weights: Array) -> Array:
    """Return the best row of the weakest sentence."""
    best = [rows[int(np.argmax(rows @ weights))] for rows in sentences]
    weakest: Array = min(best, key=lambda row: float(row @ weights))
    return weakest


def _fit_evidence(named: Mapping[str, Named], names: Sequence[str]) -> Array:
    start = next(name for name in names if name.endswith("entailment"))
    return fit({name: _rows(rows, names) for name, rows in named.items()}, names, start)


def fit_text_length(answers: Named, weights: Mapping[str, float]) -> float:
    """Return the weight of the length of a text, and print what some weights do to answers.

    In steps of a hundredth, it is the one that exceeds both shares that are asked for by most, or
    misses the worse one by least.
    """
    margins: list[float] = []
    for step in range(101):
        lengths = {**weights, TEXT_LENGTH: step / 100}
        passing: dict[bool, list[bool]] = {True: [], False: []}
        for sentences, label in answers:
            passing[label is Label.ENTAILMENT].append(
                all(
                    sum(weight * sentence[name] for name, weight in lengths.items()) >= 0
                    for sentence in sentences
                )
            )
        passed, refused = float(np.mean(passing[True])), 1 - float(np.mean(passing[False]))
        margins.append(min(passed - _PASSED, refused - _REFUSED))
        if step % 5 == 0:
            print(f"{TEXT_LENGTH} {step / 100:.2f}: {passed:.1%} pass, {refused:.1%} refused")
    return int(np.argmax(margins)) / 100


def _fit_contradiction(named: Mapping[str, Named]) -> Array:
    """Return the weights that tell contradicted sentences from those that are left open."""
    rows, truth, counts = [], [], []
    for texts in named.values():
        known = [
            (sentences[0], label)
            for sentences, label in texts
            if len(sentences) == 1 and label in (Label.NEUTRAL, Label.CONTRADICTION)
        ]
        for sentence, label in known:
            same = sum(other is label for _, other in known)
            rows.append([sentence[name] for name in CONTRADICTION_FEATURES])
            truth.append(float(label is Label.CONTRADICTION))
            counts.append(1.0 / same)
    start = np.zeros(len(CONTRADICTION_FEATURES))
    return logistic(np.array(rows), np.array(truth), np.array(counts), start, _RIDGE)


def _weights(names: Sequence[str], weights: Array) -> dict[str, float]:
    return {name: round(float(weight), 5) for name, weight in zip(names, weights, strict=True)}


# --- tables ---------------------------------------------------------------------------------


def _scores(rows: Rows, weights: Array) -> list[float]:
    return [float(_decisive(sentences, weights) @ weights) for sentences, _ in rows]


def balanced(rows: Rows, weights: Array) -> float:
    """Return the balanced accuracy of weights."""
    truth = np.array([supported for _, supported in rows])
    accepted = np.array(_scores(rows, weights)) >= 0
    return float((accepted[truth].mean() + (~accepted[~truth]).mean()) / 2)


def auc(rows: Rows, weights: Array) -> float:
    """Return the area under the ROC curve, ties counted as half."""
    truth = np.array([supported for _, supported in rows])
    scores = np.array(_scores(rows, weights))
    better = scores[truth][:, None] - scores[~truth][None, :]
    return float(((better > 0) + 0.5 * (better == 0)).mean())


def _crossed(sets: Mapping[str, Rows], names: Sequence[str], start: str, ridge: float) -> list[Any]:
    """Return balanced accuracy and ROC-AUC of each set under weights of the sets of other folds."""
    by_set = {}
    for fold in range(_FOLDS):
        held = [name for number, name in enumerate(sets) if number % _FOLDS == fold]
        others = {name: rows for name, rows in sets.items() if name not in held}
        weights = fit(others, names, start, ridge)
        for name in held:
            by_set[name] = balanced(sets[name], weights), auc(sets[name], weights)
    return [by_set[name] for name in sets]


def _print_tables(
    pair_rows: Mapping[str, Rows], named: Mapping[str, Named], *, ablations: bool
) -> None:
    print(f"| cross-fitted, balanced accuracy and ROC-AUC | {' | '.join(named)} | mean |")
    print("|---|" + "---|" * (len(named) + 1))
    _print_line("best premise", _crossed(pair_rows, PAIR_FEATURES, "entailment", _PAIR_RIDGE))
    groups = {"all evidence": _OF_SENTENCES}
    if ablations:
        scores = ("passage", "sentence", "composed")
        names = [name for group in scores for name in _GROUPS[group]]
        groups["scores only"] = ("bias", *names)
        for group, left_out in _GROUPS.items():
            kept = tuple(name for name in _OF_SENTENCES if name not in left_out)
            groups[f"without {group}"] = kept
    for name, kept in groups.items():
        start = next(feature for feature in kept if feature.endswith("entailment"))
        rows = {set_name: _rows(texts, kept) for set_name, texts in named.items()}
        _print_line(name, _crossed(rows, kept, start, _RIDGE))


def _print_line(name: str, cells: Sequence[tuple[float, float]]) -> None:
    means = (
        float(np.mean([balanced_part for balanced_part, _ in cells])),
        float(np.mean([auc_part for _, auc_part in cells])),
    )
    shown = " | ".join(f"{100 * one:.1f} {100 * two:.1f}" for one, two in (*cells, means))
    print(f"| {name} | {shown} |", flush=True)


def write(model: Path, weights: Mapping[str, Any]) -> None:
    """Write the weights into the configuration, and its checksum into `SHA256SUMS`."""
    path = model / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config.update(weights)
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    sums = model / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if not line.endswith("config.json")]
    lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  config.json")
    sums.write_text("\n".join(sorted(lines, key=lambda line: line.split()[1])) + "\n")


if __name__ == "__main__":
    main()
