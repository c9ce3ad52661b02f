"""`InstructorLLM`: typed questions to any LLM that instructor can call, many at a time.

It works from synchronous code, from threads and inside a running event loop alike: all engines ask
on one event loop in a thread, and a synchronous client is called in threads of its own.
"""

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ValidationError

from groundtypes.backends.connections import CONNECTIONS
from groundtypes.backends.llm_calls import LLMCall, counted_repairs, tokens_of
from groundtypes.backends.llm_clients import LLMClient, client_of
from groundtypes.backends.llm_limits import Budget, Usage, UsageMeter
from groundtypes.backends.redaction import redact
from groundtypes.backends.reply_cache import MemoryReplyCache, ReplyCache, reply_key
from groundtypes.backends.requests_at_once import RequestsAtOnce
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.concurrency.threads import check_cancelled, on_cancel, run_in_daemon_thread
from groundtypes.errors import ContextError
from groundtypes.scoring import Question, Reply

__all__ = ["Budget", "InstructorLLM", "Usage"]


class InstructorLLM:
    """An LLM engine on an instructor client: it asks concurrently, retries, and caches replies.

    `client` is an instructor client of any provider, synchronous or not, an OpenAI client, or
    "provider/model". After transport errors and invalid replies a question is asked again, after a
    wait of which the server may say how long it is. What still fails is a mistake, never a fault of
    an answer. A call that is cancelled, by Ctrl-C too, sends nothing more and breaks off what is
    under way.

    Calls from all threads share `concurrency`: each has its turn, however much another one asks. A
    question that is under way for another call is not asked a second time.
    """

    #: Questions of several calls need not wait for each other: each is a request of its own.
    calls_at_once: ClassVar[int | None] = None

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
            concurrency: The most questions that are asked at the same time, in all calls together.
            timeout: Seconds for a question, with all its attempts; only a wait that the server asks
                for is not counted. Whatever is under way then is broken off.
            attempts: How often a question is asked at most.
            repairs: How often a reply of the wrong schema is sent back within an attempt.
            budget: What may be spent: a request that would exceed it is not sent, and raises
                `BudgetError`. Those under way are finished, and their replies are cached.
            cache: Where replies are cached, by default in memory; or `DiskReplyCache(path)`.
            options: Further arguments of each request, such as {"temperature": 0}.
            progress: Called with how many questions are answered and how many there are.

        Raises:
            ContextError: The client cannot be asked.
            ImportError: instructor is not installed.
        """
        if concurrency < 1 or attempts < 1 or timeout <= 0:
            raise ContextError("concurrency, attempts and timeout must be positive")
        self._client_arguments = (client, model, mode, timeout)
        self._lock = threading.Lock()
        self._connected: LLMClient | None = None
        #: The most questions that are asked at the same time.
        self.concurrency = concurrency
        self._timeout = timeout
        self._repairs = repairs
        self._meter = UsageMeter(budget or Budget())
        self._requests = RequestsAtOnce[Question, Reply](
            self._meter, concurrency=concurrency, attempts=attempts, seconds=timeout
        )
        self._cache = MemoryReplyCache() if cache is None else cache
        self._options = dict(options or {})
        self._progress = progress
        self._client()
        renew_in_child(self)

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.usage

    @property
    def budget(self) -> Budget:
        """What may be spent."""
        return self._meter.budget

    @property
    def identity(self) -> str:
        """Which LLM is asked, and with which options; nothing secret."""
        return self._asked(self._client())

    def cached_replies(self, questions: Sequence[Question], /) -> list[Reply | None]:
        """Return the reply to each question that is cached, in order; nothing is asked."""
        keys = self._keys(self._client(), questions)
        replies = self._cached(dict(zip(keys, questions, strict=True)))
        return [replies.get(key) for key in keys]

    def renew(self) -> None:
        """Open connections of its own in a forked child."""
        self._lock = threading.Lock()
        self._connected = None

    def close(self) -> None:
        """Close the connections, unless other engines use them; it can be asked again."""
        with self._lock:
            self._connected = None
        CONNECTIONS.leave(self)

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
        check_cancelled()
        client = self._client()
        keys = self._keys(client, questions)
        by_key = dict(zip(keys, questions, strict=True))
        replies = self._cached(by_key)
        self._meter.count_cached(len(replies))
        missing = {key: question for key, question in by_key.items() if key not in replies}
        if missing:
            replies |= self._ask_all(client, missing)
        counted: set[bytes] = set()
        in_order: list[Reply] = []
        for key in keys:
            # The tokens of equal questions are counted once.
            in_order.append(Reply(replies[key].answer) if key in counted else replies[key])
            counted.add(key)
        return in_order

    def _client(self) -> LLMClient:
        with self._lock:
            if self._connected is None:
                CONNECTIONS.enter(self)
                self._connected = client_of(*self._client_arguments)
            return self._connected

    def _keys(self, client: LLMClient, questions: Sequence[Question]) -> list[bytes]:
        asked = self._asked(client)
        return [reply_key(asked, question) for question in questions]

    def _asked(self, client: LLMClient) -> str:
        return f"{client.identity}|{sorted(self._options.items())!r}"

    def _cached(self, questions: Mapping[bytes, Question]) -> dict[bytes, Reply]:
        replies: dict[bytes, Reply] = {}
        for key, text in self._cache.get(list(questions)).items():
            try:
                replies[key] = Reply(questions[key].response_model.model_validate_json(text))
            except ValidationError:
                continue  # somebody changed the file of the cache: the question is asked anew
        return replies

    def _ask_all(
        self, client: LLMClient, questions: Mapping[bytes, Question]
    ) -> dict[bytes, Reply]:
        replies: dict[bytes, Reply] = {}
        arrived = self._requests.ask(questions, partial(self._attempt, client), model=client.model)
        with contextlib.closing(arrived):
            for key, reply, asked_here in arrived:
                replies[key] = reply if asked_here else Reply(reply.answer)
                self._cache.put({key: reply.answer.model_dump_json()})
                if self._progress is not None:
                    self._progress(len(replies), len(questions))
        return replies

    async def _attempt(self, client: LLMClient, question: Question, call: LLMCall) -> Reply:
        send = partial(client.call, **self._arguments(client, question, call))
        if client.asynchronous:
            answer, completion = await send()
        else:
            answer, completion = await run_in_daemon_thread(partial(_stoppable, call, send))
        return _read(question, answer, completion)

    def _arguments(self, client: LLMClient, question: Question, call: LLMCall) -> dict[str, Any]:
        hooks = client.hooks()
        hooks.on("completion:response", call.count_tokens)
        arguments: dict[str, Any] = {
            "response_model": question.response_model,
            "messages": _messages(question),
            "max_retries": self._repairs,
            "hooks": hooks,
        }
        if not client.watched:
            arguments["max_retries"] = counted_repairs(
                call, self._repairs, asynchronous=client.asynchronous
            )
        if client.model is not None:
            arguments["model"] = client.model
        if client.takes_timeout:
            arguments["timeout"] = self._timeout
        return arguments | self._options


def _stoppable(call: LLMCall, send: Callable[[], Any]) -> Any:
    with on_cancel(call.stop):
        return send()


def _read(question: Question, answer: BaseModel, completion: Any) -> Reply:
    # instructor returns an instance of a subclass of its own, and a server may repeat a key in it.
    text = redact(answer.model_dump_json())
    return Reply(question.response_model.model_validate_json(text), *tokens_of(completion))


def _messages(question: Question) -> list[dict[str, str]]:
    """Return the question as a conversation, with the examples as its earlier turns."""
    turns = [("system", question.instructions)]
    for content, answer in question.examples:
        turns += [("user", content), ("assistant", answer)]
    turns.append(("user", question.content))
    return [{"role": role, "content": content} for role, content in turns]
