"""How well refusals are found, on rows that nothing was trained, tuned or chosen on.

    python -m benchmarks.refusal_quality --data DATA [--base-url URL --model NAME [--tune]]

`DATA` is the folder of public sets that `docs/refusal-model.md` names. Leave-one-source-out needs
scikit-learn and scipy; without them it is left out. With `--base-url` an LLM judges the same rows.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.evaluation_quality import auc, recall
from benchmarks.machine import describe, show
from corpora.refusal_sets import SETS, Reply, part, replies
from groundtypes import References, detect_refusal
from groundtypes.judges import default_nli
from groundtypes.refusals import detect
from groundtypes.refusals.answerable import (
    answerability_by_nli,
    answerable_pairs,
    candidate_passages,
)
from groundtypes.refusals.linear_model import LinearModel, load_model

KINDS: Final = ("answer", "refusal", "abstention", "partial")
#: What people write into their filters.
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
#: Texts that answer, none of them trained on: set -> the key of the text.
ORDINARY: Final = {
    "qags": "response",
    "summedits": "response",
    "bump": "response",
    "ragtruth_qa_test": "response",
    "mtrag_human_eval": "response",
    "factscore_facts": "sentence",
    "factcheckgpt_stance": "response",
    "factscore_claims": "full_response",
}


@dataclass(frozen=True, slots=True)
class Scores:
    """Macro-F1 of declining against answering, and of the four kinds; shares of right labels."""

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
    parser.add_argument("--tune", action="store_true", help="the LLM alone, on the tune parts")
    parser.add_argument("--no-nli", action="store_true", help="leave out what needs the NLI model")
    args = parser.parse_args(argv)
    print(show(describe()), "\n")
    wanted = "tune" if args.tune else "test"
    tested = {
        name: [row for row in replies(args.data, name) if row.part == wanted] for name in SETS
    }
    if args.tune:
        print_llm(tested, args.base_url, args.model, args.most)
        return
    left_out = list(leave_one_out(args.data, tested))
    print_table(tested, left_out)
    print_kinds(tested)
    print_false_alarms(args.data)
    print_speed(args.data, tested)
    if not args.no_nli:
        print_answerable(args.data)
    if args.base_url:
        print_llm(tested, args.base_url, args.model, args.most)


def detected(rows: Iterable[Reply]) -> list[str]:
    """Return the kinds that the detector finds, without the questions."""
    return [detect_refusal(row.text).kind.value for row in rows]


def phrased(rows: Iterable[Reply]) -> list[str]:
    """Return what a list of phrases makes of replies."""
    return [
        "refusal" if any(phrase in row.text.lower().replace("\u2019", "'") for phrase in PHRASES)
        else "answer"
        for row in rows
    ]  # fmt: skip


def majority(rows: Sequence[Reply]) -> list[str]:
    """Return the commonest kind for each."""
    return [Counter(row.kind for row in rows).most_common(1)[0][0]] * len(rows)


def scores(rows: Sequence[Reply], said: Sequence[str]) -> Scores:
    """Return how well what was said fits the labels."""
    truth = [row.kind for row in rows]
    return Scores(
        macro_f1([kind != "answer" for kind in truth], [kind != "answer" for kind in said]),
        macro_f1(truth, said),
        sum(one == other for one, other in zip(truth, said, strict=True)) / len(truth),
    )


def macro_f1(truth: Sequence[Any], said: Sequence[Any]) -> float:
    """Return the mean of the F1 of each class that the truth has."""
    found: list[float] = []
    pairs = list(zip(truth, said, strict=True))
    for kind in set(truth):
        hits = sum(one == other == kind for one, other in pairs)
        wrong = sum((one == kind) != (other == kind) for one, other in pairs)
        found.append(2 * hits / (2 * hits + wrong))
    return sum(found) / len(found)


def leave_one_out(data: Path, tested: dict[str, list[Reply]]) -> Iterator[float]:
    """Yield for each set what a model trained without it makes of its test part."""
    try:
        from training.refusals import train, train_rows  # noqa: PLC0415 # needs scikit-learn
    except ImportError as error:
        print(f"Leave-one-source-out is left out: {error}.\n")
        return
    for name, rows in tested.items():
        model = train(train_rows(data, without=[name]))
        try:
            _use(functools.partial(_unchanged, model))
            yield scores(rows, detected(rows)).declining
        finally:
            _use(load_model)


def _unchanged(model: LinearModel) -> LinearModel:
    return model


def _use(load: Callable[[], LinearModel]) -> None:
    """Let the detector load its model by this function."""
    setattr(detect, "load_model", load)  # noqa: B010 # a name that the module does not export


def print_table(tested: dict[str, list[Reply]], left_out: Sequence[float]) -> None:
    """Print one line for each set."""
    print("Macro-F1 of declining (in any way) against answering, test parts:\n")
    print("| set | rows | declining | majority | phrases | detector | trained without this set |")
    print("|---|---|---|---|---|---|---|")
    for number, (name, rows) in enumerate(tested.items()):
        cells = [
            scores(rows, said).declining for said in (majority(rows), phrased(rows), detected(rows))
        ]
        apart = f"{left_out[number]:.3f}" if left_out else ""
        declining = sum(row.kind != "answer" for row in rows)
        told = " | ".join(f"{cell:.3f}" for cell in cells)
        print(f"| {name} | {len(rows)} | {declining} | {told} | {apart} |")


def print_kinds(tested: dict[str, list[Reply]]) -> None:
    """Print what became of each label."""
    print("\nKinds, by set and label of the row (test parts):\n")
    print(f"| set | label | rows | {' | '.join(KINDS)} |")
    print("|---|---|---|---|---|---|---|")
    for name, rows in tested.items():
        for label in sorted({row.label for row in rows}):
            of_label = [row for row in rows if row.label == label]
            said = Counter(detected(of_label))
            told = " | ".join(str(said[kind]) for kind in KINDS)
            print(f"| {name} | {label} | {len(of_label)} | {told} |")


def print_false_alarms(data: Path) -> None:
    """Print how many ordinary answers are taken for something else."""
    print("\nFalse alarms on ordinary answers (what is flagged may be a real abstention):\n")
    print("| set | texts | flagged | share |")
    print("|---|---|---|---|")
    total = flagged = 0
    shown: list[str] = []
    for name, key in ORDINARY.items():
        texts = sorted({row[key] for row in _read(data, f"grounded/{name}") if row.get(key)})
        found = [text for text in texts if detect_refusal(text).kind != "answer"]
        total, flagged = total + len(texts), flagged + len(found)
        shown += [f"{name}: {' '.join(text.split())[:180]}" for text in found]
        print(f"| {name} | {len(texts):,} | {len(found)} | {len(found) / len(texts):.2%} |")
    print(f"| all | {total:,} | {flagged} | {flagged / total:.2%} |\n")
    for text in shown:
        print("    " + text)


def _read(data: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def print_speed(data: Path, tested: dict[str, list[Reply]]) -> None:
    """Print texts a second in one process, and what the first call costs a new one."""
    ordinary = {
        name: [row["response"] for row in _read(data, f"grounded/{name}")]
        for name in ("qags", "summedits", "ragtruth_qa_test")
    }
    sets = ordinary | {name: [row.text for row in rows] for name, rows in tested.items()}
    cores = os.cpu_count() or 1
    print("\nTexts a second: one process by the processor's clock, the best of five; and a process")
    print(f"on each of {cores} cores, by the clock on the wall, the best of three:\n")
    print("| texts | mean length | one process | all cores |\n|---|---|---|---|")
    with ProcessPoolExecutor(cores) as pool:
        for name, texts in sets.items():
            best = min(_seconds(texts) for _ in range(5))
            mean = sum(map(len, texts)) / len(texts)
            together = max(_together(pool, cores, texts) for _ in range(3))
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
    # Of the processor: it is one thread, and a busy machine does not blur it.
    start = time.process_time()
    for text in texts:
        detect_refusal(text)
    return time.process_time() - start


def _together(pool: ProcessPoolExecutor, cores: int, texts: Sequence[str]) -> float:
    many = list(texts) * max(1, 4000 // len(texts))
    start = time.perf_counter()
    list(pool.map(_seconds, [many] * cores))
    return cores * len(many) / (time.perf_counter() - start)


def print_answerable(data: Path) -> None:
    """Print how well the NLI engine tells questions that a passage answers from others."""
    print("\nDo the references hold an answer? ClapNQ, the bundled NLI model:\n")
    print("| part | answerable | right | unanswerable | right | ROC-AUC | of the share of words |")
    print("|---|---|---|---|---|---|---|")
    rows = list(_read(data, "refusal/clapnq_dev"))
    tested = [row for row in rows if part(row["id"]) == "test"]
    chosen = [row for row in rows if part(row["id"]) != "test"]
    for name, some in (("train and tune: the threshold was chosen here", chosen), ("test", tested)):
        cells = " | ".join(_answerable(some))
        print(f"| {name} | {cells} |", flush=True)


def _answerable(rows: Sequence[dict[str, Any]]) -> list[str]:
    engine = default_nli()
    truth = [row["label"] == "answerable" for row in rows]
    right: Counter[bool] = Counter()
    scores, shares = [], []
    for row, answerable in zip(rows, truth, strict=True):
        passages = candidate_passages(row["prompt"], References.of(row["context"]))
        scores_of_pairs = engine.score(answerable_pairs(row["prompt"], passages))
        answerability = answerability_by_nli(passages, scores_of_pairs)
        right[answerable] += answerability.is_answerable == answerable
        scores.append(answerability.score or 0.0)
        shares.append(recall(row["prompt"], row["context"]))
    return [
        *(f"{truth.count(label)} | {right[label]}" for label in (True, False)),
        f"{auc(truth, scores):.2f}",
        f"{auc(truth, shares):.2f}",
    ]


def print_llm(tested: dict[str, list[Reply]], base_url: str, model: str, most: int) -> None:
    """Print what an LLM makes of the same rows."""
    from groundtypes.cli.judges import llm_judges  # noqa: PLC0415 # needs instructor
    from groundtypes.cli.options import LLMConnection  # noqa: PLC0415 # the same

    connection = LLMConnection(base_url=base_url, mode="JSON_SCHEMA")
    judges = llm_judges(model, connection, concurrency=2)
    print(f"\nAn LLM ({model}), {most} rows of each set, drawn with a seed:\n")
    print("| set | rows | LLM | detector on the same rows | texts a second |")
    print("|---|---|---|---|---|")
    for name, rows in tested.items():
        some = random.Random(20).sample(rows, min(most, len(rows)))
        start = time.perf_counter()
        said = [detect_refusal(row.text, row.question, llm=judges.llm).kind.value for row in some]
        pace = len(some) / (time.perf_counter() - start)
        cells = f"{scores(some, said).declining:.3f} | {scores(some, detected(some)).declining:.3f}"
        print(f"| {name} | {len(some)} | {cells} | {pace:.2f} |")


if __name__ == "__main__":
    main()
