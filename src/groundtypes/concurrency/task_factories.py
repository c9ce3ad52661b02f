"""Tasks that are created in a step are driven, too.

Many frameworks validate in tasks of their own: pydantic-ai runs the nodes of its graphs in an anyio
task group. So while a step runs, and only then, the event loop has a task factory that drives the
coroutine of each new task. Other tasks of the loop never see it.
"""

import asyncio
import sys
from asyncio import AbstractEventLoop, _get_running_loop
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Final, TypeAlias

from groundtypes.concurrency.steps import is_in_step

#: Returns a coroutine that drives another.
Drive: TypeAlias = Callable[[Coroutine[Any, Any, Any]], Coroutine[Any, Any, Any]]

_MARK: Final = "groundtypes_drives_tasks"


class StepTaskFactory:
    """A context manager: in it, the running event loop drives the tasks that it creates.

    Nothing happens where no loop of asyncio runs, or where an outer step has seen to it.
    """

    __slots__ = ("_drive", "_factory", "_loop", "_previous")

    def __init__(self, drive: Drive) -> None:
        self._drive = drive
        self._loop: AbstractEventLoop | None = None
        self._previous: Any = None
        self._factory: Any = _default_factory(drive)

    def __enter__(self) -> None:
        loop = _get_running_loop()
        previous = None if loop is None else loop.get_task_factory()
        if loop is None or hasattr(previous, _MARK):
            return
        if previous is not self._previous:
            self._factory = _factory(self._drive, previous)
            self._previous = previous
        self._loop = loop
        loop.set_task_factory(self._factory)

    def __exit__(self, *_: object) -> None:
        loop, self._loop = self._loop, None
        # What the step itself has set stays.
        if loop is not None and loop.get_task_factory() is self._factory:
            loop.set_task_factory(self._previous)


@cache
def _default_factory(drive: Drive) -> Any:
    return _factory(drive, None)


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
