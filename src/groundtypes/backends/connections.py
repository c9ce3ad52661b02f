"""The connections to LLMs and the event loop on which they are asked, shared by all engines.

Clients of OpenAI that were made without an HTTP client of their own get these, so that an engine
for each request opens none. They are closed when the last engine that uses them is closed or
forgotten.
"""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, TypeVar
from weakref import WeakSet

from groundtypes.concurrency.forking import renew_in_child

try:
    import openai
except ImportError as error:
    raise ImportError(
        "InstructorLLM needs instructor and openai: pip install 'groundtypes[instructor]'"
    ) from error

_T = TypeVar("_T")
_SECONDS_TO_CLOSE: Final = 5.0


class EventLoopThread:
    """Runs coroutines in a daemon thread for synchronous callers, also in a running event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        #: The loops of parent processes: a child must not close what they wait on.
        self._inherited: list[asyncio.AbstractEventLoop] = []
        renew_in_child(self)

    def start(self, coroutine: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Return the future of a coroutine; to cancel the one cancels the other."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                target = self._loop.run_forever
                threading.Thread(target=target, name="groundtypes-llm", daemon=True).start()
            loop = self._loop
        return asyncio.run_coroutine_threadsafe(coroutine, loop)

    def renew(self) -> None:
        """Forget the loop in a forked child, where its thread does not exist."""
        self._lock = threading.Lock()
        if self._loop is not None:
            self._inherited.append(self._loop)
            self._loop = None


LLM_LOOP: Final = EventLoopThread()


class SharedConnections:
    """One HTTP client of each kind; without cookies, since engines with other keys share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: dict[bool, Any] = {}
        self._users: WeakSet[Any] = WeakSet()
        #: Those of the parent process, which a child must neither use nor close.
        self._inherited: list[Any] = []
        renew_in_child(self)

    def client(self, *, asynchronous: bool) -> Any:
        """Return the HTTP client of a kind."""
        with self._lock:
            if asynchronous not in self._clients:
                make = openai.DefaultAsyncHttpxClient if asynchronous else openai.DefaultHttpxClient
                no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
                self._clients[asynchronous] = make(cookies=no_cookies)
            return self._clients[asynchronous]

    def enter(self, user: object) -> None:
        """Note that an engine uses the connections."""
        with self._lock:
            self._users.add(user)

    def leave(self, user: object) -> None:
        """Close the connections when no other engine uses them."""
        with self._lock:
            self._users.discard(user)
            if self._users:
                return
            clients, self._clients = self._clients, {}
        for asynchronous, client in clients.items():
            if asynchronous:
                with contextlib.suppress(Exception):  # what is closed at the end can be lost
                    LLM_LOOP.start(client.aclose()).result(_SECONDS_TO_CLOSE)
            else:
                client.close()

    def renew(self) -> None:
        """Make new connections in a forked child."""
        self._lock = threading.Lock()
        self._inherited += self._clients.values()
        self._clients = {}


CONNECTIONS: Final = SharedConnections()
