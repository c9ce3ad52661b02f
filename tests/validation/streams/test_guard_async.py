"""`guard` over async iterators, on asyncio and trio."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import ValidationError

from groundtypes import Entailed, Judges, guard
from groundtypes.errors import BackendError
from groundtypes.testing import ScriptedNLI
from tests.validation.streams.texts import ALL, ANSWER, NOT_FALSE, arriving

CHECKS = [Entailed()]


@pytest.fixture(params=["asyncio", "trio"])
def run(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Run an async function in a library."""

    def run_in(function: Callable[[], Awaitable[Any]]) -> Any:
        return anyio.run(function, backend=request.param)

    return run_in


def test_what_passes_is_what_the_sync_guard_passes(run: Callable[..., Any]) -> None:
    async def main() -> Any:
        stream = guard(arriving(ANSWER), "x", judges=NOT_FALSE, checks=CHECKS)
        return "".join([text async for text in stream]), stream.audit

    passed, audit = run(main)
    stream = guard([ANSWER], "x", judges=NOT_FALSE, checks=CHECKS)
    assert passed == "".join(stream)
    assert audit.sentences == stream.audit.sentences
    assert audit.complete


def test_a_sentence_passes_while_the_source_waits(run: Callable[..., Any]) -> None:
    async def main() -> None:
        released = anyio.Event()

        async def source() -> AsyncIterator[str]:
            yield "The tower is tall and grey. It is"
            await released.wait()
            yield " old."

        stream = guard(source(), "x", judges=ALL, checks=CHECKS)
        assert await anext(stream) == "The tower is tall and grey."
        released.set()
        assert [text async for text in stream] == [" It is old."]

    run(main)


