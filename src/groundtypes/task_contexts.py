"""The contexts of asyncio's tasks, changed when the tasks are created."""

import sys
from collections.abc import Callable
from contextvars import Context, copy_context
from types import FrameType
from typing import Any, Final

__all__ = ["prepare_contexts"]

_Prepare = Callable[[FrameType], None]


def prepare_contexts(prepare: _Prepare) -> bool:
    """Call `prepare` in the context of every task that the running event loop creates from now on.

    It is called with the frame that creates the task, before the task runs, and must not raise. A
    task for which the caller names a context keeps that as it is. The loop gets a task factory for
    this; one of the user's own is left in place.

    Returns:
        Whether an event loop of asyncio runs here that creates its tasks so.
    """
    asyncio: Any = sys.modules.get("asyncio")
    if asyncio is None:
        return False
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return False
    factory = loop.get_task_factory()
    if factory is None:
        loop.set_task_factory(_Factory(prepare))
        return True
    return isinstance(factory, _Factory)


class _Factory:
    """A task factory that makes the tasks that asyncio makes without one."""

    def __init__(self, prepare: _Prepare) -> None:
        self._prepare: Final = prepare

    def __call__(
        self, loop: Any, coroutine: Any, context: Context | None = None, **options: Any
    ) -> Any:
        from asyncio import Task  # noqa: PLC0415 # imported where a loop runs

        if context is None:
            context = copy_context()
            context.run(self._prepare, sys._getframe(1))  # noqa: SLF001 # documented
        return Task(coroutine, loop=loop, context=context, **options)
