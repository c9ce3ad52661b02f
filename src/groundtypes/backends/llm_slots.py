"""What the calls of an LLM engine share: slots for questions under way, and replies on their way.

Both are used on one event loop only, so they need no locks.
"""

import asyncio
import copy
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from groundtypes.errors import Mistake

_T = TypeVar("_T")


class Slots:
    """A number of slots, which the calls that wait get in turn, however much each has to ask."""

    def __init__(self, count: int) -> None:
        self._free = count
        #: Those who wait, by call; the call whose turn is next comes first.
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def slot(self, call: Hashable) -> AsyncIterator[None]:
        """Wait for a slot of the call, and have it during this block."""
        await self._take(call)
        try:
            yield
        finally:
            self._give_back()

    async def _take(self, call: Hashable) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(call, deque()).append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._give_back()  # it came at the moment of the cancellation
            raise

    def _give_back(self) -> None:
        while self._waiting:
            call = next(iter(self._waiting))
            turns = self._waiting.pop(call)
            turn = turns.popleft()
            if turns:
                self._waiting[call] = turns  # the others have their turns before it
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class SharedReplies(Generic[_T]):
    """Has equal questions of several calls, which are under way together, asked once."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Future[_T | Mistake | None]] = {}
        #: How many calls wait for what another one has asked.
        self.waiting = 0

    async def get(self, key: Hashable, ask: Callable[[], Awaitable[_T]]) -> tuple[_T, bool]:
        """Return the reply, and whether it was asked for here.

        If the call that asks is cancelled, another one that waits asks again.

        Raises:
            Mistake: The question failed, wherever it was asked.
        """
        while (reply := self._under_way.get(key)) is not None:
            self.waiting += 1
            try:
                # Unlike `await reply`, this does not cancel it for the others.
                await asyncio.wait([reply])
            finally:
                self.waiting -= 1
            result = reply.result()
            if isinstance(result, Mistake):
                raise copy.copy(result)
            if result is not None:
                return result, False
        reply = self._under_way[key] = asyncio.get_running_loop().create_future()
        result = None
        try:
            result = await ask()
        except Mistake as mistake:
            result = mistake
            raise
        finally:
            del self._under_way[key]
            reply.set_result(result)
        return result, True
