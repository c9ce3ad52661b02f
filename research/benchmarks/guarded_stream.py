"""How long `guard` holds a sentence: from its full stop to the output, less its judgement.

    python -m benchmarks.guarded_stream [--answers 5] [--json FILE]

An answer arrives in tokens at 50, 100 and 25 tokens a second, which is how models write. The time
at which the last character of a sentence came is compared with the time at which the sentence
passed. The judgement is what the same sentence takes alone, with nothing else under way: measured
for the bundled model, and 50 ms for an engine that sleeps so long.
"""

import argparse
import asyncio
import json
import re
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine
from groundtypes import Entailed, Figures, Judges, NLIScores, Pair, guard
from groundtypes.testing import ENTAILED, ScriptedNLI
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.layout import BlockKind
from groundtypes.validation.streams.judge import PartJudge
from groundtypes.validation.streams.judged_parts import Part

_CHECKS = (Entailed(), Figures())
_SECONDS = 0.05
_FACTS = (
    ("The old lighthouse", "was built of granite in {year}", "stands on the northern cliff"),
    ("The harbour master", "keeps a register of {count} boats", "lives beside the customs house"),
    ("The village school", "has {count} pupils in two classes", "opened its new hall in {year}"),
    ("The ferry company", "runs {count} crossings a week in summer", "was founded in {year}"),
    ("The botanical garden", "grows {count} kinds of fern", "is closed on Mondays in winter"),
)


class Sleeping(ScriptedNLI):
    """An engine that takes 50 ms for every call, however many pairs it has, several at a time."""

    calls_at_once = 8

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return `ENTAILED` for each pair after a while."""
        time.sleep(_SECONDS)
        return [ENTAILED] * len(pairs)


@dataclass(frozen=True)
class Held:
    """One sentence: the seconds that it was held, and those that its judgement takes alone."""

    held: float
    judged: float

    @property
    def overhead(self) -> float:
        """The seconds that are not the judgement."""
        return max(0.0, self.held - self.judged)


def sentences(number: int) -> list[str]:
    """Return the sentences of an answer; no two answers share one."""
    return [
        f"{name} {fact.format(year=1700 + 9 * number + at, count=20 + 7 * number + at)}."
        for at, (name, *facts) in enumerate(_FACTS)
        for fact in facts
    ]


async def arriving(text: str, rate: float, came: dict[int, float]) -> AsyncIterator[str]:
    """Yield the tokens of a text at a rate, and note when each full stop came."""
    tokens: Iterator[re.Match[str]] = re.finditer(r" ?[^ .]{1,5}|\.", text)
    started = time.perf_counter()
    for number, token in enumerate(tokens):
        await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
        if token[0] == ".":
            came[token.end()] = time.perf_counter()
        yield token[0]


async def measure(answer: int, rate: float, judges: Judges, alone: bool) -> list[Held]:  # noqa: FBT001 # private
    """Return how long each sentence of an answer was held."""
    written = sentences(answer)
    text, references = " ".join(written), [" ".join(written)]
    came: dict[int, float] = {}
    stream = guard(arriving(text, rate, came), references, judges=judges, checks=_CHECKS)
    passed: dict[int, float] = {}
    size = 0
    async for piece in stream:
        size += len(piece)
        passed[size] = time.perf_counter()
    assert len(passed) == len(written)
    times = judgements(written, answer, judges) if alone else [_SECONDS] * len(written)
    return [
        Held(passed[end] - came[end], seconds)
        for end, seconds in zip(sorted(passed), times, strict=True)
    ]


def judgements(written: Sequence[str], answer: int, judges: Judges) -> list[float]:
    """Return the seconds that each sentence takes alone; none of its pairs was asked before."""
    # A further reference changes nothing in the work, but makes the questions new ones.
    references = [" ".join(written).replace("Mondays", f"Tuesdays of {answer}")]
    stream = guard([], references, judges=judges, checks=_CHECKS)
    judge: PartJudge = stream._pipeline._judge  # noqa: SLF001 # the one that is measured
    seconds = []
    for sentence in written:
        text = sentence.replace(".", " indeed.")
        claim = Hypothesis(text, 0, len(text))
        started = time.perf_counter()
        judge.judge([Part(0, 0, len(text), text, BlockKind.PROSE, (claim,))])
        seconds.append(time.perf_counter() - started)
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe(["onnxruntime", "tokenizers"])
    print(machine.show(described))
    print(
        "\n| engine | tokens a second | sentences | held, median ms | judgement, median ms "
        "| rest, median ms | rest, 95 % ms | rest, most ms |\n|---|---|---|---|---|---|---|---|"
    )
    engines = {"50 ms": Judges(nli=Sleeping()), "bundled": Judges()}
    asyncio.run(measure(10_000, 1_000, engines["bundled"], alone=True))  # loads the model
    results = []
    number = 0
    for name, judges in engines.items():
        for rate in (50.0, 100.0, 25.0):
            held: list[Held] = []
            for _ in range(options.answers):
                number += 1
                held += asyncio.run(measure(number, rate, judges, name == "bundled"))
            row = summary(held)
            results.append({"engine": name, "tokens a second": rate, **row})
            values = " | ".join(f"{value:.1f}" for value in list(row.values())[1:])
            print(f"| {name} | {rate:.0f} | {len(held)} | {values} |", flush=True)
    if options.json:
        report = {"machine": described, "results": results}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


def summary(held: Sequence[Held]) -> dict[str, float]:
    """Return the counts and the milliseconds of some sentences."""
    rest = sorted(each.overhead * 1e3 for each in held)
    return {
        "sentences": len(held),
        "held": statistics.median(each.held for each in held) * 1e3,
        "judgement": statistics.median(each.judged for each in held) * 1e3,
        "rest": statistics.median(rest),
        "rest, 95 %": rest[int(len(rest) * 0.95)],
        "rest, most": rest[-1],
    }


if __name__ == "__main__":
    main()
