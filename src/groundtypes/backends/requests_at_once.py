"""Many requests to a server at the same time, for callers that wait in a thread of their own.

All engines ask on one event loop in a thread. What they share, whoever calls them: the slots, the
budget, the caches, and replies that are under way.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeVar

from groundtypes.backends.connections import LLM_LOOP
from groundtypes.backends.llm_calls import LLMCall
from groundtypes.backends.llm_limits import SharedReplies, Slots, UsageMeter
from groundtypes.backends.retries import call_with_retries
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.concurrency.threads import check_cancelled, on_cancel, take
from groundtypes.errors import BudgetError

_Question = TypeVar("_Question")
_Reply = TypeVar("_Reply")


class RequestsAtOnce(Generic[_Question, _Reply]):
    """Asks up to `concurrency` questions at the same time, each up to `attempts` times.

    `seconds` are for a question with all its attempts. A question that is under way for another
    caller is not asked a second time. Calls have their turns, however much each has to ask.
    """

    def __init__(
        self, meter: UsageMeter, *, concurrency: int, attempts: int, seconds: float
    ) -> None:
        self.concurrency = concurrency
        self._meter = meter
        self._attempts = attempts
        self._seconds = seconds
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Forget in a forked child what is under way in its parent."""
        self._slots = Slots(self.concurrency)
        self._shared = SharedReplies[_Reply]()

    def ask(
        self,
        questions: Mapping[bytes, _Question],
        send: Callable[[_Question, LLMCall], Awaitable[_Reply]],
        *,
        model: str | None,
    ) -> Generator[tuple[bytes, _Reply, bool], None, None]:
        """Yield each reply under its key as it arrives, and whether it was asked for here.

        `send` makes one attempt. Where a question fails, replies that have arrived are yielded, and
        what is under way is broken off; after a spent budget it is waited for.

        Raises:
            BackendError: A question was not answered in all attempts.
            BudgetError: The budget is spent.
        """
        arrived: SimpleQueue[tuple[bytes, _Reply, bool] | None] = SimpleQueue()
        asking = LLM_LOOP.start(self._ask_on_loop(questions, send, model, arrived.put))
        try:
            asking.add_done_callback(lambda _: arrived.put(None))
            with on_cancel(asking.cancel):
                while (item := take(arrived)) is not None:
                    yield item
        except BaseException:
            asking.cancel()  # Ctrl-C, a closed generator, or the user's own callback
            raise
        check_cancelled()
        asking.result()

    async def _ask_on_loop(
        self,
        questions: Mapping[bytes, _Question],
        send: Callable[[_Question, LLMCall], Awaitable[_Reply]],
        model: str | None,
        put: Callable[[tuple[bytes, _Reply, bool]], None],
    ) -> None:
        call = object()

        async def in_slot(question: _Question) -> _Reply:
            async with self._slots.slot(call):
                return await call_with_retries(
                    partial(self._attempt, question, send),
                    attempts=self._attempts,
                    seconds=self._seconds,
                    model=model,
                )

        async def ask(key: bytes, question: _Question) -> None:
            reply, asked_here = await self._shared.get(key, partial(in_slot, question))
            if not asked_here:
                self._meter.count_cached(1)
            put((key, reply, asked_here))

        tasks = {asyncio.create_task(ask(key, q)) for key, q in questions.items()}
        try:
            await _first_failure(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _attempt(
        self, question: _Question, send: Callable[[_Question, LLMCall], Awaitable[_Reply]]
    ) -> _Reply:
        self._meter.check()
        call = LLMCall(self._meter)
        try:
            with call.sending():
                return await send(question, call)
        except Exception:
            if call.refusal is None:
                raise
        # Raised outside of the `except` block, it has no context, which may hold a key.
        raise call.refusal


async def _first_failure(tasks: set[asyncio.Task[None]]) -> None:
    """Wait for all tasks, or the first that fails; what a spent budget has paid for is awaited."""
    pending, spent = tasks, None
    while pending:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            error = task.exception()
            if isinstance(error, BudgetError):
                spent = error
            elif error is not None:
                raise error
    if spent is not None:
        raise spent
