"""What async twins are made of: blocking calls run in threads, so that the event loop runs on.

A thread cannot be stopped from outside. So a call in a thread has a `Cancellation`: when the
coroutine that waits for it is cancelled, whatever the call waits for is stopped. The threads are
daemons: a process that ends does not wait for a server. `asyncio` is slow to import, and is
imported in functions.
"""

import atexit
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakSet

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future
    from queue import SimpleQueue

_P = ParamSpec("_P")
_T = TypeVar("_T")

#: After so many seconds of waiting, signals are looked at.
SECONDS_UNTIL_SIGNAL: Final = 0.2
#: How many calls of one event loop are in threads at the same time.
_MAX_THREADS: Final = 32
#: The most seconds that the end of the process waits for calls that were cancelled.
_SECONDS_AT_EXIT: Final = 0.5


class CancelledCall(BaseException):
    """Nobody waits for this call any more; no `Exception`, which would look like a failure."""


class Cancellation:
    """Whether a call is cancelled, and what is to be stopped when it is."""

    def __init__(self) -> None:
        self.is_cancelled = False
        self._lock = threading.Lock()
        self._stops: dict[object, Callable[[], object]] = {}

    def enter(self, context: Context) -> None:
        """Have the calls in this context cancelled by this cancellation."""
        context.run(_cancellation.set, self)

    def cancel(self) -> None:
        """Stop what the call waits for now, and whatever it wants to wait for later."""
        with self._lock:
            self.is_cancelled = True
            stops = list(self._stops.values())
        for stop in stops:
            stop()

    @contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """Have `stop` called if the call is cancelled meanwhile, from any thread."""
        key = object()
        with self._lock:
            self._stops[key] = stop
            cancelled = self.is_cancelled
        try:
            if cancelled:
                stop()
            yield
        finally:
            with self._lock:
                del self._stops[key]


_cancellation: ContextVar[Cancellation | None] = ContextVar(
    "groundtypes_cancellation", default=None
)


def check_cancelled() -> None:
    """Raise `CancelledCall` if nobody waits for this call any more."""
    cancellation = _cancellation.get()
    if cancellation is not None and cancellation.is_cancelled:
        raise CancelledCall


@contextmanager
def on_cancel(stop: Callable[[], object]) -> Iterator[None]:
    """Have `stop` called, from another thread, if this call is cancelled meanwhile."""
    cancellation = _cancellation.get()
    if cancellation is None:
        yield
        return
    with cancellation.stopping(stop):
        yield


@contextmanager
def cancelled_by(cancellation: Cancellation) -> Iterator[None]:
    """Let the calls of this block be cancelled by another cancellation than their caller's."""
    token = _cancellation.set(cancellation)
    try:
        yield
    finally:
        _cancellation.reset(token)


def take(queue: "SimpleQueue[_T]") -> _T:
    """Return the next item of a queue, which is waited for; Ctrl-C interrupts that for certain."""
    from queue import Empty  # noqa: PLC0415 # slow to import

    while True:
        # A signal that comes just before a wait begins does not end the wait.
        with suppress(Empty):
            return queue.get(timeout=SECONDS_UNTIL_SIGNAL)


async def run_in_thread(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Return what the function returns; it runs in a thread, of which a loop has at most 32."""
    return await run_in_context(lambda: function(*args, **kwargs), copy_context())


def awaitable(function: Callable[_P, _T]) -> Callable[_P, Coroutine[Any, Any, _T]]:
    """Return the async twin of a function, which does not block the event loop."""

    @wraps(function)
    async def twin(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await run_in_thread(function, *args, **kwargs)

    twin.__name__ = twin.__qualname__ = f"a{function.__name__}"
    twin.__doc__ = f"Return what `{function.__name__}` returns, without blocking the event loop."
    return twin


async def run_in_context(function: Callable[[], _T], context: Context) -> _T:
    """Return what the function returns in this context; it runs as in `run_in_thread`."""
    async with _permits():
        return await run_in_daemon_thread(function, context)


async def run_in_daemon_thread(function: Callable[[], _T], context: Context | None = None) -> _T:
    """Return what the function returns; if this coroutine is cancelled, its call is, too."""
    import asyncio  # noqa: PLC0415 # slow to import

    cancellation = Cancellation()
    context = copy_context() if context is None else context
    cancellation.enter(context)
    call = start_daemon_thread(partial(context.run, function))
    try:
        return await asyncio.wrap_future(call)
    except BaseException:
        if not call.done():
            _cancelled_calls.add(call)
            cancellation.cancel()
        raise


def start_daemon_thread(function: Callable[[], _T]) -> "Future[_T]":
    """Return the future of a call in a thread that the end of the process does not wait for."""
    from concurrent.futures import Future  # noqa: PLC0415 # slow to import

    future: Future[_T] = Future()
    future.set_running_or_notify_cancel()  # who waits may be cancelled, but the call goes on

    def work() -> None:
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 # it is raised where the result is read
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=work, name="groundtypes-call", daemon=True).start()
    return future


async def iterate_in_threads(items: Iterator[_T]) -> AsyncIterator[_T]:
    """Yield the items of an iterator, each of them produced in a thread."""
    end = object()
    while True:
        item = await run_in_thread(next, items, end)
        if item is end:
            return
        yield item  # type: ignore[misc] # not the end, so an item


_loop_permits: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]" = (
    WeakKeyDictionary()
)


def _permits() -> "asyncio.Semaphore":
    import asyncio  # noqa: PLC0415 # slow to import

    loop = asyncio.get_running_loop()
    return _loop_permits.setdefault(loop, asyncio.Semaphore(_MAX_THREADS))


_cancelled_calls: "Final[WeakSet[Future[Any]]]" = WeakSet()


def _wait_at_exit() -> None:
    """Let cancelled calls end by themselves: a library in C may crash when it is cut off."""
    if calls := list(_cancelled_calls):
        from concurrent.futures import wait  # noqa: PLC0415 # slow to import

        wait(calls, _SECONDS_AT_EXIT)


atexit.register(_wait_at_exit)
