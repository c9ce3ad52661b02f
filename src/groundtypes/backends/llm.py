"""`InstructorLLM`: typed questions to any LLM that instructor can call, many at a time.

It works from synchronous code, from threads and inside a running event loop alike. Questions to a
synchronous client run in a pool of threads, those to an asynchronous one on an event loop of the
engine's own. What happens to a question in turn: it is looked up in the cache of replies
(`reply_cache`), counted against the budget (`budget`), sent by the client (`llm_clients`) and
asked again where that may help (`retries`).
"""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Self

from pydantic import BaseModel, ValidationError

from groundtypes.backends.budget import Budget, Usage, UsageMeter
from groundtypes.backends.event_loop_thread import EventLoopThread
from groundtypes.backends.llm_clients import client_of, tokens_of
from groundtypes.backends.llm_errors import silent_instructor
from groundtypes.backends.reply_cache import MemoryReplyCache, ReplyCache, reply_key
from groundtypes.backends.retries import call_with_retries, call_with_retries_async
from groundtypes.errors import ContextError
from groundtypes.forking import renew_in_child
from groundtypes.scoring import Question, Reply

__all__ = ["Budget", "InstructorLLM", "Usage"]


class InstructorLLM:
    """An LLM engine on an instructor client: it asks concurrently, retries, and caches replies.

    `client` is an instructor client of any provider, synchronous or not, an OpenAI client, or
    "provider/model". After transport errors, time-outs and invalid replies a question is asked
    again, after a wait of which the server may say how long it is. What still fails is a mistake,
    never a fault of an answer.
    """

    def __init__(
        self,
        client: Any,
        model: str | None = None,
        *,
        mode: Any = None,
        concurrency: int = 16,
        timeout: float = 60.0,
        attempts: int = 4,
        repairs: int = 1,
        budget: Budget | None = None,
        cache: ReplyCache | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Store the client and the options; nothing is asked yet.

        Args:
            client: What is asked, see above.
            model: The model's name, where the client does not know it.
            mode: instructor's mode, for a client that is not instructor's own.
            concurrency: The most questions that are asked at the same time.
            timeout: Seconds for one request, where the provider's client takes that.
            attempts: How often a question is asked at most.
            repairs: How often a reply of the wrong schema is sent back within an attempt.
            budget: What may be spent: once it is used up, a further question raises
                `BudgetError`. Calls under way are finished, so the tokens may exceed the limit.
            cache: Where replies are cached, by default in memory; or `DiskReplyCache(path)`.
            options: Further arguments of each request, such as {"temperature": 0}.
            progress: Called with how many questions are answered and how many there are, from any
                thread.

        Raises:
            ContextError: The client cannot be asked.
            ImportError: instructor is not installed.
        """
        if concurrency < 1 or attempts < 1 or timeout <= 0:
            raise ContextError("concurrency, attempts and timeout must be positive")
        self._client_arguments = (client, model, mode, timeout)
        self._client = client_of(*self._client_arguments)
        self._concurrency = concurrency
        self._timeout = timeout
        self._attempts = attempts
        self._repairs = repairs
        self._meter = UsageMeter(budget or Budget())
        self._cache = MemoryReplyCache() if cache is None else cache
        self._options = dict(options or {})
        self._progress = progress
        self._loop_thread = EventLoopThread()
        renew_in_child(self)

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.usage

    def renew(self) -> None:
        """Open connections of its own in a forked child."""
        self._client = client_of(*self._client_arguments, fresh=True)

    def close(self) -> None:
        """Close the connections of the asynchronous client; the engine can be asked again."""
        self._loop_thread.close(self._client.close, self._timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, questions: Sequence[Question], /) -> list[Reply]:
        """Return one reply for each question, in order; equal questions are asked once.

        When a question fails, the replies to others are cached, so that asking again costs little.

        Raises:
            BackendError: A question was not answered in all attempts.
            BudgetError: The budget is spent.
        """
        model = f"{self._client.model}|{sorted(self._options.items())!r}"
        keys = [reply_key(model, question) for question in questions]
        by_key = dict(zip(keys, questions, strict=True))
        replies = self._cached(by_key)
        self._meter.count_cached(len(replies))
        missing = {key: question for key, question in by_key.items() if key not in replies}
        if missing:
            replies |= self._ask_all(missing)
        counted: set[bytes] = set()
        in_order: list[Reply] = []
        for key in keys:
            # The tokens of equal questions are counted once.
            in_order.append(Reply(replies[key].answer) if key in counted else replies[key])
            counted.add(key)
        return in_order

    def _cached(self, questions: Mapping[bytes, Question]) -> dict[bytes, Reply]:
        replies: dict[bytes, Reply] = {}
        for key, text in self._cache.get(list(questions)).items():
            try:
                replies[key] = Reply(questions[key].response_model.model_validate_json(text))
            except ValidationError:
                continue  # somebody changed the file of the cache: the question is asked anew
        return replies

    # --- many questions at a time -----------------------------------------------------------

    def _ask_all(self, questions: Mapping[bytes, Question]) -> dict[bytes, Reply]:
        progress = _Progress(len(questions), self._progress)
        if self._client.asynchronous:
            return self._loop_thread.run(self._ask_all_on_loop(questions, progress))
        if len(questions) == 1:  # needs no thread
            [(key, question)] = questions.items()
            return {key: self._ask(key, question, progress)}
        pool = ThreadPoolExecutor(min(self._concurrency, len(questions)), "groundtypes-llm")
        try:
            futures: dict[bytes, Future[Reply]] = {
                key: pool.submit(self._ask, key, question, progress)
                for key, question in questions.items()
            }
            done, _ = wait(futures.values(), return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()  # raises the first error, while other questions are under way
            return {key: future.result() for key, future in futures.items()}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _ask_all_on_loop(
        self, questions: Mapping[bytes, Question], progress: "_Progress"
    ) -> dict[bytes, Reply]:
        semaphore = asyncio.Semaphore(self._concurrency)

        async def ask(key: bytes, question: Question) -> Reply:
            async with semaphore:
                return await self._ask_async(key, question, progress)

        tasks = {key: asyncio.ensure_future(ask(key, q)) for key, q in questions.items()}
        try:
            await asyncio.gather(*tasks.values())
        finally:
            for task in tasks.values():
                task.cancel()
        return {key: task.result() for key, task in tasks.items()}

    # --- one question -----------------------------------------------------------------------

    def _ask(self, key: bytes, question: Question, progress: "_Progress") -> Reply:
        reply = call_with_retries(
            partial(self._attempt, question), attempts=self._attempts, model=self._client.model
        )
        return self._store(key, reply, progress)

    async def _ask_async(self, key: bytes, question: Question, progress: "_Progress") -> Reply:
        reply = await call_with_retries_async(
            partial(self._attempt_async, question),
            attempts=self._attempts,
            model=self._client.model,
        )
        return self._store(key, reply, progress)

    def _attempt(self, question: Question) -> Reply:
        self._meter.count_call()
        with silent_instructor():
            return self._read(question, *self._client.call(**self._arguments(question)))

    async def _attempt_async(self, question: Question) -> Reply:
        self._meter.count_call()
        call = self._client.call(**self._arguments(question))
        # A reply that is sent back for repair takes as long again.
        limit = self._timeout * (1 + self._repairs)
        with silent_instructor():
            return self._read(question, *await asyncio.wait_for(call, limit))

    def _arguments(self, question: Question) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "response_model": question.response_model,
            "messages": _messages(question),
            "max_retries": self._repairs,
        }
        if self._client.model is not None and "/" not in self._client.model:
            arguments["model"] = self._client.model
        if self._client.takes_timeout:
            arguments["timeout"] = self._timeout
        return arguments | self._options

    def _read(self, question: Question, answer: BaseModel, completion: Any) -> Reply:
        tokens_in, tokens_out = tokens_of(completion)
        self._meter.count_tokens(tokens_in, tokens_out)
        # instructor returns an instance of a subclass of its own.
        plain = question.response_model.model_validate(answer.model_dump())
        return Reply(plain, tokens_in, tokens_out)

    def _store(self, key: bytes, reply: Reply, progress: "_Progress") -> Reply:
        self._cache.put({key: reply.answer.model_dump_json()})
        progress.advance()
        return reply


def _messages(question: Question) -> list[dict[str, str]]:
    """Return the question as a conversation, with the examples as its earlier turns."""
    turns = [("system", question.instructions)]
    for content, answer in question.examples:
        turns += [("user", content), ("assistant", answer)]
    turns.append(("user", question.content))
    return [{"role": role, "content": content} for role, content in turns]


class _Progress:
    """Reports how many questions of a batch are answered."""

    def __init__(self, total: int, report: Callable[[int, int], None] | None) -> None:
        self._total, self._done = total, 0
        self._report = report
        self._lock = threading.Lock()

    def advance(self) -> None:
        if self._report is None:
            return
        with self._lock:
            self._done += 1
            self._report(self._done, self._total)
