"""The library whose event loop runs: asyncio or trio."""

import asyncio
import sys
from asyncio import _get_running_loop
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Final, NamedTuple

from groundtypes.concurrency.steps import Turn
from groundtypes.concurrency.task_factories import Drive
from groundtypes.concurrency.threads import run_in_context
from groundtypes.concurrency.turns import turn_in_loop


class Library(NamedTuple):
    """What is needed of a library.

    Attributes:
        current_task: Returns the task that runs now, or `None`.
        run_in_thread: Returns a coroutine that calls a function in a thread, with the context
            variables of a context.
        turn: Returns what to await before a round of validation, if anything.
    """

    current_task: Callable[[], object]
    run_in_thread: Callable[[Callable[[], Any], Context], Coroutine[Any, Any, Any]]
    turn: Turn


def running_library(drive: Drive) -> Library:
    """Return the library whose event loop runs.

    Raises:
        RuntimeError: Neither asyncio nor trio runs in this thread.
    """
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
