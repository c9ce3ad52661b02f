"""What waits for an engine, who calls it, and who gets which results."""

import copy
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from groundtypes.backends.engine_calls import Outcome, call_engine
from groundtypes.concurrency.threads import (
    SECONDS_UNTIL_SIGNAL,
    Cancellation,
    CancelledCall,
    cancelled_by,
    check_cancelled,
    on_cancel,
)
from groundtypes.errors import BackendError, ContextError, Mistake

_QUESTIONS_AT_ONCE: Final = 1024
#: How many requests have their turns in a queue; others wait until one of these is done.
MAX_QUEUE: Final = 1024
#: Whether an engine is being called. What it asks in turn does not wait: it would wait for itself.
is_calling: ContextVar[bool] = ContextVar("groundtypes_calling_engine", default=False)


def engine_count(engine: Any, name: str, default: int) -> int | None:
    """Return an attribute of an engine that is a positive number or `None`."""
    value = getattr(engine, name, default)
    if value is None or (_is_number(value, int) and value >= 1):
        return value
    raise ContextError(
        f"{name} of {type(engine).__name__} must be an integer of at least 1, or None."
    )


def _queue_timeout(engine: Any) -> float | None:
    value = getattr(engine, "queue_timeout", None)
    if value is None or (_is_number(value, int | float) and value > 0):
        return value
    raise ContextError(
        f"queue_timeout of {type(engine).__name__} must be a positive number of seconds, or None."
    )


