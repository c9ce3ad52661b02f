"""Many answers at once, cancelled and failing at random: nothing is lost, and nothing is left."""

import asyncio
import gc
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import greenlet
import pytest
from pydantic import ValidationError

from groundtypes import NLIScores, Pair, nonblocking
from groundtypes.errors import BackendError
from groundtypes.testing import ScriptedNLI
from tests.concurrency.answers import LettingNLI, validate


def numbers() -> tuple[int, int, int]:
    """Return how many greenlets, tasks and threads of calls there are."""
    greenlet.getcurrent()  # the thread's own, which is made when it is first asked for
    gc.collect()
    objects = gc.get_objects()
    calls = [thread for thread in threading.enumerate() if thread.name == "groundtypes-call"]
    return (
        sum(isinstance(each, greenlet.greenlet) for each in objects),
        sum(isinstance(each, asyncio.Task) for each in objects),
        len(calls),
    )


def assert_nothing_is_left(before: tuple[int, int, int]) -> None:
    # There may be fewer: what earlier tests have left is freed at some time.
    assert all(now <= then for now, then in zip(numbers(), before, strict=True))


def end_calls() -> None:
    for thread in threading.enumerate():
        if thread.name == "groundtypes-call":
            thread.join(30)


@pytest.mark.parametrize("in_tasks", [False, True], ids=["each driven", "in one task group"])
def test_a_thousand_answers_at_once(in_tasks: bool) -> None:
    nli = LettingNLI()

    async def ask(number: int) -> str:
        await asyncio.sleep(0)
        return validate(nli, {"text": f"answer {number}."}, f"This is answer {number}.").text

    async def all_in_tasks() -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(number)) for number in range(1000)]
        return [task.result() for task in tasks]

    async def let() -> None:
        while not nli.is_asked.is_set():  # noqa: ASYNC110 # set in another thread
            await asyncio.sleep(0.005)
        nli.may_answer.set()

    async def main() -> list[str]:
        if in_tasks:
            letting = asyncio.create_task(let())
            together = await nonblocking(all_in_tasks())
            await letting
            return together
        driven = (nonblocking(ask(number)) for number in range(1000))
        each: list[Any] = await asyncio.gather(*driven, let())
        return each[:-1]

    before = numbers()
    assert asyncio.run(main()) == [f"answer {number}." for number in range(1000)]
    end_calls()
    assert threading.main_thread() not in nli.threads
    assert_nothing_is_left(before)


class UnreliableNLI(ScriptedNLI):
    """An engine that takes a while, and fails for texts that ask for it."""

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        time.sleep(0.001)
        if any("outage" in pair.hypothesis for pair in pairs):
            raise ConnectionError("the engine is out of order")
        return super().score(pairs)


@pytest.mark.parametrize("seed", range(3))
def test_random_cancellations_faults_and_outages(seed: int) -> None:
    chance = random.Random(seed)
    kinds = [chance.choice(["good", "fault", "outage", "cancel", "timeout"]) for _ in range(400)]

    async def ask(number: int) -> str:
        kind = kinds[number]
        nli = UnreliableNLI()
        text = f"{kind} {number} {seed}."
        await asyncio.sleep(0)
        for _ in range(3):
            validate(nli, {"text": text}, "Another text." if kind == "fault" else text)
            await asyncio.sleep(0)
        return "good"

    async def ask_and_name(number: int) -> str:
        try:
            if kinds[number] == "timeout":
                async with asyncio.timeout(chance.random() * 0.01):
                    return await nonblocking(ask(number))
            return await nonblocking(ask(number))
        except ValidationError:
            return "fault"
        except BackendError:
            return "outage"
        except TimeoutError:
            return "timeout"
        except asyncio.CancelledError:
            return "cancel"

    async def main() -> list[Any]:
        loop = asyncio.get_running_loop()
        tasks = [asyncio.create_task(ask_and_name(number)) for number in range(len(kinds))]
        for kind, task in zip(kinds, tasks, strict=True):
            if kind == "cancel":
                loop.call_later(chance.random() * 0.2, task.cancel)
        return await asyncio.gather(*tasks, return_exceptions=True)

    before = numbers()
    ends = asyncio.run(main())
    end_calls()
    assert_nothing_is_left(before)
    expected = Counter(kinds)
    for kind, end in zip(kinds, ends, strict=True):
        # A cancellation may come too late, or before the task has begun.
        late = {"cancel": {"cancel", "good"}, "timeout": {"timeout", "good"}}
        name = "cancel" if isinstance(end, asyncio.CancelledError) else end
        assert name in late.get(kind, {kind}), (kind, end)
    assert min(expected.values()) > 40
