"""`nonblocking` works on uvloop and trio, with anyio on both, and with SQLAlchemy's greenlets."""

import asyncio
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
import trio
from sqlalchemy.ext.asyncio import create_async_engine

from groundtypes import nonblocking
from tests.concurrency.answers import GOOD, LettingNLI, until, validate

variable: ContextVar[str] = ContextVar("variable", default="outside")


def run(backend: str, main: Callable[[LettingNLI], Any], look: Callable[[], Any] = str) -> Any:
    """Run a coroutine beside one that lets its engine answer; return the engine."""
    nli = LettingNLI(look)

    async def let() -> None:
        await until(nli.is_asked.is_set, anyio.sleep)
        nli.may_answer.set()

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(let)
            group.start_soon(main, nli)

    options = {"use_uvloop": True} if backend == "uvloop" else {}
    anyio.run(both, backend="trio" if backend == "trio" else "asyncio", backend_options=options)
    nli.join()
    return nli


windows = pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not for Windows")
backends = pytest.mark.parametrize(
    "backend", ["asyncio", "trio", pytest.param("uvloop", marks=windows)]
)


@backends
def test_the_loop_runs_and_context_variables_go_in_and_come_out(backend: str) -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> str:
            variable.set("inside")
            await anyio.lowlevel.checkpoint()
            return validate(nli).text

        assert await nonblocking(inner()) == GOOD["text"]
        assert variable.get() == "inside"

    nli = run(backend, main, variable.get)
    assert nli.seen == ["inside"]
    assert threading.main_thread() not in nli.threads


@backends
def test_tasks_of_a_task_group_do_not_block(backend: str) -> None:
    async def main(nli: LettingNLI) -> None:
        texts: list[str] = []

        async def ask(text: str, *, task_status: Any = anyio.TASK_STATUS_IGNORED) -> None:
            task_status.started()
            texts.append(validate(nli, {"text": text}).text)

        async def inner() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(ask, "tall")
                await group.start(ask, "tower")

        await nonblocking(inner())
        assert sorted(texts) == ["tall", "tower"]

    assert threading.main_thread() not in run(backend, main).threads


@backends
def test_a_cancel_scope_cuts_a_validation(backend: str) -> None:
    places: list[str] = []

    # Nobody lets this engine answer before the scope is cancelled.
    held = LettingNLI()

    async def main(nli: LettingNLI) -> None:
        async def inner() -> None:
            with anyio.CancelScope() as scope:

                async def cut() -> None:
                    await until(held.is_asked.is_set, anyio.sleep)
                    scope.cancel()

                async with anyio.create_task_group() as group:
                    group.start_soon(cut)
                    try:
                        validate(held)
                        places.append("not cut")
                    except anyio.get_cancelled_exc_class():
                        places.append("cut")
                        raise
            held.may_answer.set()
            assert scope.cancelled_caught
            with anyio.move_on_after(30) as limit:  # noqa: ASYNC100 # a validation can be cut
                validate(nli)
            assert not limit.cancelled_caught

        await nonblocking(inner())

    run(backend, main)
    assert places == ["cut"]


@backends
def test_a_failing_task_ends_its_siblings_with_an_exception_group(backend: str) -> None:
    async def main(nli: LettingNLI) -> None:
        async def fail() -> None:
            await until(nli.is_asked.is_set, anyio.sleep)
            raise LookupError

        async def ask() -> None:
            validate(nli)

        async def inner() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(fail)
                group.start_soon(ask)

        with pytest.raises(ExceptionGroup) as raised:
            await nonblocking(inner())
        assert [type(error) for error in raised.value.exceptions] == [LookupError]

    run(backend, main)


@backends
def test_a_thread_of_anyio_validates_by_itself(backend: str) -> None:
    async def main(nli: LettingNLI) -> None:
        async def inner() -> None:
            def work() -> int:
                validate(nli)
                return threading.get_ident()

            thread = await anyio.to_thread.run_sync(work)
            assert [call.ident for call in nli.threads] == [thread]

        await nonblocking(inner())

    nli = LettingNLI()

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(main, nli)
            await until(nli.is_asked.is_set, anyio.sleep)
            nli.may_answer.set()

    anyio.run(both, backend="trio" if backend == "trio" else "asyncio")


def test_on_trio_tasks_that_others_spawn_are_left_alone() -> None:
    coroutines: list[Any] = []

    async def note() -> None:
        coroutines.append(trio.lowlevel.current_task().coro)

    async def inner() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(note)

    async def main() -> None:
        await nonblocking(inner())
        await inner()

    trio.run(main)
    assert [type(coroutine).__name__ for coroutine in coroutines] == [
        "DrivenCoroutine",
        "coroutine",
    ]


def test_trio_as_a_guest_of_asyncio() -> None:
    nli = LettingNLI()

    async def ask() -> str:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(until, nli.is_asked.is_set, trio.sleep)
            answers: list[str] = []

            async def inner() -> None:
                await trio.lowlevel.checkpoint()
                answers.append(validate(nli).text)

            nursery.start_soon(nonblocking_task, inner)
            await until(nli.is_asked.is_set, trio.sleep)
            nli.may_answer.set()
        return answers[0]

    async def nonblocking_task(function: Callable[[], Any]) -> None:
        await nonblocking(function())

    async def main() -> str:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        trio.lowlevel.start_guest_run(
            ask,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=done.set_result,
        )
        text: str = (await done).unwrap()
        return text

    assert asyncio.run(main()) == GOOD["text"]


def test_a_validation_in_a_greenlet_of_sqlalchemy_does_not_block() -> None:
    async def main(nli: LettingNLI) -> None:
        def work(connection: Any) -> str:
            [[text]] = connection.exec_driver_sql("select 'tall'")
            answer = validate(nli, {"text": text})
            [[again]] = connection.exec_driver_sql("select 'tower'")
            return f"{answer.text}{again}"

        async def inner() -> str:
            engine = create_async_engine("sqlite+aiosqlite://")
            async with engine.connect() as connection:
                await asyncio.sleep(0)
                text: str = await connection.run_sync(work)
            await engine.dispose()
            return text

        assert await nonblocking(inner()) == "talltower"

    assert threading.main_thread() not in run("asyncio", main).threads