def _is_number(value: object, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


class _Request:
    """The questions of one caller, and what became of them; the queue's lock guards it.

    `unsent` are the positions of questions that wait, `leads` says that its thread is to call the
    engine, `is_gone` that nobody waits any more; `woken` is set when any of this has changed.
    """

    def __init__(self, questions: Sequence[Any]) -> None:
        self.questions = questions
        self.results: list[Any] = [None] * len(questions)
        self.unsent = deque(range(len(questions)))
        self.unanswered = len(questions)
        self.mistake: Mistake | None = None
        self.leads = False
        self.is_gone = False
        self.woken = threading.Event()

    @property
    def is_done(self) -> bool:
        return not self.unanswered or self.mistake is not None

    @property
    def was_sent(self) -> bool:
        return len(self.unsent) < len(self.questions)


#: The questions of a request that go out together, by their positions.
_Part = tuple[_Request, list[int]]


class _Batch:
    """Questions of several requests in one call, which is cancelled if nobody waits for it."""

    def __init__(self, leader: _Request, parts: list[_Part]) -> None:
        self.leader = leader
        self.parts = parts
        self.cancellation = Cancellation()
        asked = (request.questions[at] for request, positions in parts for at in positions)
        self.questions = list(dict.fromkeys(asked))

    @property
    def is_awaited(self) -> bool:
        return not all(request.is_gone for request, _ in self.parts)


class EngineQueue:
    """What waits for an engine, and who calls it."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.users = 0
        self._max_leaders = engine_count(engine, "calls_at_once", 1) or 1
        self._max_questions = engine_count(engine, "questions_at_once", _QUESTIONS_AT_ONCE)
        self._timeout = _queue_timeout(engine)
        self.renew()

    def renew(self) -> None:
        """Begin anew in a forked child, where nobody else waits."""
        self._lock = threading.Lock()
        self._leaders: set[_Request] = set()
        #: Those whose questions have turns, and those that wait for room there.
        self._queue: deque[_Request] = deque()
        self._outside: deque[_Request] = deque()
        #: The halves of batches that failed.
        self._halves: deque[list[_Part]] = deque()
        self._under_way: set[_Batch] = set()

    def ask(self, questions: Sequence[Any]) -> Sequence[Any]:
        """Return the results, waiting for turns and calling the engine for others, too."""
        request = _Request(questions)
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        try:
            with on_cancel(partial(self._abandon, request)):
                with self._lock:
                    self._outside.append(request)
                    self._admit()
                    self._appoint()
                while not request.is_done:
                    check_cancelled()
                    batch = self._next_batch(request) if request.leads else None
                    if batch is None:
                        self._wait(request, deadline)
                    else:
                        self._run(batch)
        finally:
            try:
                self._leave(request)
            except BaseException:  # Ctrl-C, once more: without a leader others would wait for ever
                self._leave(request)
                raise
        mistake, request.mistake = request.mistake, None
        if mistake is not None:
            try:
                raise mistake
            finally:
                del mistake  # its traceback refers to this frame
        return request.results

    # --- waiting and going --------------------------------------------------------------------

    def _wait(self, request: _Request, deadline: float | None) -> None:
        """Wait until something of the request changes, or a moment."""
        seconds = SECONDS_UNTIL_SIGNAL
        if deadline is not None and not request.was_sent:
            seconds = min(seconds, deadline - time.monotonic())
            if seconds <= 0:
                name = type(self.engine).__name__
                raise BackendError(f"{name} was busy for {self._timeout:g} seconds.")
        request.woken.wait(seconds)
        request.woken.clear()

    def _abandon(self, request: _Request) -> None:
        """Nobody waits for the request any more; from any thread."""
        with self._lock:
            request.is_gone = True
            for waiting in (self._queue, self._outside):
                if request in waiting:
                    waiting.remove(request)
            self._admit()
            unawaited = [batch for batch in self._under_way if not batch.is_awaited]
        request.woken.set()
        for batch in unawaited:
            batch.cancellation.cancel()

    def _leave(self, request: _Request) -> None:
        self._abandon(request)
        with self._lock:
            # A thread that is interrupted just before it calls the engine has taken the questions
            # of others out of the queue.
            for batch in [batch for batch in self._under_way if batch.leader is request]:
                self._under_way.discard(batch)
                self._put_back([part for part in batch.parts if not part[0].is_gone])
            self._leaders.discard(request)
            self._appoint()

    def _admit(self) -> None:
        """Let those into the queue for whom there is room."""
        while self._outside and len(self._queue) < MAX_QUEUE:
            self._queue.append(self._outside.popleft())

    def _appoint(self) -> None:
        """Have those lead who wait, as long as the engine can use another call."""
        while len(self._leaders) < self._max_leaders:
            halved = (request for parts in self._halves for request, _ in parts)
            leader = next(
                (r for r in chain(self._queue, halved) if not (r.leads or r.is_gone)), None
            )
            if leader is None:
                return
            leader.leads = True
            self._leaders.add(leader)
            leader.woken.set()

    # --- batches ------------------------------------------------------------------------------

    def _next_batch(self, leader: _Request) -> _Batch | None:
        """Return what is to be asked now; if there is nothing, the request leads no more."""
        with self._lock:
            parts: list[_Part] = []
            while self._halves and not parts:
                half = self._halves.popleft()
                parts = [part for part in half if not (part[0].is_gone or part[0].is_done)]
            parts = parts or self._take_turns()
            if not parts:
                leader.leads = False
                self._leaders.discard(leader)
                return None
            batch = _Batch(leader, parts)
            self._under_way.add(batch)
            self._admit()
            return batch

    def _take_turns(self) -> list[_Part]:
        """Take from each request that waits an equal share, and all of those that have less."""
        limit = self._max_questions or sum(len(request.unsent) for request in self._queue)
        requests = list(islice(self._queue, limit))
        shares: dict[_Request, int] = {}
        for done, request in enumerate(sorted(requests, key=lambda waiting: len(waiting.unsent))):
            shares[request] = min(len(request.unsent), limit // (len(requests) - done))
            limit -= shares[request]
        parts = []
        for request in requests:  # in the order in which they came
            self._queue.popleft()
            parts.append((request, [request.unsent.popleft() for _ in range(shares[request])]))
            if request.unsent:
                self._queue.append(request)
        return parts

    def _run(self, batch: _Batch) -> None:
        outcome: Outcome | None = None
        token = is_calling.set(True)
        try:
            # The caller may be cancelled while others wait for the same batch.
            with cancelled_by(batch.cancellation):
                outcome = call_engine(self.engine, batch.questions)
        except CancelledCall:
            if batch.is_awaited:
                raise
        finally:
            is_calling.reset(token)
            self._finish(batch, outcome)

    def _finish(self, batch: _Batch, outcome: Outcome | None) -> None:
        """Give everybody what is theirs."""
        with self._lock:
            self._under_way.discard(batch)
            awaited = [part for part in batch.parts if not part[0].is_gone]
            if outcome is None:
                # The thread that called was interrupted; another one asks again.
                self._put_back(awaited)
            elif outcome.mistake is None:
                results = dict(zip(batch.questions, outcome.results, strict=True))
                for request, positions in awaited:
                    for position in positions:
                        request.results[position] = results[request.questions[position]]
                    request.unanswered -= len(positions)
            elif outcome.mistake.is_outage or len(batch.parts) == 1:
                for number, (request, _) in enumerate(awaited):
                    request.mistake = _copied(outcome.mistake) if number else outcome.mistake
            else:
                middle = len(awaited) // 2
                self._halves.extend(half for half in (awaited[:middle], awaited[middle:]) if half)
            done = [request for request, _ in awaited if request.is_done]
            for request in done:
                if request in self._queue:  # it failed, and there was more of it
                    self._queue.remove(request)
            self._admit()
            self._appoint()
        for request in done:
            request.woken.set()

    def _put_back(self, parts: list[_Part]) -> None:
        for request, positions in reversed(parts):
            request.unsent.extendleft(reversed(positions))
            if request not in self._queue:
                self._queue.appendleft(request)


def _copied(mistake: Mistake) -> Mistake:
    try:
        copied = copy.copy(mistake)
    except Exception:  # noqa: BLE001 # a mistake of an engine's own may take other arguments
        copied = BackendError(str(mistake))
    copied.__cause__ = mistake.__cause__
    return copied
