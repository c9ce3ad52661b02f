"""Driven coroutines on trio: blocking calls in its threads, and the tasks of its nurseries."""

from collections.abc import Callable
from contextvars import Context
from functools import partial
from typing import Any, Final, cast

import trio
from trio.abc import Instrument
from trio.lowlevel import RunVar, Task

from groundtypes.concurrency.steps import Drive, is_in_step
from groundtypes.concurrency.threads import Cancellation

_is_instrumented: Final[RunVar[bool]] = RunVar("groundtypes_is_instrumented", default=False)


def is_running() -> bool:
    """Return whether a task of trio runs in this thread."""
    return current_task() is not None


def current_task() -> Task | None:
    """Return the task that runs now, or `None`."""
    try:
        return trio.lowlevel.current_task()
    except RuntimeError:
        return None


async def run_in_trio_thread(function: Callable[[], Any], context: Context) -> Any:
    """Return what the function returns; if this coroutine is cancelled, its call is, too."""
    cancellation = Cancellation()
    cancellation.enter(context)
    try:
        return await trio.to_thread.run_sync(partial(context.run, function), abandon_on_cancel=True)
    except BaseException:
        cancellation.cancel()
        raise


def drive_spawned_tasks(drive: Drive) -> None:
    """Drive, from now on, the tasks that are spawned in the steps of driven coroutines."""
    if not _is_instrumented.get():
        _is_instrumented.set(True)
        trio.lowlevel.add_instrument(_SpawnedTasks(drive))


class _SpawnedTasks(Instrument):
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def task_spawned(self, task: Task) -> None:
        """Replace the coroutine of a new task, which has not begun."""
        if is_in_step():
            task.coro = cast(Any, self._drive(task.coro))
