"""The connections to LLMs that all engines of a process share.

Clients of OpenAI that were made without an HTTP client of their own get these, so that an engine or
a client for each request opens no connections of its own. They are closed when the last engine
that uses them is closed or forgotten.
"""

import contextlib
import threading
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final
from weakref import WeakSet

from groundtypes.backends.event_loop_thread import EventLoopThread
from groundtypes.concurrency.forking import renew_in_child

try:
    import openai
except ImportError as error:
    raise ImportError(
        "InstructorLLM needs instructor and openai: pip install 'groundtypes[instructor]'"
    ) from error

_SECONDS_TO_CLOSE: Final = 5.0

#: The event loop on which all engines ask.
LLM_LOOP: Final = EventLoopThread()


class SharedConnections:
    """One HTTP client for synchronous clients and one for asynchronous ones.

    They keep no cookies, because engines with different keys share them.
    """

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
