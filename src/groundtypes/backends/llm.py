"""`InstructorLLM`: typed questions to any LLM that instructor speaks to, many at a time.

It works from synchronous code, from threads and from inside a running event loop alike: questions
to an asynchronous client run on a loop of the engine's own, in a thread of its own.
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Final, Self

from pydantic import BaseModel, ValidationError

from groundtypes.backends.forks import renew_in_child
from groundtypes.backends.llm_clients import client_of, tokens_of
from groundtypes.backends.reply_cache import MemoryReplyCache, ReplyCache, reply_key
from groundtypes.backends.retries import (
    described,
    lacks_model,
    retry_after,
    unlogged,
    worth_another,
)
from groundtypes.errors import BackendError, BudgetError, ContextError, Mistake
from groundtypes.scoring import Question, Reply

__all__ = ["Budget", "InstructorLLM", "Usage"]

#: Seconds before the second attempt; each further one waits twice as long, and a little by chance.
_PAUSE: Final = 0.5
_LONGEST: Final = 20.0


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that an engine may spend in its life: calls, and tokens read and written."""

    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an engine has spent: requests that were sent, tokens, and questions that cost none."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0


class InstructorLLM:
    """An LLM that answers typed questions, concurrently, with what was answered kept.

    `client` is an instructor client of any provider, synchronous or not, an OpenAI client, or
    "provider/model". Transport errors, time-outs and answers of no use are asked again, waiting as
    long as the server says; what still fails is a mistake, never a fault of an answer.

    Options:
        model: The model's name, where the client does not know it.
        mode: instructor's mode, where the client is none of instructor's.
        concurrency: So many questions are under way at a time.
        timeout: Seconds for one request, where the provider's client takes that.
        attempts: How often a question is asked at most.
        repairs: How often an answer of the wrong schema is sent back within an attempt.
        budget: What may be spent; a question that would go beyond it is a `BudgetError`.
        cache: Where answers are kept, by default in memory; `DiskReplyCache(path)` lasts longer.
        options: Further arguments of each request, such as {"temperature": 0}.
        progress: Called with the numbers of questions answered and asked, from any thread.

    Raises:
        ContextError: The client cannot be asked.
        ImportError: instructor is not installed.
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
        if concurrency < 1 or attempts < 1 or timeout <= 0:
            raise ContextError("concurrency, attempts and timeout must be positive")
        self._given = (client, model, mode, timeout)
        self._client = client_of(*self._given)
        self._concurrency = concurrency
        self._timeout = timeout
        self._attempts = attempts
        self._repairs = repairs
        self._budget = budget or Budget()
        self._cache = MemoryReplyCache() if cache is None else cache
        self._options = dict(options or {})
        self._progress = progress
        self._usage = Usage()
        self._forget_threads()
        renew_in_child(self)

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        with self._lock:
            return self._usage

    def renew(self) -> None:
        """Make connections, locks and the loop anew in a forked child."""
        self._forget_threads()
        self._client = client_of(*self._given, fresh=True)

    def _forget_threads(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def close(self) -> None:
        """Close connections of the engine's own; it can be asked again."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._client.close is not None:
            asyncio.run_coroutine_threadsafe(self._client.close(), loop).result(self._timeout)
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(self._timeout)
        loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, questions: Sequence[Question], /) -> list[Reply]:
        """Return one reply for each question, in order; equal questions are asked once.

        What was answered before a question failed is kept, so that asking again costs little.

        Raises:
            BackendError: A question was not answered in all attempts.
            BudgetError: The budget is spent.
        """
        identity = f"{self._client.model}|{sorted(self._options.items())!r}"
        keys = [reply_key(identity, question) for question in questions]
        known = self._known(dict(zip(keys, questions, strict=True)))
        with self._lock:
            spent = self._usage
            self._usage = Usage(
                spent.calls, spent.tokens_in, spent.tokens_out, spent.cached + len(known)
            )
        missing = {
            key: question for key, question in zip(keys, questions, strict=True) if key not in known
        }
        fresh = self._ask_all(missing) if missing else {}
        told: set[bytes] = set()
        found: list[Reply] = []
        for key in keys:
            reply = known.get(key) or fresh[key]
            # The tokens of a question that stands here twice are counted once.
            found.append(Reply(reply.answer) if key in told else reply)
            told.add(key)
        return found

    def _known(self, questions: Mapping[bytes, Question]) -> dict[bytes, Reply]:
        found: dict[bytes, Reply] = {}
        for key, text in self._cache.get(list(questions)).items():
            try:
                found[key] = Reply(questions[key].response_model.model_validate_json(text))
            except ValidationError:
                continue  # from a file that somebody changed: asked anew
        return found

    # --- many at a time ---------------------------------------------------------------------

    def _ask_all(self, questions: Mapping[bytes, Question]) -> dict[bytes, Reply]:
        count = _Count(len(questions), self._progress)
        if self._client.asynchronous:
            work = self._ask_all_in_loop(questions, count)
            return asyncio.run_coroutine_threadsafe(work, self._own_loop()).result()
        # One question needs no thread.
        if len(questions) == 1:
            [(key, question)] = questions.items()
            return {key: self._kept(key, self._ask(question), count)}
        pool = ThreadPoolExecutor(min(self._concurrency, len(questions)), "groundtypes-llm")
        try:
            futures: dict[bytes, Future[Reply]] = {
                key: pool.submit(self._ask_and_keep, key, question, count)
                for key, question in questions.items()
            }
            done, _ = wait(futures.values(), return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()  # raises what went wrong first, while others still wait
            return {key: future.result() for key, future in futures.items()}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask_and_keep(self, key: bytes, question: Question, count: "_Count") -> Reply:
        return self._kept(key, self._ask(question), count)

    async def _ask_all_in_loop(
        self, questions: Mapping[bytes, Question], count: "_Count"
    ) -> dict[bytes, Reply]:
        room = asyncio.Semaphore(self._concurrency)

        async def one(key: bytes, question: Question) -> Reply:
            async with room:
                return self._kept(key, await self._aask(question), count)

        tasks = {key: asyncio.ensure_future(one(key, q)) for key, q in questions.items()}
        try:
            await asyncio.gather(*tasks.values())
        finally:
            for task in tasks.values():
                task.cancel()
        return {key: task.result() for key, task in tasks.items()}

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="groundtypes-llm", daemon=True
                )
                self._thread.start()
            return self._loop

    def _kept(self, key: bytes, reply: Reply, count: "_Count") -> Reply:
        self._cache.put({key: reply.answer.model_dump_json()})
        count.one_more()
        return reply

    # --- one question -----------------------------------------------------------------------

    def _ask(self, question: Question) -> Reply:
        for attempt in range(1, self._attempts + 1):
            self._pay()
            try:
                with unlogged():
                    return self._read(question, *self._client.call(**self._arguments(question)))
            except Mistake:
                raise
            except Exception as error:  # noqa: BLE001 # providers raise what they like
                time.sleep(self._pause(error, attempt))
        raise AssertionError  # the last attempt returns or raises

    async def _aask(self, question: Question) -> Reply:
        for attempt in range(1, self._attempts + 1):
            self._pay()
            try:
                call: Coroutine[Any, Any, Any] = self._client.call(**self._arguments(question))
                # An answer that is sent back for repair takes as long again.
                limit = self._timeout * (1 + self._repairs)
                with unlogged():
                    return self._read(question, *await asyncio.wait_for(call, limit))
            except Mistake:
                raise
            except Exception as error:  # noqa: BLE001 # the same
                await asyncio.sleep(self._pause(error, attempt))
        raise AssertionError  # the last attempt returns or raises

    def _arguments(self, question: Question) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "response_model": question.response_model,
            "messages": _messages(question),
            "max_retries": self._repairs,
        }
        if self._client.model is not None and "/" not in self._client.model:
            arguments["model"] = self._client.model
        if self._client.timed:
            arguments["timeout"] = self._timeout
        return arguments | self._options

    def _read(self, question: Question, answer: BaseModel, completion: Any) -> Reply:
        read, written = tokens_of(completion)
        with self._lock:
            spent = self._usage
            self._usage = Usage(
                spent.calls, spent.tokens_in + read, spent.tokens_out + written, spent.cached
            )
        # instructor answers with a subclass of its own.
        return Reply(question.response_model.model_validate(answer.model_dump()), read, written)

    def _pay(self) -> None:
        """Count a call, if there is still something to spend."""
        with self._lock:
            spent = self._usage
            tokens = spent.tokens_in + spent.tokens_out
            for what, used, limit in (
                ("calls", spent.calls, self._budget.calls),
                ("tokens", tokens, self._budget.tokens),
            ):
                if limit is not None and used >= limit:
                    raise BudgetError(f"The budget of {limit} {what} is spent.")
            self._usage = Usage(spent.calls + 1, spent.tokens_in, spent.tokens_out, spent.cached)

    def _pause(self, error: Exception, attempt: int) -> float:
        """Return the seconds to wait before the next attempt.

        Raises:
            BackendError: There is none.
            ContextError: The client was asked without a model.
        """
        if lacks_model(error):
            raise ContextError(
                "This client needs a model: Judges(llm=client, model='...')."
            ) from None
        if attempt == self._attempts or not worth_another(error):
            times = "once" if attempt == 1 else f"{attempt} times"
            # Not chained: the client's error holds what the server said, which may repeat a key.
            raise BackendError(
                f"The LLM {self._client.model or ''} did not answer, asked {times}: "
                f"{described(error)}"
            ) from None
        asked = retry_after(error)
        if asked is not None:
            return asked
        return min(_PAUSE * 2.0 ** (attempt - 1), _LONGEST) * random.uniform(0.7, 1.3)


def _messages(question: Question) -> list[dict[str, str]]:
    """Return the question as a conversation, with the examples as its earlier turns."""
    turns = [("system", question.instructions)]
    for content, answer in question.examples:
        turns += [("user", content), ("assistant", answer)]
    turns.append(("user", question.content))
    return [{"role": role, "content": content} for role, content in turns]


class _Count:
    """Tells how many questions of a batch are answered."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._total, self._done = total, 0
        self._progress = progress
        self._lock = threading.Lock()

    def one_more(self) -> None:
        if self._progress is None:
            return
        with self._lock:
            self._done += 1
            self._progress(self._done, self._total)
