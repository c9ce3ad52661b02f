"""How well refusals are detected, on rows that nothing was trained, tuned or chosen on.

    python -m benchmarks.refusal_quality --data DATA [--base-url URL --model NAME [--tune]]

`DATA` is the folder of public sets that `research/notes/refusal-model.md` names.
Leave-one-source-out needs scikit-learn and scipy, and is skipped without them. With `--base-url` an
LLM judges the same rows.
"""

import argparse
import functools
import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.evaluation_quality import auc, recall
from benchmarks.machine import describe, show
from corpora.refusal_replies import written_replies
from corpora.refusal_sets import (
    ANSWERING_SETS,
    SETS,
    Reply,
    answering_texts,
    part,
    replies,
)
from groundtypes import References, detect_refusal
from groundtypes.judges import default_nli
from groundtypes.refusals import detect, transformer
from groundtypes.refusals.linear_model import LinearModel, load_long_model, load_short_model
from groundtypes.validators.answerability import (
    answerability_by_nli,
    answerable_pairs,
    candidate_passages,
)

KINDS: Final = ("answer", "refusal", "abstention", "partial")
#: Phrases that are common in refusal filters.
PHRASES: Final = (
    "i'm sorry",
    "i am sorry",
    "i cannot",
    "i can't",
    "i can not",
    "as an ai",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i apologize",
    "unfortunately",
    "i won't",
    "i don't know",
    "i do not know",
    "not provide",
)
#: The replies that others wrote than who built the detector.
READERS: Final = Path(__file__).parents[2] / "tests/refusals/data"
#: What the transformer said of the texts that it read last.
_KNOWN: Final = getattr(transformer, "_known")  # noqa: B009 # the module does not export it


@dataclass(frozen=True, slots=True)
class Scores:
    """Macro-F1 of declining against answering, macro-F1 of the four kinds, and accuracy."""

    declining: float
    kinds: float
    right: float


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="local")
    parser.add_argument("--most", type=int, default=200, help="rows of a set for the LLM")
    parser.add_argument(
        "--tune", action="store_true", help="measure only the LLM, on the tune parts"
    )
    parser.add_argument("--no-nli", action="store_true", help="skip what needs the NLI model")
    parser.add_argument(
        "--core", action="store_true", help="without the transformer, as without groundtypes[nli]"
    )
    args = parser.parse_args(argv)
    if args.core:
        setattr(transformer, "_loader", lambda: None)  # noqa: B010 # the module does not export it
    print(show(describe()), "\n")
    wanted_part = "tune" if args.tune else "test"
    rows_by_set = {
        name: [row for row in replies(args.data, name) if row.part == wanted_part] for name in SETS
    }
    if args.tune:
        print_llm(rows_by_set, args.base_url, args.model, args.most)
        return
    left_out_scores = list(leave_one_out(args.data, rows_by_set))
    print_table(rows_by_set, left_out_scores)
    print_kinds(rows_by_set)
    print_written()
    print_readers()
    print_false_alarms(args.data)
    print_speed(args.data, rows_by_set)
    print_transformer(args.data)
    if not args.no_nli:
        print_answerable(args.data)
    if args.base_url:
        print_llm(rows_by_set, args.base_url, args.model, args.most)


def detector_kinds(rows: Iterable[Reply]) -> list[str]:
    """Return the kinds that the detector assigns to replies, without their questions."""
    return [detect_refusal(row.text).kind.value for row in rows]


def phrase_kinds(rows: Iterable[Reply]) -> list[str]:
    """Return the kinds that a list of phrases assigns to replies."""
    return [
        "refusal" if any(phrase in row.text.lower().replace("\u2019", "'") for phrase in PHRASES)
        else "answer"
        for row in rows
    ]  # fmt: skip


def majority_kinds(rows: Sequence[Reply]) -> list[str]:
    """Return the most common kind, once for each row."""
    return [Counter(row.kind for row in rows).most_common(1)[0][0]] * len(rows)


def scores(rows: Sequence[Reply], predicted: Sequence[str]) -> Scores:
    """Return how well the predicted kinds agree with the labels."""
    truth = [row.kind for row in rows]
    return Scores(
        macro_f1([kind != "answer" for kind in truth], [kind != "answer" for kind in predicted]),
        macro_f1(truth, predicted),
        sum(actual == guess for actual, guess in zip(truth, predicted, strict=True)) / len(truth),
    )


