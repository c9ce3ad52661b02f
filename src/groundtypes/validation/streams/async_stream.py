"""`AsyncGuardedStream`: the guard over an async iterator, which a task reads."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Any, Self

from groundtypes.validation.streams.pipeline import EndOfStream, Pipeline
from groundtypes.validation.streams.stream_audits import StreamAudit
from groundtypes.validation.streams.tasks import Flag, TaskHandle, new_flag, start_task


class AsyncGuardedStream(AsyncIterator[str]):
    """An async iterator over the text that `guard` lets pass, on asyncio or trio.

    The source is read in a task of its own, so that a sentence which is judged passes while the
    source still waits for its next chunk; sentences are judged in threads. Whoever leaves the
    loop early should call `aclose`, or use `async with`: so the source is closed at once.
    """

    def __init__(self, source: AsyncIterable[Any], pipeline: Pipeline) -> None:
        self._source = source
        self._pipeline = pipeline
        self._task: TaskHandle | None = None
        self._news: Flag | None = None

    @property
    def audit(self) -> StreamAudit:
        """The audit of what has been passed on; of the whole text when the stream has ended."""
        return self._pipeline.audit

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        news = self._start()
        try:
            while True:
                text = self._pipeline.take()
                if text is not None:
                    return text
                await news.wait()
        except EndOfStream:
            raise StopAsyncIteration from None
        except BaseException:
            self._abandon()
            raise

    async def aclose(self) -> None:
        """End the stream: judgements and the task that reads are cancelled, the source closed."""
        self._abandon()
        if self._task is not None:
            await self._task.join()
        elif self._news is None:
            await _close(self._source)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        if getattr(self, "_pipeline", None) is not None:
            self._abandon()

    def _abandon(self) -> None:
        self._pipeline.close()
        if getattr(self, "_task", None) is not None:
            self._task.cancel()  # type: ignore[union-attr] # it is not None

    def _start(self) -> Flag:
        if self._news is None:
            self._news = new_flag()
            room = new_flag()
            self._pipeline.on_result, self._pipeline.on_room = self._news.set, room.set
            if not self._pipeline.is_closed:
                read = _reading(self._source, self._pipeline, room)
                self._task = start_task(read, self._pipeline.context)
        return self._news


def _reading(
    source: AsyncIterable[Any], pipeline: Pipeline, room: Flag
) -> Callable[[], Coroutine[Any, Any, None]]:
    """Return the function that reads the source; it does not keep the guarded stream alive."""

    async def read() -> None:
        error: BaseException | None = None
        try:
            async for chunk in source:
                for _ in pipeline.feed(chunk):
                    while pipeline.is_full:
                        await room.wait()
                if pipeline.is_closed:
                    break
        except GeneratorExit as raised:
            # The source raised it, or this coroutine is closed, which may then await nothing.
            pipeline.end(raised)
            return
        except BaseException as raised:  # noqa: BLE001 # raised where the text is taken
            # A task must not raise it: it would end the event loop before anybody sees it.
            error = raised
        if pipeline.is_closed or error is not None:
            try:
                await _close(source)
            except BaseException as raised:  # noqa: BLE001 # as above
                error = raised if error is None else error
        pipeline.end(error)

    return read


async def _close(source: Any) -> None:
    """Close the source: an async generator by `aclose`, the streams of some clients by `close`."""
    close = getattr(source, "aclose", None) or getattr(source, "close", None)
    if not callable(close):
        return
    try:
        closing = close()
        if hasattr(closing, "__await__"):
            await closing
    except Exception:  # noqa: BLE001 # nobody waits for it any more
        return
