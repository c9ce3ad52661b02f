"""Calls that wait for an engine or load one: in a coroutine, they can be made in another thread.

Validation is synchronous, so that whatever it waits for blocks the event loop of its thread. Under
`nonblocking` it can wait without: `groundtypes.coroutines` then registers a function here that
suspends the coroutine, and nothing else of this package knows about greenlets.
"""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["call_blocking", "register_suspension"]

_T = TypeVar("_T")

_suspension: Callable[[Callable[[], Any]], Any] | None = None


def call_blocking(function: Callable[[], _T]) -> _T:
    """Return what a function returns that may block for long.

    It is called here and now, or, inside of `nonblocking`, in a thread, while the coroutine is
    suspended. The caller must hold no lock: another coroutine of the same thread may take it.
    """
    if _suspension is None:
        return function()
    result: _T = _suspension(function)
    return result


def register_suspension(suspension: Callable[[Callable[[], Any]], Any]) -> None:
    """Have blocking calls made by `suspension`, which takes the function and returns its result."""
    global _suspension  # noqa: PLW0603 # set once, by the only module that can suspend
    _suspension = suspension
