"""Drives a coroutine in a greenlet, and awaits in its place the blocking calls that it makes."""

import threading
from collections.abc import Coroutine, Generator
from contextlib import suppress
from functools import partial
from typing import Any, Final, Generic, Self, TypeVar, cast

from greenlet import getcurrent, greenlet

from groundtypes.concurrency.libraries import Library, StepTaskFactory, running_library
from groundtypes.concurrency.steps import (
    BlockingCall,
    Outcome,
    StepGreenlet,
    current_context,
    handled_exception,
)

_T_co = TypeVar("_T_co", covariant=True)

#: The attributes of the coroutine that a driven one has, too.
_ATTRIBUTES: Final = frozenset(
    "__name__ __qualname__ cr_await cr_code cr_frame cr_origin cr_running cr_suspended".split()
)


class _Run:
    """A coroutine that has begun, with its greenlet and the blocking call that it waits for.

    Each step of the coroutine is run in the greenlet. Either the step ends, and its outcome is
    passed on. Or it is suspended in a blocking call; then the call is awaited in a thread, which
    may end in a cancellation, and the step goes on with what came of it.
    """

    __slots__ = ("_coroutine", "_factory", "_library", "_step", "_wait", "thread")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], library: Library) -> None:
        self._coroutine = coroutine
        self._library = library
        self._step = StepGreenlet(library.current_task, library.turn)
        self._factory = StepTaskFactory(_drive)
        self._wait: _Wait | None = None
        self.thread = threading.get_ident()

    def go_on(self, method: str, argument: Any) -> Outcome:
        """Return what the coroutine or its wait does if `method` is called with `argument`."""
        wait = self._wait
        if wait is None:
            step = self._step
            step.call = partial(getattr(self._coroutine, method), argument)
            step.handled = handled_exception()
            step.task = self._library.current_task()
            step.gr_context = current_context()
            return self._run_or_wait(step)
        yielded = wait.go_on(method, argument)
        if yielded is not None:
            return yielded
        self._wait = None
        return self._run_or_wait(wait.suspended)

    def close(self) -> Outcome:
        """Return what the coroutine does if `GeneratorExit` is raised; it waits no more."""
        self._step.is_closing = True
        return self.go_on("throw", GeneratorExit())

    def _run_or_wait(self, suspended: greenlet) -> Outcome:
        """Resume a greenlet until its step ends or has to be awaited."""
        while True:
            call = self._resume(suspended)
            if call is None:
                return self._step.take_outcome()
            wait = _Wait(call, self._library)
            yielded = wait.go_on("send", None)
            if yielded is not None:
                self._wait = wait
                return yielded
            suspended = wait.suspended

    def _resume(self, suspended: greenlet) -> BlockingCall | None:
        """Resume a greenlet; return the call that it waits for now, if the step has not ended."""
        step = self._step
        step.parent = getcurrent()
        with self._factory:
            suspended.switch()
        call, step.blocking = step.blocking, None
        return call


class _Wait:
    """A blocking call in a thread, the coroutine that awaits it, and the suspended greenlet."""

    __slots__ = ("_awaiting", "_call", "suspended")

    def __init__(self, call: BlockingCall, library: Library) -> None:
        self._call = call
        if call.function is not None:
            self._awaiting = library.run_in_thread(call.function, call.context)
        else:
            self._awaiting = call.take_turn()
        self.suspended = call.take_caller()

    def go_on(self, method: str, argument: Any) -> Outcome | None:
        """Return what the event loop is to be told, or `None` if the call has ended."""
        try:
            return Outcome(getattr(self._awaiting, method)(argument), None, is_last=False)
        except StopIteration as stop:
            self._call.finish(stop.value)
        except BaseException as error:  # noqa: BLE001 # it is raised where the call was made
            self._call.finish(None, error)
        return None


class DrivenCoroutine(Coroutine[Any, Any, _T_co], Generic[_T_co]):
    """A coroutine in which synchronous code may wait; it looks like the one that it drives."""

    __slots__ = ("__weakref__", "_coroutine", "_is_finished", "_run")

    def __init__(self, coroutine: Coroutine[Any, Any, _T_co]) -> None:
        self._coroutine = coroutine
        self._run: _Run | None = None
        self._is_finished = False

    def __await__(self) -> Generator[Any, Any, _T_co]:
        if self._is_finished:
            raise RuntimeError("cannot reuse already awaited coroutine")
        if self._run is not None:
            raise RuntimeError("coroutine is being awaited already")
        return cast(Generator[Any, Any, _T_co], self)  # it has all that `await` calls

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any, /) -> Any:
        """Run a step."""
        return self._go_on("send", value)

    def throw(self, kind: Any, value: Any = None, traceback: Any = None, /) -> Any:
        """Run a step that begins with an exception, where the coroutine is suspended."""
        if value is None:
            value = kind if isinstance(kind, BaseException) else kind()
        elif not isinstance(value, BaseException):
            value = kind(value)
        if traceback is not None:
            value = value.with_traceback(traceback)
        return self._go_on("throw", value)

    def close(self) -> None:
        """Raise `GeneratorExit` where the coroutine is suspended; it waits no more."""
        if self._run is None:
            self._is_finished = True
            self._coroutine.close()
            return
        with suppress(GeneratorExit, StopIteration):
            self._deliver(self._run.close())
            raise RuntimeError("coroutine ignored GeneratorExit")

    def __del__(self) -> None:
        # A greenlet can be resumed in its own thread only. Elsewhere, the coroutine is closed by
        # its own finalizer, once the greenlet is gone. In a reference cycle, that may come first.
        is_closed = getattr(self._coroutine, "cr_frame", self) is None
        run = self._run
        if run is not None and run.thread == threading.get_ident() and not is_closed:
            self.close()

    def _go_on(self, method: str, argument: Any) -> Any:
        if self._run is None:
            if self._is_finished:  # the coroutine has an error for that
                return getattr(self._coroutine, method)(argument)
            try:
                self._run = _Run(self._coroutine, running_library(_drive))
            except RuntimeError:
                self.close()
                raise
        return self._deliver(self._run.go_on(method, argument))

    def _deliver(self, outcome: Outcome) -> Any:
        if not outcome.is_last:
            return outcome.value
        self._is_finished, self._run = True, None
        error = outcome.error
        if error is None:
            raise StopIteration(outcome.value)
        context = error.__context__
        del outcome
        try:
            raise error
        finally:
            # The exception that is being handled here is at the end of the chain already.
            error.__context__ = context
            del error

    def __getattr__(self, name: str) -> Any:
        """Return what tasks, debuggers and `inspect.getcoroutinestate` read of a coroutine."""
        if name in _ATTRIBUTES:
            return getattr(self._coroutine, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<nonblocking {self._coroutine!r}>"


def _drive(coroutine: Coroutine[Any, Any, Any]) -> Coroutine[Any, Any, Any]:
    return coroutine if isinstance(coroutine, DrivenCoroutine) else DrivenCoroutine(coroutine)
