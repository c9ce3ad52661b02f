"""What `nonblocking` costs where nothing is validated, and how long the event loop is blocked.

    python -m benchmarks.nonblocking [--steps 20000] [--answers 100] [--json FILE]

The costs are processor time beyond that of the same coroutine without it, in microseconds. The gap
is the longest time between two beats of a heartbeat while answers are validated whose engine takes
50 ms; a busy machine makes it longer.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from benchmarks import machine
from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, nonblocking
from groundtypes.testing import ScriptedNLI

_BEAT: Final = 0.002
_SECONDS_OF_CALL: Final = 0.05
#: One answer comes after the other, as from the users of a server.
_SECONDS_BETWEEN: Final = 0.01


class Answer(Grounded):
    """An answer with one check that asks an engine."""

    proof: str
    text: Annotated[str, Entailed(by="proof")]


class SlowNLI(ScriptedNLI):
    """An engine that takes 50 ms, whatever it is asked."""

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the scores after a while."""
        time.sleep(_SECONDS_OF_CALL)
        return super().score(pairs)


def _same(coroutine: Coroutine[Any, Any, Any]) -> Awaitable[Any]:
    return coroutine


async def _processor_time(coroutine: Awaitable[Any], count: int) -> float:
    started = time.process_time()
    await coroutine
    return (time.process_time() - started) / count * 1e6


async def _yield(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def _nothing() -> None:
    pass


async def _await_each(drive: Callable[[Any], Awaitable[Any]], count: int) -> None:
    for _ in range(count):
        await drive(_nothing())


async def costs(count: int) -> dict[str, float]:
    """Return what a suspended `await` inside costs, and what a call of `nonblocking` costs."""
    for _ in range(2):  # the first round warms up
        step = await _processor_time(nonblocking(_yield(count)), count)
        step -= await _processor_time(_yield(count), count)
        call = await _processor_time(_await_each(nonblocking, count), count)
        call -= await _processor_time(_await_each(_same, count), count)
    return {"microseconds a suspension": step, "microseconds a call": call}


async def gap(drive: Callable[[Any], Awaitable[Any]], count: int) -> dict[str, float]:
    """Return how long answers took, and the longest gap of a heartbeat meanwhile."""
    judges, longest = Judges(nli=SlowNLI()), 0.0

    async def ask(number: int) -> None:
        await asyncio.sleep(number * _SECONDS_BETWEEN)
        data = {"proof": f"This is answer {number}.", "text": f"This is answer {number}."}
        Answer.model_validate(data, context={"judges": judges})

    async def beat() -> None:
        nonlocal longest
        while True:
            started = time.perf_counter()
            await asyncio.sleep(_BEAT)
            longest = max(longest, time.perf_counter() - started)

    heart = asyncio.create_task(beat())
    started = time.perf_counter()
    await asyncio.gather(*(drive(ask(number)) for number in range(count)))
    seconds = time.perf_counter() - started
    await asyncio.sleep(2 * _BEAT)
    heart.cancel()
    return {"seconds": seconds, "longest gap in seconds": longest}


async def measure(steps: int, answers: int) -> dict[str, Any]:
    """Return all figures."""
    await gap(nonblocking, 1)  # imports what the first validation needs
    return {
        **await costs(steps),
        "without": await gap(_same, answers),
        "with": await gap(nonblocking, answers),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = asyncio.run(measure(options.steps, options.answers))
    described = machine.describe(("greenlet",))
    print(machine.show(described))
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps({"machine": described, **figures}), encoding="utf-8")


if __name__ == "__main__":
    main()
