"""What is gained by asking together what waits for the same engine.

    python -m benchmarks.request_batching [--rounds 5] [--answers 200] [--milliseconds 50]
                                          [--json FILE]

Requests of one event loop validate answers with five checks by `averify`, one answer after another.
An engine of fixed cost takes 50 ms for a call of any size, one call at a time, as a GPU or a
service with one worker does; the checks that ask it take next to no time themselves, since checks
that take longer than the engine leave nothing to batch. The bundled model takes its time for each
pair, and is asked by `Entailed`. Each is asked with batching across requests and without it
(`calls_at_once = None`); no score is cached. Rounds of both take turns, so that a busy machine
changes little, and each figure is the median of the rounds.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from benchmarks import machine
from groundtypes import Case, Check, Entailed, Grounded, Judges, NLIScores, Pair, Verdict, averify
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.testing import ENTAILED

REFERENCES = [
    "The tower was opened in 1931. It is 120 metres tall and stands beside the river.",
    "Tickets are sold at the entrance. Children under six are free. Dogs are not allowed inside.",
    "From the top the whole city can be seen. In winter the tower closes at four in the afternoon.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Follows(Check):
    """Asks one question, and takes next to no time itself."""

    def judge(self, value: str, case: Case) -> Verdict:
        premise = " ".join(reference.text for reference in case.references)
        [scores] = case.ask(case.nli, [Pair(premise, value)])
        return self.holds(label=scores.label, score=scores.entailment)


class CheaplyChecked(Grounded):
    """An answer with five checks of one question each."""

    opened: Annotated[str, Follows()]
    height: Annotated[str, Follows()]
    tickets: Annotated[str, Follows()]
    dogs: Annotated[str, Follows()]
    view: Annotated[str, Follows()]


class Answer(Grounded):
    """An answer with five checks of one sentence each, for which passages are selected."""

    opened: Annotated[str, Entailed()]
    height: Annotated[str, Entailed()]
    tickets: Annotated[str, Entailed()]
    dogs: Annotated[str, Entailed()]
    view: Annotated[str, Entailed()]


class FixedCost:
    """An engine that needs the same time for each call."""

    seconds = 0.05

    def __init__(self) -> None:
        self.calls = 0
        self._lock = threading.Lock()

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        with self._lock:
            self.calls += 1
            time.sleep(self.seconds)
        return [ENTAILED for _ in pairs]


class FixedCostAlone(FixedCost):
    """The same engine, each call of which is of one answer."""

    calls_at_once = None


class Bundled(OnnxNLI):
    """The bundled model, and how often it is called."""

    def __init__(self) -> None:
        super().__init__(cache=MemoryScoreCache(0))
        self.calls = 0

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        self.calls += 1
        return super().score(pairs)


class BundledAlone(Bundled):
    """The same model, each call of which is of one answer."""

    @property
    def calls_at_once(self) -> None:
        return None


def answer_of(number: int) -> dict[str, str]:
    """Return an answer that differs from all others, so that nothing is remembered."""
    return {
        "opened": f"Visitor {number} says that the tower was opened in 1931.",
        "height": f"Visitor {number} says that it is 120 metres tall.",
        "tickets": f"Visitor {number} buys a ticket at the entrance.",
        "dogs": f"The dog of visitor {number} is not allowed inside.",
        "view": f"Visitor {number} can see the whole city from the top.",
    }


def measure(model: type[Grounded], engine: Any, requests: int, answers: int) -> dict[str, float]:
    """Return calls, answers a second, and the median and 95th percentile of the latency in ms."""
    context: dict[str, Any] = {"references": REFERENCES, "judges": Judges(nli=engine)}
    numbers = iter(range(answers))
    seconds: list[float] = []

    async def request() -> None:
        for number in numbers:
            started = time.perf_counter()
            with contextlib.suppress(ValueError):  # a fault of the answer costs as much
                await averify(model, answer_of(number), context=context)
            seconds.append(time.perf_counter() - started)

    async def serve() -> None:
        await asyncio.gather(*(request() for _ in range(requests)))

    started = time.perf_counter()
    asyncio.run(serve())
    total = time.perf_counter() - started
    ranks = statistics.quantiles(seconds, n=20)
    return {
        "calls": engine.calls,
        "answers a second": len(seconds) / total,
        "p50": ranks[9] * 1e3,
        "p95": ranks[18] * 1e3,
    }


def compare(
    model: type[Grounded],
    kinds: dict[str, Callable[[], Any]],
    requests: int,
    answers: int,
    rounds: int,
) -> dict[str, dict[str, float]]:
    """Return the medians of each kind of engine over rounds that take turns."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in kinds}
    for number in range(rounds):
        order = list(kinds) if number % 2 else list(kinds)[::-1]
        for name in order:
            found[name].append(measure(model, kinds[name](), requests, answers))
    return {
        name: {key: statistics.median(round_[key] for round_ in results) for key in results[0]}
        for name, results in found.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--bundled-answers", type=int, default=50)
    parser.add_argument("--milliseconds", type=float, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    FixedCost.seconds = options.milliseconds / 1e3
    described = machine.describe(["onnxruntime"])
    print(machine.show(described))
    print("\n| engine | requests | answers | calls | answers a second | p50, ms | p95, ms |")
    print("|---|---|---|---|---|---|---|")
    OnnxNLI().load()
    cost = f"{options.milliseconds:g} ms a call"
    fixed = {f"{cost}, alone": FixedCostAlone, f"{cost}, together": FixedCost}
    bundled = {"bundled model, alone": BundledAlone, "bundled model, together": Bundled}
    report: list[dict[str, Any]] = []
    cases: list[tuple[type[Grounded], dict[str, Any], int, int]] = [
        (CheaplyChecked, fixed, 1, options.answers // 5),
        (CheaplyChecked, fixed, 50, options.answers),
        (Answer, bundled, 1, options.bundled_answers),
        (Answer, bundled, 10, options.bundled_answers),
        (Answer, bundled, 50, options.bundled_answers),
    ]
    for model, kinds, requests, answers in cases:
        medians = compare(model, kinds, requests, answers, options.rounds)
        for name, row in medians.items():
            report.append({"engine": name, "requests": requests, "answers": answers, **row})
            print(
                f"| {name} | {requests} | {answers} | {row['calls']:.0f} "
                f"| {row['answers a second']:.1f} | {row['p50']:.0f} | {row['p95']:.0f} |"
            )
    if options.json:
        found = {"machine": described, "rows": report}
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
