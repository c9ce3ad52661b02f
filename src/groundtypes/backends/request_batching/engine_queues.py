"""The queues of all engines that are being asked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from groundtypes.backends.request_batching.engine_queue import EngineQueue
from groundtypes.concurrency.forking import renew_in_child


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
