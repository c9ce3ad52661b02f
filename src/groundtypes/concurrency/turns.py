"""Turns: of all coroutines that are about to validate, one does in each iteration of a loop.

Without turns, coroutines that an engine has answered together would all validate in the same
iteration of their event loop, and nothing else would be served for so long.
"""

import asyncio
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Coroutine
from typing import Any, Final
from weakref import WeakKeyDictionary


class _Turns:
    """The turns of an event loop of asyncio; all its methods are called in the loop's thread."""

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self, loop: AbstractEventLoop) -> Coroutine[Any, Any, None] | None:
        """Return `None` if nobody has had a turn in this iteration, else what to wait for."""
        if self._is_taken:
            return self._wait(loop)
        self._is_taken = True
        loop.call_soon(self._end_turn, loop)
        return None

    async def _wait(self, loop: AbstractEventLoop) -> None:
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _end_turn(self, loop: AbstractEventLoop) -> None:
        """Give the next iteration to whoever has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # nobody waits if it was cancelled
                turn.set_result(None)
                loop.call_soon(self._end_turn, loop)
                return
        self._is_taken = False


_turns: Final[WeakKeyDictionary[AbstractEventLoop, _Turns]] = WeakKeyDictionary()


def turn_in_loop() -> Coroutine[Any, Any, None] | None:
    """Return what to wait for until it is the caller's turn in the running loop, if anything."""
    loop = asyncio.get_running_loop()
    return _turns.setdefault(loop, _Turns()).take(loop)
