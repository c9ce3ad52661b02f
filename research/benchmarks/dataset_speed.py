"""How fast data sets are built, with how much memory, and with what overhead over the engines.

    python -m benchmarks.dataset_speed [--checks quotes nli] [--rows 1000 10000 100000]
        [--only build] [--workers 1] [--json FILE]

Each run is a process of its own, whose CPU time and peak memory the system reports. All rows
differ: a reference of about a hundred words, a question, and an answer with two quotes, or with a
sentence that the bundled NLI model judges. `engine` parses the rows and only calls `find_quote`, or
scores the same pairs in the same batches with the NLI model; `audit` is `iter_audits` with the
model; `build` is `build_dataset`, with all its files. For these two, the CPU time of the NLI model
in the same process is printed as well: the rest is overhead. (Two processes cannot be compared so
closely, because the speed of the machine drifts.)
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel

from benchmarks import machine
from benchmarks.texts import text_of
from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, Quote, References, find_quote
from groundtypes.dataset import build_dataset
from groundtypes.scoring import EngineWrapper
from groundtypes.validation import iter_audits

PARTS = ("engine", "audit", "build")
BATCH = 256
WORDS = 120


class Fact(BaseModel):
    """A statement and its proof."""

    statement: str
    quote: Quote


class Quotes(Grounded):
    """An answer with quotes."""

    facts: list[Fact]


class Sentences(Grounded):
    """An answer that the references entail."""

    answer: Annotated[str, Entailed(allow_neutral=True)]


MODELS = {"quotes": Quotes, "nli": Sentences}


def rows(checks: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield different rows that pass all checks."""
    words = text_of(500_000).split()
    for number in range(count):
        start = number * 37 % (len(words) - WORDS)
        passage_words = words[start : start + WORDS]
        text = f"This is document {number}. " + " ".join(passage_words)
        quotes = [" ".join(passage_words[10:22]), " ".join(passage_words[60:75])]
        answer: dict[str, Any] = {"answer": f"This is document {number}."}
        if checks == "quotes":
            facts = [
                {
                    "statement": f"Statement {number} of {' '.join(passage_words[30:40])}.",
                    "quote": quote,
                }
                for quote in quotes
            ]
            answer = {"facts": facts}
        yield {
            "id": number,
            "question": f"What does document {number} say of {' '.join(passage_words[:8])}?",
            "references": {"0": text},
            "answer": answer,
        }


def engine(checks: str, path: Path) -> None:
    """Run only the engine that the checks need."""
    if checks == "nli":
        from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415

        scorer = OnnxNLI()
        with path.with_suffix(".pairs").open("rb") as file:
            for line in file:
                scorer.score([Pair(*pair) for pair in json.loads(line)])
        return
    with path.open("rb") as file:
        while batch := list(islice(file, BATCH)):
            for row in map(json.loads, batch):
                references = References.of(row["references"])
                for fact in row["answer"]["facts"]:
                    find_quote(fact["quote"], references)


class RecordingNLI:
    """An NLI engine that writes the pairs it gets to a file, one line for each batch."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        """Write the pairs, and return entailment for each."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([[pair.premise, pair.hypothesis] for pair in pairs]) + "\n")
        return [NLIScores(1.0, 0.0, 0.0)] * len(pairs)


class TimedNLI(EngineWrapper):
    """The bundled NLI engine, and the CPU time that it used."""

    def __init__(self) -> None:
        from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # for NLI alone

        super().__init__(OnnxNLI())
        self.seconds = 0.0

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the engine's scores."""
        start = time.process_time()
        scores = super().score(pairs)
        self.seconds += time.process_time() - start
        return scores


def audit_rows(checks: str, path: Path, scorer: Any = None) -> None:
    """Audit all rows, and discard the results."""
    judges = {} if scorer is None else {"judges": Judges(nli=scorer)}

    def read() -> Iterator[dict[str, Any]]:
        with path.open("rb") as file:
            for line in file:
                yield json.loads(line)

    model: Any = MODELS[checks]
    for _ in iter_audits(
        model,
        (row["answer"] for row in read()),
        context=({**row, **judges} for row in read()),
        batch=BATCH,
    ):
        pass


def measure(part: str, checks: str, path: Path, workers: int) -> None:
    """Run one part in this process, and print its time and memory."""
    start = time.perf_counter()
    timed = TimedNLI() if checks == "nli" and part != "engine" and workers == 1 else None
    if part == "build":
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            model: Any = MODELS[checks]
            judges = None if timed is None else Judges(nli=timed)
            build_dataset(model, path, folder, batch=BATCH, workers=workers, judges=judges)
    elif part == "audit":
        audit_rows(checks, path, timed)
    else:
        engine(checks, path)
    seconds = time.perf_counter() - start
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    measured = {"seconds": seconds, "cpu": processor, "mib": usages[0].ru_maxrss / 1024}
    print(json.dumps(measured | ({} if timed is None else {"engine": timed.seconds})))


def measure_in_process(part: str, checks: str, path: Path, workers: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.dataset_speed", "--measure", part]
    options = ["--checks", checks, "--path", str(path), "--workers", str(workers)]
    process = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(process.stdout)
    return measured


def _nli_seconds(measured: dict[str, float]) -> str:
    return f"{measured['engine']:.1f}" if "engine" in measured else ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checks", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--rows", nargs="+", type=int, default=[1000, 10_000, 100_000])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure is not None:
        measure(options.measure, options.checks[0], options.path, options.workers)
        return
    machine_description = machine.describe(["onnxruntime"])
    print(machine.show(machine_description))
    print("\n| checks | rows | what | rows/s | CPU s | NLI model CPU s | peak MiB |")
    print("|---|---|---|---|---|---|---|")
    report = []
    with tempfile.TemporaryDirectory() as scratch:
        for checks in options.checks:
            for count in options.rows:
                path = Path(scratch) / "rows.jsonl"
                with path.open("w", encoding="utf-8") as file:
                    file.writelines(json.dumps(row) + "\n" for row in rows(checks, count))
                if checks == "nli":
                    path.with_suffix(".pairs").unlink(missing_ok=True)
                    audit_rows(checks, path, RecordingNLI(path.with_suffix(".pairs")))
                for part in options.only:
                    measured = measure_in_process(part, checks, path, options.workers)
                    report.append({"checks": checks, "rows": count, "what": part, **measured})
                    print(
                        f"| {checks} | {count:,} | {part} | {count / measured['seconds']:,.0f} "
                        f"| {measured['cpu']:.1f} | {_nli_seconds(measured)} "
                        f"| {measured['mib']:.0f} |",
                        flush=True,
                    )
    if options.json:
        text = json.dumps({"machine": machine_description, "runs": report}, indent=1)
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
