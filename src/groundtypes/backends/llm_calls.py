"""The place where every request to an LLM leaves: it is counted there, allowed or refused.

Clients, and instructor above them, retry, follow redirects and send faulty replies back. So
requests are counted, and replies bounded, by hooks of the HTTP client itself. These find the call
that a request belongs to in a context variable; requests that belong to none are the user's own.
"""

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from json import JSONDecodeError
from typing import Any, Final

from pydantic import ValidationError
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
)

from groundtypes.backends.llm_limits import UsageMeter
from groundtypes.backends.redaction import learn_from_headers, learn_from_url
from groundtypes.backends.reply_limits import ask_for_gzip, bound_reply
from groundtypes.errors import BackendError, BudgetError, Mistake

#: How far the HTTP client of a provider is searched for, in attributes and in objects.
_MAX_DEPTH: Final = 4
_MAX_OBJECTS: Final = 400
#: About how many bytes of a request or reply are one token, where the LLM does not say it.
_BYTES_PER_TOKEN: Final = 4
#: How often a request that waits for the tokens of others looks again.
_POLL_SECONDS: Final = 0.01

#: The packages that log requests and replies, with their headers.
_CLIENTS: Final = frozenset(
    {"instructor", "openai", "httpx", "httpx2", "httpcore", "httpcore2", "anthropic", "groq"}
    | {"mistralai", "cohere", "google_genai", "urllib3", "botocore", "aiohttp", "litellm"}
)

_current_call: ContextVar["LLMCall | None"] = ContextVar("groundtypes_llm_call", default=None)


class RequestRefusedError(Exception):
    """A request is not sent or its reply not read: for `LLMCall.refusal`, or as it is cancelled."""


class LLMCall:
    """One call of a client: all requests that it sends until it returns.

    `refusal` says why a request was not sent, or its reply not read.
    """

    def __init__(self, meter: UsageMeter) -> None:
        self.refusal: Mistake | None = None
        #: How many requests it has sent.
        self.requests = 0
        self._meter = meter
        self._lock = threading.Lock()
        self._stopped = False
        self._sockets: list[Any] = []
        self._bytes_sent = 0

    @contextlib.contextmanager
    def sending(self) -> Iterator[None]:
        """Count the requests of this block; clients log nothing meanwhile."""
        _silence_clients()
        token = _current_call.set(self)
        try:
            yield
        finally:
            _current_call.reset(token)
            with self._lock:
                self._sockets.clear()
            self._meter.release(self)

    def stop(self) -> None:
        """Send no further request, and break off the one under way; from any thread."""
        with self._lock:
            self._stopped = True
            sockets, self._sockets = self._sockets, []
        for connected in sockets:
            _shut_down(connected)

    def may_send(self, request: Any = None) -> bool:
        """Count a request that is about to leave; `False` if it must wait for others."""
        if self._stopped or self.refusal is not None:
            raise RequestRefusedError
        self._bytes_sent = _content_length(request)
        try:
            counted = self._meter.count_request(self)
        except BudgetError as error:
            self.refusal = error
            raise RequestRefusedError from None
        self.requests += counted
        return counted

    def refuse_reply(self, reason: str) -> RequestRefusedError:
        """Note that the reply of the server is not read; return what its reader raises."""
        self.refusal = BackendError(f"The reply of the LLM's server {reason}.")
        return RequestRefusedError()

    def count_tokens(self, completion: Any) -> None:
        """Count the tokens of a completion that has arrived; estimate what it does not state."""
        tokens_in, tokens_out = tokens_of(completion)
        if not tokens_in + tokens_out:
            tokens_in = self._bytes_sent // _BYTES_PER_TOKEN
            tokens_out = len(str(completion)) // _BYTES_PER_TOKEN
        self._meter.count_tokens(self, tokens_in, tokens_out)

    def hold(self, stream: Any) -> None:
        """Remember a connection that `stop` breaks off."""
        get_info = getattr(stream, "get_extra_info", None)
        connected = get_info("socket") if callable(get_info) else None
        if isinstance(connected, socket.socket):
            with self._lock:
                self._sockets.append(connected)
                stopped = self._stopped
            if stopped:
                _shut_down(connected)


def _is_outside_of_calls(_: logging.LogRecord) -> bool:
    return _current_call.get() is None


