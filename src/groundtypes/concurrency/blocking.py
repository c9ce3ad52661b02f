"""Calls that wait for an engine or load one: in a coroutine, they can be made in another thread.

Validation is synchronous, so that whatever it waits for blocks the event loop of its thread. Under
`nonblocking`, a function that is registered here suspends the coroutine meanwhile.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

_T = TypeVar("_T")

_suspension: Callable[[Callable[[], Any]], Any] | None = None
_turn: Callable[[], None] | None = None


def call_blocking(function: Callable[[], _T]) -> _T:
    """Return what a function returns that may block for long.

    Inside of `nonblocking` it is called in a thread, while the coroutine is suspended. The caller
    must hold no lock: another coroutine of the same thread may take it.
    """
    if _suspension is None:
        return function()
    result: _T = _suspension(function)
    return result


def imported_in_thread(function: Callable[[], _T]) -> Callable[[], _T]:
    """Return a function that imports once what `function` imports and returns.

    It is for modules that are slow to load and seldom needed, as in `call_blocking`.
    """
    return cache(partial(call_blocking, function))


def take_turn() -> None:
    """Let the event loop serve others first, inside of `nonblocking`, if it has just validated.

    Many coroutines may be about to validate, as when an engine has answered all of them together:
    they take turns, between which the loop goes on. The caller must hold no lock.
    """
    if _turn is not None:
        _turn()


def register_suspension(
    suspension: Callable[[Callable[[], Any]], Any], turn: Callable[[], None]
) -> None:
    """Have blocking calls made by `suspension`, which returns their result, and turns by `turn`."""
    global _suspension, _turn  # set once, by the only module that can suspend
    _suspension, _turn = suspension, turn
