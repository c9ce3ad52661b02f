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

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from groundtypes.backends.engine_calls import call_engine
from groundtypes.backends.engine_queue import EngineQueue, engine_count, is_calling
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.scoring import asked_engine


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
    if is_calling.get() or engine_count(engine, "calls_at_once", 1) is None:
        outcome = call_engine(engine, list(questions))
        if outcome.mistake is not None:
            raise outcome.mistake
        return outcome.results
    with QUEUES.of(engine) as queue:
        return queue.ask(questions)
