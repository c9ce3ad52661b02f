"""What the calls of an LLM engine share: its budget, its slots, and replies on their way."""

import asyncio
import copy
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from groundtypes.backends.observing import current_observer
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BudgetError, Mistake

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits over all requests of an engine; a request that would exceed one is not sent.

    What a request costs in tokens is known only afterwards. It is taken to cost as much as the
    costliest so far, and the first one is sent alone.
    """

    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an engine has used, in calls and tokens.

    `calls` are the requests that were sent: retries, redirects and replies that were sent back for
    repair are among them. Tokens are as the LLM states them, or else estimated from the length of
    the texts. `cached` questions needed no call.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0


class UsageMeter:
    """Counts the usage of an engine; a request reserves its tokens before it leaves."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._usage = Usage()
        self._reserved: dict[object, int] = {}
        self._costliest = 0
        self._lock = threading.Lock()
        renew_in_child(self)

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._usage

    def check(self) -> None:
        """Raise a `BudgetError` if the budget is spent."""
        with self._lock:
            self._check()

    def _check(self) -> None:
        for unit, spent, limit in (
            ("calls", self._usage.calls, self.budget.calls),
            ("tokens", self._spent_tokens, self.budget.tokens),
        ):
            if limit is not None and spent >= limit:
                raise BudgetError(f"The budget of {limit} {unit} is spent.")

    def count_request(self, call: object) -> bool:
        """Count a request of a call; `False` if others have reserved the tokens that are left."""
        with self._lock:
            self._check()
            if self.budget.tokens is not None and call not in self._reserved:
                left = self.budget.tokens - self._spent_tokens
                # Of the first request nothing is known: it reserves everything.
                needed = self._costliest or left
                if needed > left - sum(self._reserved.values()):
                    if self._reserved:
                        return False
                    raise BudgetError(
                        f"The budget of {self.budget.tokens} tokens is spent, but for {left}."
                    )
                self._reserved[call] = needed
            self._usage = replace(self._usage, calls=self._usage.calls + 1)
            return True

    def count_tokens(self, call: object, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens that were read and written for a request of a call."""
        with self._lock:
            self._usage = replace(
                self._usage,
                tokens_in=self._usage.tokens_in + tokens_in,
                tokens_out=self._usage.tokens_out + tokens_out,
            )
            self._costliest = max(self._costliest, tokens_in + tokens_out)
            self._reserved.pop(call, None)

    def release(self, call: object) -> None:
        """Give back what a call has reserved and not used."""
        with self._lock:
            self._reserved.pop(call, None)

    def count_cached(self, questions: int) -> None:
        """Count questions that were answered from a cache."""
        if questions and (observer := current_observer()) is not None:
            observer.cache_hits("replies", questions)
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + questions)

    def renew(self) -> None:
        """Make a new lock in a forked child, where no call is under way."""
        self._lock = threading.Lock()
        self._reserved = {}

    @property
    def _spent_tokens(self) -> int:
        return self._usage.tokens_in + self._usage.tokens_out


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

        If the call that asks is cancelled, another one that waits asks again. A mistake is raised
        by all.
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
