"""Drives a coroutine in greenlets, and awaits in its place the blocking calls that it makes."""

import threading
from collections.abc import Coroutine, Generator
from functools import partial
from typing import Any, Final, Generic, TypeVar, cast

from greenlet import getcurrent, greenlet

from groundtypes.concurrency.libraries import running_library, tasks_driven
from groundtypes.concurrency.steps import Outcome, StepGreenlet

_T_co = TypeVar("_T_co", covariant=True)

#: The attributes of the coroutine that a driven one has, too.
_ATTRIBUTES: Final = frozenset(
    "__name__ __qualname__ cr_await cr_code cr_frame cr_origin cr_running cr_suspended".split()
)


def _steps(coroutine: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Run a coroutine, each step in a greenlet; yield what it yields, and return its result."""
    try:
        library = running_library(_drive)
    except RuntimeError:
        coroutine.close()  # it will not be awaited
        raise
    step = StepGreenlet(library)
    step.begin(partial(coroutine.send, None))
    while True:
        outcome = yield from _finished(step)
        if outcome.error is not None:
            _raise(outcome.error)
        if outcome.is_last:
            return outcome.value
        try:
            call = partial(coroutine.send, (yield outcome.value))
        except GeneratorExit:
            coroutine.close()  # the garbage collector may have done so already
            raise
        except BaseException as error:  # noqa: BLE001 # it is the coroutine's
            call = partial(coroutine.throw, error)
        step.begin(call)
        del call, outcome


def _finished(step: StepGreenlet) -> Generator[Any, Any, Outcome]:
    """Run a step until it ends; await the calls in which it is suspended meanwhile."""
    suspended: greenlet = step
    answer: tuple[Any, ...] = ()
    thread = threading.get_ident()
    while True:
        step.parent = getcurrent()
        with tasks_driven(_drive):
            suspended.switch(*answer)
        if step.blocking is None:
            return step.take_outcome()
        (suspended, awaited), step.blocking = step.blocking, None
        try:
            answer = (yield from awaited.__await__()), None
        except BaseException as error:
            if thread != threading.get_ident():
                raise  # a greenlet goes on in its own thread only, and this one is being freed
            step.is_closing = isinstance(error, GeneratorExit)
            answer = None, error


def _raise(error: BaseException) -> None:
    context = error.__context__
    try:
        raise error
    finally:
        # The exception that is being handled here is at the end of the chain already.
        error.__context__ = context
        del error


class DrivenCoroutine(Coroutine[Any, Any, _T_co], Generic[_T_co]):
    """A coroutine in which synchronous code may wait; it looks like the one that it drives."""

    __slots__ = ("__weakref__", "_coroutine", "_steps")

    def __init__(self, coroutine: Coroutine[Any, Any, _T_co]) -> None:
        self._coroutine = coroutine
        self._steps: Any = _steps(coroutine)

    def __await__(self) -> Generator[Any, Any, _T_co]:
        self._check_not_finished()
        if self._steps.gi_suspended:
            raise RuntimeError("coroutine is being awaited already")
        return cast(Generator[Any, Any, _T_co], self._steps)

    def send(self, value: Any, /) -> Any:
        """Run a step."""
        self._check_not_finished()
        return self._steps.send(value)

    def throw(self, *error: Any) -> Any:
        """Run a step that begins with an exception, where the coroutine is suspended."""
        self._check_not_finished()
        if self._steps.gi_suspended:
            return self._steps.throw(*error)
        self._steps.close()  # it has not begun
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """Raise `GeneratorExit` where the coroutine is suspended; it waits no more."""
        self._steps.close()
        self._coroutine.close()

    def _check_not_finished(self) -> None:
        if self._steps.gi_frame is None:
            raise RuntimeError("cannot reuse already awaited coroutine")

    def __getattr__(self, name: str) -> Any:
        """Return what tasks, debuggers and `inspect.getcoroutinestate` read of a coroutine."""
        if name in _ATTRIBUTES:
            return getattr(self._coroutine, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<nonblocking {self._coroutine!r}>"


def _drive(coroutine: Coroutine[Any, Any, Any]) -> Coroutine[Any, Any, Any]:
    return coroutine if isinstance(coroutine, DrivenCoroutine) else DrivenCoroutine(coroutine)
