"""How fast data sets are made, how much memory that takes, and what it costs beyond the engines.

    python -m benchmarks.dataset_speed [--checks quotes nli] [--rows 1000 10000 100000]
        [--only build] [--workers 1] [--json FILE]

Each run is a process of its own, whose processor time and peak memory the system counts. Rows are
all different: a reference of some hundred words, a question, and an answer with two quotes, or
with a sentence that the bundled NLI model judges. `engine` parses the rows and calls `find_quote`,
or puts the pairs that the checks ask to the NLI model, in the same batches, and does nothing else;
`audit` is `iter_audits` with the model; `build` is `build_dataset`, with all its files. Of these
two it is also told how much of the processor's time the NLI model took, in the same process: what
is left is ours. (Two processes cannot be compared so closely, for the machine's speed drifts.)
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
    """Yield rows that are all different and all clean."""
    words = text_of(500_000).split()
    for number in range(count):
        start = number * 37 % (len(words) - WORDS)
        cut = words[start : start + WORDS]
        text = f"This is document {number}. " + " ".join(cut)
        quotes = [" ".join(cut[10:22]), " ".join(cut[60:75])]
        answer: dict[str, Any] = {"answer": f"This is document {number}."}
        if checks == "quotes":
            facts = [
                {"statement": f"Statement {number} of {' '.join(cut[30:40])}.", "quote": quote}
                for quote in quotes
            ]
            answer = {"facts": facts}
        yield {
            "id": number,
            "question": f"What does document {number} say of {' '.join(cut[:8])}?",
            "references": {"0": text},
            "answer": answer,
        }


def engine(checks: str, path: Path) -> None:
    """Do what the checks cannot do without."""
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


class Listening:
    """An NLI engine that notes what it is asked, a line for each batch."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        """Note the pairs."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([[pair.premise, pair.hypothesis] for pair in pairs]) + "\n")
        return [NLIScores(1.0, 0.0, 0.0)] * len(pairs)


class Timed:
    """The bundled NLI engine, and how much of the processor's time it took."""

    def __init__(self) -> None:
        from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # for NLI alone

        self._engine = OnnxNLI()
        self.seconds = 0.0

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        """Return the engine's scores."""
        began = time.process_time()
        found = self._engine.score(pairs)
        self.seconds += time.process_time() - began
        return found


def audited(checks: str, path: Path, scorer: Any = None) -> None:
    """Audit all rows, and keep nothing."""
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


def measure(what: str, checks: str, path: Path, workers: int) -> None:
    """Do one thing in this process, and print what it took."""
    began = time.perf_counter()
    timed = Timed() if checks == "nli" and what != "engine" and workers == 1 else None
    if what == "build":
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            model: Any = MODELS[checks]
            judges = None if timed is None else Judges(nli=timed)
            build_dataset(model, path, folder, batch=BATCH, workers=workers, judges=judges)
    elif what == "audit":
        audited(checks, path, timed)
    else:
        engine(checks, path)
    seconds = time.perf_counter() - began
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(usage.ru_utime + usage.ru_stime for usage in used)
    found = {"seconds": seconds, "cpu": processor, "mib": used[0].ru_maxrss / 1024}
    print(json.dumps(found | ({} if timed is None else {"engine": timed.seconds})))


def started(what: str, checks: str, path: Path, workers: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.dataset_speed", "--measure", what]
    options = ["--checks", checks, "--path", str(path), "--workers", str(workers)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _of_it(found: dict[str, float]) -> str:
    return f"{found['engine']:.1f}" if "engine" in found else ""


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
    described = machine.describe(["onnxruntime"])
    print(machine.show(described))
    print("\n| checks | rows | what | rows/s | processor s | of it the NLI model | peak MiB |")
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
                    audited(checks, path, Listening(path.with_suffix(".pairs")))
                for what in options.only:
                    found = started(what, checks, path, options.workers)
                    report.append({"checks": checks, "rows": count, "what": what, **found})
                    print(
                        f"| {checks} | {count:,} | {what} | {count / found['seconds']:,.0f} "
                        f"| {found['cpu']:.1f} | {_of_it(found)} | {found['mib']:.0f} |",
                        flush=True,
                    )
    if options.json:
        text = json.dumps({"machine": described, "runs": report}, indent=1)
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
