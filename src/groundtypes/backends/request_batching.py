"""Questions that wait for the same engine are asked together.

An engine that is free is called at once, by the thread that asks. While it is busy, the questions
of other requests, threads and event loops wait in a queue. When it is free again, they go out as
one batch, in the thread of one of those who wait: it *leads*. There is no thread of its own, no
timer and no delay.

An engine may say by attributes how it is to be asked:

- `calls_at_once`: how many calls it can use at the same time (1 by default). `None` says that it
  orders its questions itself: then nothing waits here.
- `questions_at_once`: the most questions of a call (1024 by default; `None`: no limit). What is
  more goes out in several calls, between which others have their turn.
- `queue_timeout`: how many seconds questions wait for their turn (`None`, the default: no limit); a
  number greater than 0.
"""

import copy
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from groundtypes.backends.engine_calls import Outcome, call_engine
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.concurrency.threads import (
    SECONDS_UNTIL_SIGNAL,
    Cancellation,
    CancelledCall,
    cancelled_by,
    check_cancelled,
    on_cancel,
)
from groundtypes.errors import BackendError, ContextError, Mistake
from groundtypes.scoring import asked_engine

_QUESTIONS_AT_ONCE: Final = 1024
#: Whether an engine is being called. What it asks in turn does not wait: it would wait for itself.
_is_calling: ContextVar[bool] = ContextVar("groundtypes_calling_engine", default=False)


def ask_together(engine: Any, questions: Sequence[Any]) -> Sequence[Any]:
    """Return one result for each question, which are asked beside those of others who wait.

    A failure is told to those whose questions failed. If a batch of several requests fails and an
    outage is the cause, all of them are told. Else some question may be the cause: the batch is
    halved until the requests that fail by themselves are found, and the others are answered.

    Raises:
        BackendError: The engine failed, did not return one result for each question, or was busy
            for longer than its `queue_timeout`.
        ContextError: An attribute by which the engine says how it is to be asked is invalid.
        CancelledCall: Nobody waits for this call any more; those of others go on.
    """
    engine = asked_engine(engine)
    if _is_calling.get() or _count(engine, "calls_at_once", 1) is None:
        outcome = call_engine(engine, list(questions))
        if outcome.mistake is not None:
            raise outcome.mistake
        return outcome.results
    with QUEUES.of(engine) as queue:
        return queue.ask(questions)


def _count(engine: Any, name: str, default: int) -> int | None:
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

    `unsent` are the positions of questions that wait, `is_gone` says that nobody waits any more.
    `woken` is set when anything has changed for its thread, such as that it leads.
    """

    def __init__(self, questions: Sequence[Any]) -> None:
        self.questions = questions
        self.results: list[Any] = [None] * len(questions)
        self.unsent = deque(range(len(questions)))
        self.unanswered = len(questions)
        self.mistake: Mistake | None = None
        self.is_gone = False
        self.woken = threading.Event()

    @property
    def is_done(self) -> bool:
        return not self.unanswered or self.mistake is not None


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
    def awaited(self) -> list[_Part]:
        return [part for part in self.parts if not part[0].is_gone]


class EngineQueue:
    """What waits for an engine, who calls it, and who gets which results."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.users = 0
        self._max_leaders = _count(engine, "calls_at_once", 1) or 1
        self._max_questions = _count(engine, "questions_at_once", _QUESTIONS_AT_ONCE)
        self._timeout = _queue_timeout(engine)
        self.renew()

    def renew(self) -> None:
        """Begin anew in a forked child, where nobody else waits."""
        self._lock = threading.Lock()
        self._leaders: set[_Request] = set()
        self._queue: deque[_Request] = deque()
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
                    self._queue.append(request)
                    self._appoint()
                while not request.is_done:
                    check_cancelled()
                    batch = self._next_batch(request)
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
        if deadline is not None and len(request.unsent) == len(request.questions):
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
            if request in self._queue:
                self._queue.remove(request)
            unawaited = [batch for batch in self._under_way if not batch.awaited]
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
                self._put_back(batch.awaited)
            self._leaders.discard(request)
            self._appoint()

    def _appoint(self) -> None:
        """Have those lead who wait, as long as the engine can use another call."""
        halved = (request for parts in self._halves for request, _ in parts)
        waiting = chain(self._queue, halved)
        while len(self._leaders) < self._max_leaders:
            leader = next((r for r in waiting if not (r in self._leaders or r.is_gone)), None)
            if leader is None:
                return
            self._leaders.add(leader)
            leader.woken.set()

    # --- batches ------------------------------------------------------------------------------

    def _next_batch(self, request: _Request) -> _Batch | None:
        """Return what a leader is to ask now; if there is nothing, it leads no more."""
        with self._lock:
            if request not in self._leaders:
                return None
            parts: list[_Part] = []
            while self._halves and not parts:
                half = self._halves.popleft()
                parts = [part for part in half if not (part[0].is_gone or part[0].is_done)]
            parts = parts or self._take_turns()
            if not parts:
                self._leaders.discard(request)
                return None
            batch = _Batch(request, parts)
            self._under_way.add(batch)
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
        token = _is_calling.set(True)
        try:
            # The caller may be cancelled while others wait for the same batch.
            with cancelled_by(batch.cancellation):
                outcome = call_engine(self.engine, batch.questions)
        except CancelledCall:
            if batch.awaited:
                raise
        finally:
            _is_calling.reset(token)
            self._finish(batch, outcome)

    def _finish(self, batch: _Batch, outcome: Outcome | None) -> None:
        """Give everybody what is theirs."""
        with self._lock:
            self._under_way.discard(batch)
            awaited = batch.awaited
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


class EngineQueues:
    """The queues of the engines that are being asked; the others have none.

    They are found by the engine's `id`, which no other object gets while it is asked. So an engine
    need not be hashable, and nothing of its queue is in it when it is pickled.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[int, EngineQueue] = {}
        renew_in_child(self)

    @contextmanager
    def of(self, engine: Any) -> Iterator[EngineQueue]:
        """Have the queue of an engine, which is kept until the last user has left."""
        with self._lock:
            queue = self._queues.get(id(engine))
            if queue is None:
                queue = self._queues[id(engine)] = EngineQueue(engine)
            queue.users += 1
        try:
            yield queue
        finally:
            with self._lock:
                queue.users -= 1
                if not queue.users and self._queues.get(id(engine)) is queue:
                    del self._queues[id(engine)]

    def renew(self) -> None:
        """Begin anew in a forked child: those who wait in the parent are not here."""
        self._lock = threading.Lock()
        for queue in self._queues.values():
            queue.renew()
        self._queues = {}


QUEUES: Final = EngineQueues()
