"""The library whose event loop runs, asyncio or trio: its threads, its tasks and its turns."""

import asyncio
import sys
from asyncio import AbstractEventLoop, _get_running_loop
from collections import deque
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from groundtypes.concurrency.steps import Drive, Library, is_in_step
from groundtypes.concurrency.threads import run_in_context


class _Turns:
    """The turns of an event loop of asyncio; all its methods are called in the loop's thread.

    Of all coroutines that are about to validate, one does in each iteration. Else those that an
    engine has answered together would all validate in the same one, and nothing else would be
    served.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self, loop: AbstractEventLoop) -> Coroutine[Any, Any, None] | None:
        """Return `None` if nobody has had a turn in this iteration, else what to wait for."""
        if self._is_taken:
            return self._wait(loop)
        self._is_taken = True
        loop.call_soon(self._end_turn, loop)
        return None

    async def _wait(self, loop: AbstractEventLoop) -> None:
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _end_turn(self, loop: AbstractEventLoop) -> None:
        """Give the next iteration to whoever has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # nobody waits if it was cancelled
                turn.set_result(None)
                loop.call_soon(self._end_turn, loop)
                return
        self._is_taken = False


_turns: Final[WeakKeyDictionary[AbstractEventLoop, _Turns]] = WeakKeyDictionary()


def turn_in_loop() -> Coroutine[Any, Any, None] | None:
    """Return what to wait for until it is the caller's turn in the running loop, if anything."""
    loop = asyncio.get_running_loop()
    return _turns.setdefault(loop, _Turns()).take(loop)


_MARK: Final = "groundtypes_drives_tasks"


@contextmanager
def tasks_driven(drive: Drive) -> Iterator[None]:
    """Have the running event loop of asyncio drive the tasks that it creates in this block.

    Many frameworks validate in tasks of their own. So while a step runs, the loop has a task
    factory that drives the coroutine of each new task. Nothing happens where no loop of asyncio
    runs, or where an outer step has seen to it.
    """
    loop = _get_running_loop()
    previous: Any = None if loop is None else loop.get_task_factory()
    if loop is None or hasattr(previous, _MARK):
        yield
        return
    factory = _factory(drive, previous)
    loop.set_task_factory(factory)
    try:
        yield
    finally:
        if loop.get_task_factory() is factory:  # what the step itself has set stays
            loop.set_task_factory(previous)


@lru_cache(maxsize=4)
def _factory(drive: Drive, previous: Any) -> Any:
    """Return a factory that drives the coroutines of tasks which `previous` creates."""

    def drive_in_step(coroutine: Any) -> Any:
        is_driven = isinstance(coroutine, Coroutine) and is_in_step()
        return drive(coroutine) if is_driven else coroutine

    def factory(loop: AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        if previous is None:
            return asyncio.Task(drive_in_step(coroutine), loop=loop, **options)
        return previous(loop, drive_in_step(coroutine), **options)

    new: Any = factory
    if sys.version_info >= (3, 12) and _is_eager(previous):
        # anyio recognises an eager factory by its code, and calls its constructor of tasks itself.
        constructor = previous.__closure__[0].cell_contents
        new = asyncio.create_eager_task_factory(
            lambda coroutine, **options: constructor(drive_in_step(coroutine), **options)
        )
    setattr(new, _MARK, True)
    return new


def _is_eager(factory: Any) -> bool:
    if sys.version_info < (3, 12):
        return False
    return getattr(factory, "__code__", None) is asyncio.eager_task_factory.__code__


def running_library(drive: Drive) -> Library:
    """Return the library whose event loop runs, or raise a `RuntimeError`."""
    # trio may run as a guest of asyncio.
    if "trio" in sys.modules:
        from groundtypes.concurrency import trio_tasks  # noqa: PLC0415 # only where trio is used

        if trio_tasks.is_running():
            trio_tasks.drive_spawned_tasks(drive)
            return Library(trio_tasks.current_task, trio_tasks.run_in_trio_thread, _at_once)
    if _get_running_loop() is not None:
        return _ASYNCIO
    raise RuntimeError(
        "nonblocking() works on the event loops of asyncio and trio, and neither runs in this "
        "thread: await it in a coroutine, or pass it to asyncio.run()."
    )


def _current_task() -> object:
    loop = _get_running_loop()
    return None if loop is None else asyncio.current_task(loop)


def _at_once() -> None:
    return None


_ASYNCIO: Final = Library(_current_task, run_in_context, turn_in_loop)
