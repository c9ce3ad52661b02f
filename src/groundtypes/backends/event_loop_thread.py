"""An event loop in a thread of its own, on which asynchronous clients are called."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from groundtypes.concurrency.forking import renew_in_child

_T = TypeVar("_T")


class EventLoopThread:
    """Runs coroutines for synchronous callers, even inside a running event loop.

    The thread is started with the first coroutine. It is a daemon and goes on to the end of the
    process, so that all engines can share it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        #: The loops of parent processes: a child must not close what they wait on.
        self._inherited: list[asyncio.AbstractEventLoop] = []
        renew_in_child(self)

    def start(self, coroutine: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Return the future of a coroutine; to cancel the one cancels the other."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._running_loop())

    def renew(self) -> None:
        """Forget the loop in a forked child, where its thread does not exist."""
        self._lock = threading.Lock()
        if self._loop is not None:
            self._inherited.append(self._loop)
            self._loop = None

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="groundtypes-llm", daemon=True
                ).start()
            return self._loop
