"""A greenlet in which a coroutine is run step by step, and from which it can be suspended anywhere.

A coroutine can only be suspended by an `await` of its own, not by the synchronous functions that it
calls. A greenlet can: it has a stack of its own, which is put aside with all its frames, those of
pydantic-core included. So a coroutine runs in a `StepGreenlet`. When a function that it has called
makes a blocking call, `suspend` hands the call to the greenlet that runs the step, which awaits it
in a thread, and goes on afterwards where it was.

The garbage collector does not look into a suspended greenlet, so that a reference cycle through its
stack would never be freed. Between two steps, the stack therefore holds no references at all.
"""

import sys
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any, Final, NamedTuple, TypeAlias, cast

from greenlet import getcurrent, greenlet

from groundtypes.concurrency.blocking import register_suspension


class Outcome(NamedTuple):
    """What a step of a coroutine led to: it yielded a value, returned a value, or raised."""

    value: Any
    error: BaseException | None
    is_last: bool


_NO_OUTCOME: Final = Outcome(None, None, is_last=False)


def _nothing() -> None:
    return None


#: Returns a coroutine that drives another.
Drive: TypeAlias = Callable[[Coroutine[Any, Any, Any]], Coroutine[Any, Any, Any]]
#: Returns a coroutine that ends when it is the caller's turn, or `None` if it is so already.
Turn: TypeAlias = Callable[[], Coroutine[Any, Any, None] | None]


class BlockingCall:
    """A blocking call, or a turn if it has no function, that a suspended coroutine waits for."""

    __slots__ = ("_caller", "_error", "_turn", "_value", "context", "function")

    def __init__(
        self,
        caller: greenlet,
        function: Callable[[], Any] | None = None,
        turn: Coroutine[Any, Any, None] | None = None,
    ) -> None:
        self.function = function
        self._turn = turn
        self.context = copy_context()
        self._caller = [caller]
        self._value: Any = None
        self._error: BaseException | None = None

    def take_turn(self) -> Coroutine[Any, Any, None]:
        """Return the turn that is awaited; this object forgets it."""
        turn, self._turn = self._turn, None
        assert turn is not None  # noqa: S101 # it is either a call or a turn
        return turn

    def take_caller(self) -> greenlet:
        """Return the greenlet that is suspended; this object, on its stack, forgets it."""
        return self._caller.pop()

    def finish(self, value: Any, error: BaseException | None = None) -> None:
        """Note what the call returned, or the error that it or its cancellation raised."""
        self._value, self._error = value, error

    def result(self) -> Any:
        """Return what the call returned, or raise its error."""
        error, self._error = self._error, None
        if error is None:
            return self._value
        try:
            raise error
        finally:
            del error  # its traceback refers to this frame


class StepGreenlet(greenlet):
    """The greenlet of one coroutine.

    `call` is what the next step calls, `handled` the exception that is being handled where the
    coroutine is awaited; `outcome` is what the step led to, `blocking` the call that it is
    suspended for, `task` the task that runs it. A coroutine that `is_closing` cannot wait any more.
    """

    def __init__(self, current_task: Callable[[], object], turn: Turn) -> None:
        super().__init__(_run_steps)
        self.call: Callable[[], Any] = _nothing
        self.handled: BaseException | None = None
        self.outcome: Outcome = _NO_OUTCOME
        self.blocking: BlockingCall | None = None
        self.task: object = None
        self.current_task = current_task
        self.turn = turn
        self.is_closing = False

    def take_outcome(self) -> Outcome:
        """Return the outcome of the step, and forget what belongs to it."""
        outcome, self.outcome, self.task = self.outcome, _NO_OUTCOME, None
        return outcome

    @property
    def can_wait(self) -> bool:
        """Whether the coroutine can be suspended here.

        It cannot in a task that is being started eagerly: the event loop expects that task to be
        the current one until its first step ends.
        """
        return not self.is_closing and self.current_task() is self.task


def _run_steps() -> None:
    while _run_step():
        _parent(getcurrent()).switch()


def _run_step() -> bool:
    """Run one step; return whether another one can follow."""
    current = _current_step()
    call, handled = current.call, current.handled
    current.call, current.handled = _nothing, None
    del current  # a greenlet whose stack refers to itself is never freed
    outcome = _outcome(call) if handled is None else _outcome_while_handling(handled, call)
    _current_step().outcome = outcome
    return not outcome.is_last


def _outcome(call: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(call(), None, is_last=False)
    except StopIteration as stop:
        return Outcome(stop.value, None, is_last=True)
    except BaseException as error:  # noqa: BLE001 # it is raised where the coroutine is awaited
        return Outcome(None, error, is_last=True)


def _outcome_while_handling(handled: BaseException, call: Callable[[], Any]) -> Outcome:
    """Run a step in an `except` block: it may raise the exception again, or have it as context."""
    traceback, context = handled.__traceback__, handled.__context__
    try:
        raise handled  # noqa: TRY301 # to be handled
    except BaseException:  # noqa: BLE001 # the very exception
        handled.__traceback__, handled.__context__ = traceback, context
        return _outcome(call)


def suspend(function: Callable[[], Any]) -> Any:
    """Return what a blocking function returns; the coroutine is suspended meanwhile.

    Without a coroutine in a greenlet of its own, the function is just called. The current greenlet
    may also be one that was started inside of a step, as SQLAlchemy starts them.
    """
    current = getcurrent()
    step = _enclosing_step(current)
    if step is None or not step.can_wait:
        return function()
    step.blocking = call = BlockingCall(current, function)
    parent = _parent(step)
    del current, step
    parent.switch()
    return call.result()


def wait_for_turn() -> None:
    """Suspend the coroutine until it is its turn; elsewhere, do nothing."""
    current = getcurrent()
    step = _enclosing_step(current)
    turn = step.turn() if step is not None and step.can_wait else None
    if step is None or turn is None:
        return
    step.blocking = call = BlockingCall(current, turn=turn)
    parent = _parent(step)
    del current, step, turn
    parent.switch()
    call.result()


def is_in_step() -> bool:
    """Return whether the code that runs now belongs to a coroutine in a greenlet of its own."""
    return _enclosing_step(getcurrent()) is not None


def current_context() -> Context:
    """Return the context that runs now: itself, not a copy."""
    if getcurrent().gr_context is None:
        copy_context()  # a thread gets its context when it is first asked for
    return cast(Context, getcurrent().gr_context)


def handled_exception() -> BaseException | None:
    """Return the exception that is being handled."""
    return sys.exc_info()[1]


def _enclosing_step(current: greenlet) -> StepGreenlet | None:
    enclosing: greenlet | None = current
    while enclosing is not None and not isinstance(enclosing, StepGreenlet):
        enclosing = enclosing.parent
    return enclosing


def _current_step() -> StepGreenlet:
    return cast(StepGreenlet, getcurrent())


def _parent(current: greenlet) -> greenlet:
    return cast(greenlet, current.parent)  # only the first greenlet of a thread has none


register_suspension(suspend, wait_for_turn)
