"""What the async guard needs of asyncio and of trio: a task that reads, and a flag to wait for."""

import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import asyncio


class Flag(Protocol):
    """Wakes one coroutine of an event loop."""

    def set(self) -> None:
        """Wake it, or let it not wait; callable in any thread."""

    async def wait(self) -> None:
        """Wait until the flag is set, and clear it."""


class TaskHandle(Protocol):
    """A task that runs beside the coroutine that has started it."""

    def cancel(self) -> None:
        """Cancel it; callable in any thread."""

    async def join(self) -> None:
        """Wait until it has ended."""


def new_flag() -> Flag:
    """Return a flag of the running event loop.

    Raises:
        RuntimeError: Neither asyncio nor trio runs in this thread.
    """
    return _TrioFlag() if _is_in_trio() else _AsyncioFlag()


def start_task(function: Callable[[], Coroutine[Any, Any, None]], context: Context) -> TaskHandle:
    """Start a task, which must raise nothing but its cancellation."""
    return _TrioTask(function, context) if _is_in_trio() else _AsyncioTask(function, context)


def _is_in_trio() -> bool:
    if "trio" not in sys.modules:
        return False
    from groundtypes.concurrency import trio_tasks  # noqa: PLC0415 # only where trio is used

    return trio_tasks.is_running()


class _AsyncioFlag:
    def __init__(self) -> None:
        import asyncio  # noqa: PLC0415 # slow to import

        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def set(self) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self) -> None:
        await self._event.wait()
        self._event.clear()


#: Event loops refer to their tasks only weakly.
_asyncio_tasks: Final["set[asyncio.Task[None]]"] = set()


class _AsyncioTask:
    def __init__(self, function: Callable[[], Coroutine[Any, Any, None]], context: Context) -> None:
        import asyncio  # noqa: PLC0415 # slow to import

        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(function(), context=context)
        _asyncio_tasks.add(self._task)
        self._task.add_done_callback(_asyncio_tasks.discard)

    def cancel(self) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def join(self) -> None:
        import asyncio  # noqa: PLC0415 # slow to import

        await asyncio.wait([self._task])


class _TrioFlag:
    def __init__(self) -> None:
        import trio  # noqa: PLC0415 # only where trio is used

        self._token = trio.lowlevel.current_trio_token()
        self._new_event = trio.Event
        self._event = trio.Event()

    def set(self) -> None:
        with suppress(Exception):  # trio has ended
            self._token.run_sync_soon(self._set)

    def _set(self) -> None:
        self._event.set()

    async def wait(self) -> None:
        await self._event.wait()
        self._event = self._new_event()


class _TrioTask:
    """A system task, because a nursery cannot be open from one `__anext__` to the next."""

    def __init__(self, function: Callable[[], Coroutine[Any, Any, None]], context: Context) -> None:
        import trio  # noqa: PLC0415 # only where trio is used

        self._token = trio.lowlevel.current_trio_token()
        scope = self._scope = trio.CancelScope()
        ended = self._ended = trio.Event()

        async def run() -> None:
            try:
                with scope:
                    await function()
            finally:
                ended.set()

        trio.lowlevel.spawn_system_task(run, context=context)

    def cancel(self) -> None:
        with suppress(Exception):  # trio has ended
            self._token.run_sync_soon(self._scope.cancel)

    async def join(self) -> None:
        await self._ended.wait()
