"""One page of figures for servers: `nonblocking` against plain validation, and what both cost.

    python -m benchmarks.servers [--answers 100] [--bundled-answers 40] [--output FILE]

A number of concurrent requests validate answers with five checks in one event loop, each request
one answer after another, until all answers are judged. They are judged by the bundled model, and by
an engine that takes 50 ms for a call of any size. The gap is the longest time between two beats of
a heartbeat in the same loop: for that long, no other request was served. The page ends with the
cost of `nonblocking` where nothing is validated, and with `Grounded` against `BaseModel`.
"""

import argparse
import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks import grounded_cost, machine
from benchmarks.nonblocking import costs
from benchmarks.request_batching import (
    REFERENCES,
    Answer,
    Bundled,
    CheaplyChecked,
    FixedCost,
    answer_of,
)
from groundtypes import Grounded, Judges, nonblocking
from groundtypes.backends.nli_onnx import OnnxNLI

_REQUESTS: Final = (1, 10, 100)
_BEAT: Final = 0.002
#: How often the coroutines without checks are suspended, and called.
_STEPS: Final = 20_000
_ROUNDS: Final = 40

_Drive = Callable[[Any], Awaitable[Any]]


class Load(NamedTuple):
    """What is asked of a server: an engine, and a model whose checks ask it."""

    name: str
    engine: Callable[[], Any]
    model: type[Grounded]
    answers: int


class Served(NamedTuple):
    """How one load was served."""

    answers_a_second: float
    gap: float
    calls: int


async def serve(load: Load, requests: int, drive: _Drive) -> Served:
    """Validate the answers of a load by so many concurrent requests."""
    engine = load.engine()
    context = {"references": REFERENCES, "judges": Judges(nli=engine)}
    answers, longest = max(load.answers, requests), 0.0
    numbers = iter(range(answers))

    async def validate(number: int) -> None:
        await asyncio.sleep(0)
        with contextlib.suppress(ValueError):  # a fault of the answer costs as much
            load.model.model_validate(answer_of(number), context=context)

    async def request() -> None:
        for number in numbers:
            await drive(validate(number))

    async def beat() -> None:
        nonlocal longest
        while True:
            started = time.perf_counter()
            await asyncio.sleep(_BEAT)
            longest = max(longest, time.perf_counter() - started - _BEAT)

    heart = asyncio.create_task(beat())
    await asyncio.sleep(2 * _BEAT)
    started = time.perf_counter()
    await asyncio.gather(*(request() for _ in range(requests)))
    seconds = time.perf_counter() - started
    await asyncio.sleep(2 * _BEAT)
    heart.cancel()
    return Served(answers / seconds, longest, engine.calls)


async def plainly(coroutine: Awaitable[Any]) -> None:
    """Await a coroutine as every server does."""
    await coroutine


def page(loads: list[Load]) -> Iterator[str]:
    """Measure, and yield the lines of the page."""
    yield "## Requests\n"
    yield "| engine | requests | validation | answers a second | longest gap, ms | calls |"
    yield "|---|---|---|---|---|---|"
    for load in loads:
        for requests in _REQUESTS:
            for name, drive in (("plain", plainly), ("`nonblocking`", nonblocking)):
                served = asyncio.run(serve(load, requests, drive))
                yield (
                    f"| {load.name} | {requests} | {name} | {served.answers_a_second:.1f} | "
                    f"{served.gap * 1e3:.0f} | {served.calls} |"
                )
    yield "\n## Without checks\n"
    for name, microseconds in asyncio.run(costs(_STEPS)).items():
        yield f"- `nonblocking`, {name}: {microseconds:.1f}"
    yield "\n| model | action | `BaseModel`, µs | `Grounded`, µs | ratio |\n|---|---|---|---|---|"
    for case in grounded_cost.CASES:
        for action, row in grounded_cost.measure(case, _ROUNDS).items():
            numbers = f"{row['BaseModel']:.1f} | {row['Grounded']:.1f} | {row['ratio']:.2f}"
            yield f"| {case.name} | {action} | {numbers} |"


def main() -> None:
    """Measure, print the page, and write it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--bundled-answers", type=int, default=40)
    parser.add_argument("--output", type=Path, help="a Markdown file")
    options = parser.parse_args()
    OnnxNLI().load()
    loads = [
        Load("50 ms a call", FixedCost, CheaplyChecked, options.answers),
        Load("bundled model", Bundled, Answer, options.bundled_answers),
    ]
    described = machine.describe(["greenlet", "onnxruntime"])
    lines = ["# Servers\n", machine.show(described) + "\n"]
    print("\n".join(lines))
    for line in page(loads):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
