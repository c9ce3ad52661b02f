"""A coroutine that is cancelled stops the call that it waits for, and the end of the process."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar

import pytest

from groundtypes import Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.concurrency.threads import (
    CancelledCall,
    check_cancelled,
    iterate_in_threads,
    on_cancel,
    run_in_thread,
)
from groundtypes.ledger import Ledger, SettledCache
from groundtypes.testing import ScriptedNLI

variable: ContextVar[int] = ContextVar("variable", default=0)


def test_a_call_returns_raises_and_sees_the_context_of_its_caller() -> None:
    def fail() -> None:
        raise LookupError("no")

    async def run() -> int:
        variable.set(7)
        with pytest.raises(LookupError):
            await run_in_thread(fail)
        return await run_in_thread(variable.get)

    assert asyncio.run(run()) == 7


def test_more_calls_than_threads_are_all_answered() -> None:
    most, now, lock = 0, 0, threading.Lock()

    def work(number: int) -> int:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.005)
        with lock:
            now -= 1
        return number

    async def run() -> list[int]:
        return await asyncio.gather(*(run_in_thread(work, number) for number in range(100)))

    assert asyncio.run(run()) == list(range(100))
    assert most <= 32


def cancelled_after_start(function: Callable[[], None], started: threading.Event) -> None:
    """Start a call, wait until it has begun, and cancel it."""

    async def run() -> None:
        task = asyncio.create_task(run_in_thread(function))
        await asyncio.to_thread(started.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_a_cancelled_call_is_told_and_may_do_nothing_more() -> None:
    started, stopped, ended = threading.Event(), threading.Event(), threading.Event()
    raised: list[BaseException] = []

    def work() -> None:
        check_cancelled()
        with on_cancel(stopped.set):
            started.set()
            stopped.wait(60)
        try:
            check_cancelled()
        except CancelledCall as error:
            raised.append(error)
        ended.set()

    cancelled_after_start(work, started)
    assert ended.wait(60)
    assert raised


def test_a_cancelled_call_asks_no_engine_again() -> None:
    started, go_on, ended = threading.Event(), threading.Event(), threading.Event()
    asked: list[Pair] = []

    def score(pair: Pair) -> bool:
        asked.append(pair)
        started.set()
        go_on.wait(60)
        return True

    engine = ScriptedNLI(score)

    def work() -> None:
        try:
            for number in range(5):
                Ledger(SettledCache()).ask_now(engine, [Pair("It is tall.", f"Tall. {number}")])
        finally:
            ended.set()

    cancelled_after_start(work, started)
    go_on.set()
    assert ended.wait(60)
    assert len(asked) == 1


def test_a_cancelled_call_ends_between_two_batches_of_a_model() -> None:
    started, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def report(done: int, total: int) -> None:
        if done:
            started.set()
            go_on.wait(60)
            seen.append(done)

    seen: list[int] = []
    engine = OnnxNLI(cache=MemoryScoreCache(0), progress=report, threads=1)
    engine._tokens_per_batch = 64
    pairs = [Pair("The tower is tall.", f"The tower number {n} is tall.") for n in range(200)]

    def work() -> None:
        try:
            engine.score(pairs)
        finally:
            ended.set()

    cancelled_after_start(work, started)
    go_on.set()
    assert ended.wait(60)
    assert seen[-1] < len(pairs)


def test_items_come_one_by_one_and_errors_as_they_are() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise LookupError("no more")

    seen: list[int] = []

    async def run() -> None:
        async for item in iterate_in_threads(items()):
            seen.append(item)  # noqa: PERF401 # it is kept although the iterator fails

    with pytest.raises(LookupError):
        asyncio.run(run())
    assert seen == [1, 2]


def test_the_process_does_not_wait_for_a_call_that_goes_on() -> None:
    program = """
import asyncio, time
from groundtypes.concurrency.threads import run_in_thread
async def main():
    try:
        await asyncio.wait_for(run_in_thread(time.sleep, 60), 0.1)
    except TimeoutError:
        print("gave up")
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout == "gave up\n"
    assert done.stderr == ""