def macro_f1(truth: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Return the mean F1 of the classes in `truth`."""
    f1_scores: list[float] = []
    pairs = list(zip(truth, predicted, strict=True))
    for kind in set(truth):
        hits = sum(actual == guess == kind for actual, guess in pairs)
        wrong = sum((actual == kind) != (guess == kind) for actual, guess in pairs)
        f1_scores.append(2 * hits / (2 * hits + wrong))
    return sum(f1_scores) / len(f1_scores)


def leave_one_out(data: Path, rows_by_set: dict[str, list[Reply]]) -> Iterator[float]:
    """Yield for each set the score on its test part of a model trained without it."""
    try:
        from training.refusals import MODELS, PARTS, train, train_rows  # noqa: PLC0415 # sklearn
    except ImportError as error:
        print(f"Leave-one-source-out is skipped: {error}.\n")
        return
    for name, rows in rows_by_set.items():
        others = train_rows(data, [name], PARTS)
        long, short = (
            functools.partial(LinearModel.from_bytes, train(others, model)) for model in MODELS
        )
        try:
            _replace_loaders(long, short)
            yield scores(rows, detector_kinds(rows)).declining
        finally:
            _replace_loaders(load_long_model, load_short_model)


def _replace_loaders(long: Callable[[], LinearModel], short: Callable[[], LinearModel]) -> None:
    """Make the detector load its models with these functions."""
    setattr(detect, "load_long_model", long)  # noqa: B010 # the module does not export this name
    setattr(detect, "load_short_model", short)  # noqa: B010 # likewise


def print_table(rows_by_set: dict[str, list[Reply]], left_out_scores: Sequence[float]) -> None:
    """Print the scores on each set."""
    print("Macro-F1 of declining (in any way) against answering, test parts:\n")
    print("| set | rows | declining | majority | phrases | detector | trained without this set |")
    print("|---|---|---|---|---|---|---|")
    for number, (name, rows) in enumerate(rows_by_set.items()):
        cells = [
            scores(rows, predicted).declining
            for predicted in (majority_kinds(rows), phrase_kinds(rows), detector_kinds(rows))
        ]
        without_this_set = f"{left_out_scores[number]:.3f}" if left_out_scores else ""
        declining = sum(row.kind != "answer" for row in rows)
        formatted = " | ".join(f"{cell:.3f}" for cell in cells)
        print(f"| {name} | {len(rows)} | {declining} | {formatted} | {without_this_set} |")


def print_kinds(rows_by_set: dict[str, list[Reply]]) -> None:
    """Print the predicted kinds for each label."""
    print("\nKinds, by set and label of the row (test parts):\n")
    print(f"| set | label | rows | {' | '.join(KINDS)} |")
    print("|---|---|---|---|---|---|---|")
    for name, rows in rows_by_set.items():
        for label in sorted({row.label for row in rows}):
            of_label = [row for row in rows if row.label == label]
            counts = Counter(detector_kinds(of_label))
            cells = " | ".join(str(counts[kind]) for kind in KINDS)
            print(f"| {name} | {label} | {len(of_label)} | {cells} |")


def print_written() -> None:
    """Print how many kinds are right on the written replies of domains and languages apart."""
    print("\nReplies written for the project: share of rows with the right kind, and of rows")
    print("of which it is right whether they decline:\n")
    print("| rows | number | kind | declines |\n|---|---|---|---|")
    rows = [row for row in written_replies() if row.part in {"test", "untrained"}]
    kinds = [detect_refusal(row.text).kind.value for row in rows]
    groups: dict[str, list[tuple[str, str]]] = {}
    for row, kind in zip(rows, kinds, strict=True):
        for group in (
            row.part,
            f"{row.part}, {row.wording} wordings",
            f"{row.part}, {row.kind}",
            f"{row.part}, {row.language}",
        ):
            groups.setdefault(group, []).append((row.kind, kind))
    print_shares(groups)


def print_shares(groups: Mapping[str, Sequence[tuple[str, str]]]) -> None:
    """Print a row for each group of pairs: the kind of a reply, and what the detector says."""
    for group, pairs in sorted(groups.items()):
        right = sum(truth == kind for truth, kind in pairs) / len(pairs)
        declines = sum((truth == "answer") == (kind == "answer") for truth, kind in pairs)
        print(f"| {group} | {len(pairs)} | {right:.1%} | {declines / len(pairs):.1%} |")


def print_readers() -> None:
    """Print the same of the replies that others wrote, which are in the folder of the tests."""
    print("\nReplies of readers:\n")
    print("| rows | number | kind | declines |\n|---|---|---|---|")
    groups: dict[str, list[tuple[str, str]]] = {}
    for path in READERS.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").strip().split("\n"):
            row = json.loads(line)
            kind = detect_refusal(row["text"]).kind.value
            language = "English" if row["language"] == "en" else "other languages"
            groups.setdefault(f"{path.stem}, {language}", []).append((row["kind"], kind))
    print_shares(groups)


def print_false_alarms(data: Path) -> None:
    """Print how many ordinary answers are not classified as answers."""
    print("\nFalse alarms on ordinary answers (what is flagged may be a real abstention):\n")
    print("| set | texts | flagged | share |")
    print("|---|---|---|---|")
    total = flagged = 0
    examples: list[str] = []
    for name in ANSWERING_SETS:
        texts = answering_texts(data, name)
        flagged_texts = [text for text in texts if detect_refusal(text).kind != "answer"]
        total, flagged = total + len(texts), flagged + len(flagged_texts)
        examples += [f"{name}: {' '.join(text.split())[:180]}" for text in flagged_texts]
        print(
            f"| {name} | {len(texts):,} | {len(flagged_texts)} "
            f"| {len(flagged_texts) / len(texts):.2%} |"
        )
    print(f"| all | {total:,} | {flagged} | {flagged / total:.2%} |\n")
    for text in examples:
        print("    " + text)


def _read_rows(data: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def print_speed(data: Path, rows_by_set: dict[str, list[Reply]]) -> None:
    """Print texts per second, and the time of the first call in a new process."""
    ordinary = {
        name: [row["response"] for row in _read_rows(data, f"grounded/{name}")]
        for name in ("qags", "summedits", "ragtruth_qa_test")
    }
    sets = ordinary | {name: [row.text for row in rows] for name, rows in rows_by_set.items()}
    cores = os.cpu_count() or 1
    print("\nTexts per second: one process by CPU time, the best of five; and one process")
    print(f"on each of {cores} cores by wall-clock time, the best of three:\n")
    print("| texts | mean length | one process | all cores |\n|---|---|---|---|")
    with ProcessPoolExecutor(cores) as pool:
        for name, texts in sets.items():
            best = min(_seconds(texts) for _ in range(5))
            mean = sum(map(len, texts)) / len(texts)
            together = max(_texts_per_second(pool, cores, texts) for _ in range(3))
            print(f"| {name} | {mean:,.0f} | {len(texts) / best:,.0f} | {together:,.0f} |")
    code = (
        "import groundtypes, time; start = time.process_time();"
        "groundtypes.detect_refusal('I cannot help.'); print(time.process_time() - start)"
    )
    runs = [
        float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(7)
    ]
    print(f"\nFirst call of a new process: {1000 * min(runs):.1f} ms (the best of seven).")


def _seconds(texts: Sequence[str]) -> float:
    # CPU time: there is one thread, and a busy machine does not affect it.
    _KNOWN.clear()
    start = time.process_time()
    for text in texts:
        detect_refusal(text)
    return time.process_time() - start


def _texts_per_second(pool: ProcessPoolExecutor, cores: int, texts: Sequence[str]) -> float:
    repeated = list(texts) * max(1, 4000 // len(texts))
    start = time.perf_counter()
    list(pool.map(_seconds, [repeated] * cores))
    return cores * len(repeated) / (time.perf_counter() - start)


def print_transformer(data: Path) -> None:
    """Print of how many texts the transformer is asked, and how long it takes."""
    rows = [row for row in written_replies() if row.part in {"test", "untrained"}]
    texts = {
        "written, English": [row.text for row in rows if row.language == "en"],
        "written, others": [row.text for row in rows if row.language != "en"],
        "written, others, answers": [
            row.text for row in rows if row.language != "en" and row.kind == "answer"
        ],
        "ordinary English answers": [
            row[key]
            for name, key in ANSWERING_SETS.items()
            for row in _read_rows(data, f"grounded/{name}")
            if row.get(key)
        ],
    }
    print("\nTexts that the transformer reads, and the CPU time of such a text:\n")
    print("| texts | number | asked | median ms | 95 % within ms |\n|---|---|---|---|---|")
    for name, group in texts.items():
        seconds = sorted(_seconds_of_asked(group))
        if seconds:
            median, most = (1000 * seconds[int(len(seconds) * part)] for part in (0.5, 0.95))
            cells = f"{median:.1f} | {most:.1f}"
        else:
            cells = " | "
        print(f"| {name} | {len(group):,} | {len(seconds) / len(group):.2%} | {cells} |")


def _seconds_of_asked(texts: Iterable[str]) -> Iterator[float]:
    """Yield the CPU time of each different text that the transformer is asked about."""
    for text in dict.fromkeys(texts):
        seconds = _seconds([text])
        if len(_KNOWN):
            yield seconds


def print_answerable(data: Path) -> None:
    """Print how well the NLI engine decides whether a passage answers a question."""
    print("\nDo the references contain an answer? ClapNQ, the bundled NLI model:\n")
    print(
        "| part | answerable | right | unanswerable | right | ROC-AUC | ROC-AUC of word overlap |"
    )
    print("|---|---|---|---|---|---|---|")
    rows = list(_read_rows(data, "refusal/clapnq_dev"))
    test_rows = [row for row in rows if part(row["id"]) == "test"]
    tuning_rows = [row for row in rows if part(row["id"]) != "test"]
    for name, selected in (
        ("train and tune: the threshold was chosen here", tuning_rows),
        ("test", test_rows),
    ):
        cells = " | ".join(_answerable_cells(selected))
        print(f"| {name} | {cells} |", flush=True)


def _answerable_cells(rows: Sequence[dict[str, Any]]) -> list[str]:
    engine = default_nli()
    truth = [row["label"] == "answerable" for row in rows]
    correct: Counter[bool] = Counter()
    scores, shares = [], []
    for row, answerable in zip(rows, truth, strict=True):
        passages = candidate_passages(row["prompt"], References.of(row["context"]))
        scores_of_pairs = engine.score(answerable_pairs(row["prompt"], passages))
        answerability = answerability_by_nli(passages, scores_of_pairs)
        correct[answerable] += answerability.is_answerable == answerable
        scores.append(answerability.score or 0.0)
        shares.append(recall(row["prompt"], row["context"]))
    return [
        *(f"{truth.count(label)} | {correct[label]}" for label in (True, False)),
        f"{auc(truth, scores):.2f}",
        f"{auc(truth, shares):.2f}",
    ]


def print_llm(rows_by_set: dict[str, list[Reply]], base_url: str, model: str, most: int) -> None:
    """Print the scores of an LLM on the same rows."""
    from groundtypes.cli.judges import llm_judges  # noqa: PLC0415 # needs instructor
    from groundtypes.cli.options import LLMConnection  # noqa: PLC0415 # the same

    connection = LLMConnection(base_url=base_url, mode="JSON_SCHEMA")
    judges = llm_judges(model, connection, concurrency=2)
    print(f"\nAn LLM ({model}), {most} rows of each set, sampled with a fixed seed:\n")
    print("| set | rows | LLM | detector on the same rows | texts per second |")
    print("|---|---|---|---|---|")
    for name, rows in rows_by_set.items():
        sample = random.Random(20).sample(rows, min(most, len(rows)))
        start = time.perf_counter()
        predicted = [
            detect_refusal(row.text, row.question, llm=judges.llm).kind.value for row in sample
        ]
        texts_per_second = len(sample) / (time.perf_counter() - start)
        by_llm = scores(sample, predicted).declining
        by_detector = scores(sample, detector_kinds(sample)).declining
        cells = f"{by_llm:.3f} | {by_detector:.3f}"
        print(f"| {name} | {len(sample)} | {cells} | {texts_per_second:.2f} |")


if __name__ == "__main__":
    main()
