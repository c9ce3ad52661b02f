"""Calls that wait for an engine or load one: in a coroutine, they can be made in another thread.

Validation is synchronous, so that whatever it waits for blocks the event loop of its thread. Under
`nonblocking` it can wait without: `groundtypes.concurrency` then registers a function here that
suspends the coroutine, and nothing else of this package knows about greenlets.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

_T = TypeVar("_T")

_suspension: Callable[[Callable[[], Any]], Any] | None = None
_turn: Callable[[], None] | None = None


def call_blocking(function: Callable[[], _T]) -> _T:
    """Return what a function returns that may block for long.

    It is called here and now, or, inside of `nonblocking`, in a thread, while the coroutine is
    suspended. The caller must hold no lock: another coroutine of the same thread may take it.
    """
    if _suspension is None:
        return function()
    result: _T = _suspension(function)
    return result


def imported_in_thread(function: Callable[[], _T]) -> Callable[[], _T]:
    """Return a function that imports once what `function` imports and returns.

    It is for modules that are slow to load and seldom needed. Inside of `nonblocking` they are
    imported in a thread.
    """
    return cache(partial(call_blocking, function))


def take_turn() -> None:
    """Let the event loop serve others first, inside of `nonblocking`, if it has just validated.

    A round of validation takes milliseconds itself. Many coroutines may be about to run one, as
    when an engine has answered all of them together: they take turns, between which the loop goes
    on. The caller must hold no lock, as in `call_blocking`.
    """
    if _turn is not None:
        _turn()


def register_suspension(
    suspension: Callable[[Callable[[], Any]], Any], turn: Callable[[], None]
) -> None:
    """Have blocking calls made by `suspension`, and turns awaited by `turn`.

    `suspension` takes the function and returns its result.
    """
    global _suspension, _turn  # set once, by the only module that can suspend
    _suspension, _turn = suspension, turn
