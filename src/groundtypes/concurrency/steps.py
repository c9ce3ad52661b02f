"""A greenlet in which a coroutine is run step by step, and from which it can be suspended anywhere.

A coroutine can only be suspended by an `await` of its own, not by the synchronous functions that it
calls. A greenlet can: it has a stack of its own, which is put aside with all its frames, those of
pydantic-core included. So a coroutine runs in a `StepGreenlet`. When a function that it has called
makes a blocking call, `suspend` hands the call to the greenlet that drives the coroutine, which
awaits it in a thread, and goes on afterwards where it was.

The garbage collector does not look into a suspended greenlet, so that a reference cycle through its
stack would never be freed. Between two steps, the stack therefore holds no references at all.
"""

import sys
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any, Final, NamedTuple, TypeAlias, cast

from greenlet import getcurrent, greenlet

from groundtypes.concurrency.blocking import register_suspension

#: Returns a coroutine that drives another.
Drive: TypeAlias = Callable[[Coroutine[Any, Any, Any]], Coroutine[Any, Any, Any]]


class Library(NamedTuple):
    """What is needed of the library whose event loop runs.

    `current_task` returns the task that runs, `run_in_thread` what a function returns that is
    called in a thread, and `turn` what ends when it is the caller's turn, `None` if it is already.
    """

    current_task: Callable[[], object]
    run_in_thread: Callable[[Callable[[], Any], Context], Coroutine[Any, Any, Any]]
    turn: Callable[[], Coroutine[Any, Any, None] | None]


class Outcome(NamedTuple):
    """What a step of a coroutine led to: it yielded a value, returned a value, or raised."""

    value: Any
    error: BaseException | None
    is_last: bool


_NO_OUTCOME: Final = Outcome(None, None, is_last=False)


class StepGreenlet(greenlet):
    """The greenlet of one coroutine.

    A coroutine that `is_closing` cannot wait any more. `blocking` is what it waits for, with the
    greenlet that is suspended: this one, or one that was started inside, as SQLAlchemy does.
    """

    def __init__(self, library: Library) -> None:
        super().__init__(_run_steps)
        self.library = library
        self.is_closing = False
        self.blocking: tuple[greenlet, Coroutine[Any, Any, Any]] | None = None
        self.outcome = _NO_OUTCOME
        self.call: Callable[[], Any] = _nothing
        self.handled: BaseException | None = None
        self._task: object = None

    def begin(self, call: Callable[[], Any]) -> None:
        """Set what the next step calls, in the context and under the exception of its caller."""
        self.call, self.handled = call, sys.exc_info()[1]
        self.gr_context = _current_context()
        self._task = self.library.current_task()

    def take_outcome(self) -> Outcome:
        """Return the outcome of the step, and forget what belongs to it."""
        outcome, self.outcome, self._task = self.outcome, _NO_OUTCOME, None
        return outcome

    @property
    def can_wait(self) -> bool:
        """Whether the coroutine can be suspended here.

        It cannot in a task that is being started eagerly: the event loop expects that task to be
        the current one until its first step ends.
        """
        return not self.is_closing and self.library.current_task() is self._task


def _nothing() -> None:
    return None


def _run_steps() -> None:
    while _run_step():
        cast(greenlet, getcurrent().parent).switch()


def _run_step() -> bool:
    """Run one step; return whether another one can follow."""
    step = cast(StepGreenlet, getcurrent())
    call, handled = step.call, step.handled
    step.call, step.handled = _nothing, None
    del step  # a greenlet whose stack refers to itself is never freed
    outcome = _outcome_while_handling(handled, call)
    cast(StepGreenlet, getcurrent()).outcome = outcome
    return not outcome.is_last


def _current_context() -> Context:
    """Return the context that runs now: itself, not a copy."""
    if getcurrent().gr_context is None:
        copy_context()  # a thread gets its context when it is first asked for
    return cast(Context, getcurrent().gr_context)


def _outcome_while_handling(handled: BaseException | None, call: Callable[[], Any]) -> Outcome:
    """Run a step in an `except` block: it may raise the exception again, or have it as context."""
    if handled is None:
        return _outcome(call)
    traceback, context = handled.__traceback__, handled.__context__
    try:
        raise handled  # noqa: TRY301 # to be handled
    except BaseException:  # noqa: BLE001 # the very exception
        handled.__traceback__, handled.__context__ = traceback, context
        return _outcome(call)


def _outcome(call: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(call(), None, is_last=False)
    except StopIteration as stop:
        return Outcome(stop.value, None, is_last=True)
    except BaseException as error:  # noqa: BLE001 # it is raised where the coroutine is awaited
        return Outcome(None, error, is_last=True)


def suspend(function: Callable[[], Any]) -> Any:
    """Return what a blocking function returns; the coroutine is suspended meanwhile.

    Without a coroutine in a greenlet of its own, the function is just called.
    """
    step = _enclosing_step()
    if step is None or not step.can_wait:
        return function()
    return _wait_for(step.library.run_in_thread(function, copy_context()))


def wait_for_turn() -> None:
    """Suspend the coroutine until it is its turn; elsewhere, do nothing."""
    step = _enclosing_step()
    if step is not None and step.can_wait and (turn := step.library.turn()) is not None:
        del step
        _wait_for(turn)


def _wait_for(coroutine: Coroutine[Any, Any, Any]) -> Any:
    step = cast(StepGreenlet, _enclosing_step())
    step.blocking = getcurrent(), coroutine
    driver = cast(greenlet, step.parent)  # only the first greenlet of a thread has none
    del step, coroutine
    value, error = driver.switch()
    if error is None:
        return value
    try:
        raise error
    finally:
        del error  # its traceback refers to this frame


def is_in_step() -> bool:
    """Return whether the code that runs now belongs to a coroutine in a greenlet of its own."""
    return _enclosing_step() is not None


def _enclosing_step() -> StepGreenlet | None:
    enclosing: greenlet | None = getcurrent()
    while enclosing is not None and not isinstance(enclosing, StepGreenlet):
        enclosing = enclosing.parent
    return enclosing


register_suspension(suspend, wait_for_turn)