def _silence_clients() -> None:
    """Keep clients from logging what a server sent to a call, since it may repeat a key."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0].lower() in _CLIENTS and isinstance(logger, logging.Logger):
            logger.addFilter(_is_outside_of_calls)


def _content_length(request: Any) -> int:
    length = request.headers.get("content-length", "") if request is not None else ""
    return int(length) if length.isdecimal() else 0


def _shut_down(connected: socket.socket) -> None:
    # Unlike `close`, it also wakes the thread that reads from the connection.
    with contextlib.suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


# --- hooks of HTTP clients ----------------------------------------------------------------------

_hook_lock: Final = threading.Lock()


def watch_requests(client: Any) -> bool:
    """Have the requests of a provider's client counted; `False` if its HTTP client is unknown."""
    found = list(_http_clients(client))
    with _hook_lock:
        for http_client in found:
            asynchronous = hasattr(http_client, "aclose")
            hooks = http_client.event_hooks
            before: Callable[..., Any] = _before_request_async if asynchronous else _before_request
            after: Callable[..., Any] = _after_headers_async if asynchronous else _after_headers
            if before not in hooks["request"]:
                hooks["request"].append(before)
                # Before the hooks of others, which may read the body.
                hooks["response"].insert(0, after)
    return bool(found)


def _http_clients(client: Any) -> Iterator[Any]:
    """Yield the HTTP clients of httpx's kind that a provider's client holds, at any depth."""
    seen: set[int] = set()
    level = [client]
    for _ in range(_MAX_DEPTH):
        below: list[Any] = []
        for thing in level:
            if id(thing) in seen or len(seen) > _MAX_OBJECTS:
                continue
            seen.add(id(thing))
            if _is_http_client(thing):
                yield thing
                continue
            attributes = getattr(thing, "__dict__", None)
            if isinstance(attributes, dict):
                below += [value for value in attributes.values() if hasattr(value, "__dict__")]
        level = below


def _is_http_client(thing: Any) -> bool:
    if isinstance(thing, type):
        return False
    hooks = getattr(type(thing), "event_hooks", None)
    return isinstance(hooks, property) and callable(getattr(thing, "build_request", None))


def _learn(request: Any) -> LLMCall | None:
    """Learn the secrets of a request; return the call that it belongs to."""
    learn_from_headers(request.headers)
    learn_from_url(str(request.url))
    return _current_call.get()


def _before_request(request: Any) -> None:
    call = _learn(request)
    if call is None:
        return
    while not call.may_send(request):
        time.sleep(_POLL_SECONDS)
    ask_for_gzip(request)
    # The connection becomes known when it is made, and otherwise with the headers of the response.
    request.extensions.setdefault("trace", _trace_of(call))


async def _before_request_async(request: Any) -> None:
    call = _learn(request)
    if call is None:
        return
    while not call.may_send(request):  # noqa: ASYNC110 # what is released in threads sets no event
        await asyncio.sleep(_POLL_SECONDS)
    ask_for_gzip(request)


def _after_headers(response: Any) -> None:
    call = _current_call.get()
    if call is not None:
        call.hold(response.extensions.get("network_stream"))
        bound_reply(response, call.refuse_reply)


async def _after_headers_async(response: Any) -> None:
    call = _current_call.get()
    if call is not None:
        bound_reply(response, call.refuse_reply)


def _trace_of(call: LLMCall) -> Callable[[str, Any], None]:
    def trace(event: str, info: Any) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            call.hold(info.get("return_value"))

    return trace


# --- clients whose HTTP client is unknown -------------------------------------------------------


def counted_repairs(call: LLMCall, repairs: int, *, asynchronous: bool) -> Any:
    """Return instructor's `max_retries` with each attempt counted, for clients without a hook."""

    def count(_: RetryCallState) -> None:
        while not call.may_send():
            time.sleep(_POLL_SECONDS)

    retrying = AsyncRetrying if asynchronous else Retrying
    return retrying(
        stop=stop_after_attempt(repairs + 1),
        retry=retry_if_exception(_is_invalid_reply),
        before=count,
        reraise=True,
    )


def _is_invalid_reply(error: BaseException) -> bool:
    """Whether instructor sends a reply back after this error."""
    return isinstance(error, ValidationError | JSONDecodeError) or type(error).__name__ in {
        "AsyncValidationError",
        "ResponseParsingError",
    }


# --- tokens -------------------------------------------------------------------------------------


def tokens_of(completion: Any) -> tuple[int, int]:
    """Return the tokens read and written, by the names that providers use; 0 where not stated."""
    usage = getattr(completion, "usage", None) or getattr(completion, "usage_metadata", None)
    tokens_in = _first_integer(usage, "prompt_tokens", "input_tokens", "prompt_token_count")
    tokens_out = _first_integer(
        usage, "completion_tokens", "output_tokens", "candidates_token_count"
    )
    return tokens_in, tokens_out


def _first_integer(usage: Any, *names: str) -> int:
    for name in names:
        value = getattr(usage, name, None)
        if isinstance(value, int) and value > 0:
            return value
    return 0
