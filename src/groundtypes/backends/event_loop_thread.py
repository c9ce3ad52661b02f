"""An event loop in a thread of its own, on which asynchronous clients are called."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from groundtypes.forking import renew_in_child

__all__ = ["EventLoopThread"]

_T = TypeVar("_T")


class EventLoopThread:
    """Runs coroutines for synchronous callers, even inside a running event loop.

    The thread is started with the first coroutine, and again after `close`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        renew_in_child(self)

    def run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Return the result of a coroutine, which is waited for."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._running_loop()).result()

    def close(self, cleanup: Callable[[], Coroutine[Any, Any, Any]] | None, timeout: float) -> None:
        """Await `cleanup()` on the loop, if it was ever started, and stop it.

        `timeout` is in seconds, for each of the two.
        """
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None:
            return
        if cleanup is not None:
            asyncio.run_coroutine_threadsafe(cleanup(), loop).result(timeout)
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(timeout)
        loop.close()

    def renew(self) -> None:
        """Forget the loop in a forked child, where its thread does not exist."""
        self._lock = threading.Lock()
        self._loop = None
        self._thread = None

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="groundtypes-llm", daemon=True
                )
                self._thread.start()
            return self._loop
