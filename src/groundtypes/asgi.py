"""`NonBlockingMiddleware`: an ASGI application whose validation never blocks the event loop."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from groundtypes.concurrency.nonblocking import nonblocking, require_greenlet

__all__ = ["NonBlockingMiddleware"]

_Scope: TypeAlias = MutableMapping[str, Any]
_Message: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Message]]
_Send: TypeAlias = Callable[[_Message], Awaitable[None]]
_App: TypeAlias = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


class NonBlockingMiddleware:
    """Run each request, WebSocket and lifespan of an ASGI application under `nonblocking`.

    Bodies, dependencies and response models of FastAPI are then judged while the event loop goes
    on. It is pure ASGI and works with every framework and server; of several middlewares, it comes
    first.

    Examples:
        >>> async def app(scope, receive, send): ...
        >>> app = NonBlockingMiddleware(app)  # or: app.add_middleware(NonBlockingMiddleware)

    Raises:
        ImportError: greenlet is not installed.
    """

    def __init__(self, app: _App) -> None:
        require_greenlet()
        self.app = app

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Run the application."""
        await nonblocking(self.app(scope, receive, send))