def test_a_stream_stops_before_a_false_sentence(run: Callable[..., Any]) -> None:
    closed: list[str] = []

    async def endless() -> AsyncIterator[str]:
        try:
            while True:
                yield "The tower is tall and grey. It is false that it is red. "
                await anyio.lowlevel.checkpoint()
        finally:
            closed.append("closed")

    async def main() -> None:
        stream = guard(endless(), "x", judges=NOT_FALSE, checks=CHECKS, on_fault="stop")
        assert await anext(stream) == "The tower is tall and grey."
        with pytest.raises(ValidationError):
            await anext(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        await stream.aclose()
        assert closed == ["closed"]

    run(main)


def test_a_stream_that_is_left_early_closes_its_source(run: Callable[..., Any]) -> None:
    closed: list[str] = []

    async def endless() -> AsyncIterator[str]:
        try:
            while True:
                yield "The tower is tall and grey. "
                await anyio.lowlevel.checkpoint()
        finally:
            closed.append("closed")

    async def main() -> None:
        async with guard(endless(), "x", judges=ALL, checks=CHECKS) as stream:
            async for text in stream:
                assert text
                break
        assert closed == ["closed"]
        assert [text async for text in stream] == []
        assert not stream.audit.complete

    run(main)


def test_a_cancelled_consumer_cancels_the_source(run: Callable[..., Any]) -> None:
    closed: list[str] = []

    async def main() -> None:
        waits = anyio.Event()

        async def silent() -> AsyncIterator[str]:
            try:
                yield "The tower"
                waits.set()
                await anyio.sleep(3600)
            finally:
                closed.append("closed")

        stream = guard(silent(), "x", judges=ALL, checks=CHECKS)
        async with anyio.create_task_group() as group:
            group.start_soon(anext, stream)
            await waits.wait()
            group.cancel_scope.cancel()
        await stream.aclose()
        assert closed == ["closed"]

    run(main)


def test_a_source_and_an_engine_that_raise(run: Callable[..., Any]) -> None:
    error = LookupError("gone")

    async def source() -> AsyncIterator[str]:
        yield "The tower is tall and grey. It is o"
        raise error

    async def main() -> None:
        passed: list[str] = []

        async def read() -> None:
            async for text in guard(source(), "x", judges=ALL, checks=CHECKS):
                passed.append(text)  # noqa: PERF401 # until it raises

        with pytest.raises(LookupError) as caught:
            await read()
        assert caught.value is error
        assert "".join(passed) == "The tower is tall and grey. It is o"
        down = Judges(nli=ScriptedNLI(lambda _: 1 / 0))
        with pytest.raises(BackendError):
            await anext(guard(arriving(["The tower is tall."]), "x", judges=down, checks=CHECKS))

    run(main)


def test_many_streams_at_once(run: Callable[..., Any]) -> None:
    async def main() -> None:
        passed: dict[int, str] = {}

        async def read(number: int) -> None:
            stream = guard(arriving(ANSWER), str(number), judges=ALL, checks=CHECKS)
            passed[number] = "".join([text async for text in stream])

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(read, number)
        assert passed == dict.fromkeys(range(20), ANSWER)

    run(main)


def test_a_stream_that_nobody_refers_to_is_closed() -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncIterator[str]:
        try:
            while True:
                yield "The tower is tall and grey. "
                await asyncio.sleep(0)
        finally:
            closed.set()

    async def main() -> None:
        stream = guard(endless(), "x", judges=ALL, checks=CHECKS)
        await anext(stream)
        del stream
        gc.collect()
        await asyncio.wait_for(closed.wait(), 30)

    asyncio.run(main())


def test_a_source_that_is_cancelled_by_itself_ends_the_stream() -> None:
    async def source() -> AsyncIterator[str]:
        yield "The tower"
        raise asyncio.CancelledError

    async def main() -> None:
        with pytest.raises(asyncio.CancelledError):
            async for _ in guard(source(), "x", judges=ALL, checks=CHECKS):
                pass

    asyncio.run(main())


class Raising(AsyncIterator[str]):
    """Gives one sentence, then raises; closing it raises, too."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.chunks = iter(["The tower is tall and grey."])

    async def __anext__(self) -> str:
        for chunk in self.chunks:
            return chunk
        raise self.error

    async def aclose(self) -> None:
        await anyio.lowlevel.checkpoint()
        raise SystemExit(4)


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(), SystemExit(3), GeneratorExit(), asyncio.CancelledError(),
        BaseExceptionGroup("both", [KeyboardInterrupt(), ValueError()]),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
@pytest.mark.parametrize("is_generator", [True, False], ids=["generator", "iterator"])
def test_whatever_the_source_raises_is_raised_to_the_reader(
    run: Callable[..., Any], error: BaseException, is_generator: bool
) -> None:
    async def generate() -> AsyncIterator[str]:
        yield "The tower is tall and grey."
        raise error

    async def main() -> None:
        passed: list[str] = []
        source = generate() if is_generator else Raising(error)

        async def read() -> None:
            async for text in guard(source, "x", judges=ALL, checks=CHECKS):
                passed.append(text)  # noqa: PERF401 # until it raises

        with pytest.raises(type(error)) as caught:
            await read()
        assert caught.value is error
        assert passed == ["The tower is tall and grey."]

    run(main)


def test_a_source_that_raises_while_it_is_cancelled(run: Callable[..., Any]) -> None:
    async def source() -> AsyncIterator[str]:
        try:
            while True:
                yield "The tower is tall and grey. "
                await anyio.lowlevel.checkpoint()
        finally:
            raise KeyboardInterrupt

    async def main() -> None:
        async with guard(source(), "x", judges=ALL, checks=CHECKS) as stream:
            assert await anext(stream)

    run(main)


def test_a_coroutine_is_to_be_awaited_first() -> None:
    async def client() -> AsyncIterator[str]:
        return arriving(["x"])

    call = client()
    with pytest.raises(Exception, match="Await it first"):
        guard(call, "x")  # type: ignore[call-overload]
    call.close()
