"""Descriptions of errors of LLM clients that quote nothing a server sent.

Clients wrap each other's errors, so the whole chain of an error is inspected. Messages name only
the types of errors and the status: the words of a server may repeat a key that was sent to it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from groundtypes.errors import Mistake

#: The most errors of a chain that are inspected, and the most types that a description names.
_MAX_CHAIN: Final = 20
_MAX_NAMES: Final = 4


def error_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all errors that led to it."""
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        current = queue.pop(0)
        if current is None or id(current) in seen or len(seen) > _MAX_CHAIN:
            continue
        # A mistake in the context of an error was raised for a reason of its own.
        if isinstance(current, Mistake):
            continue
        seen.add(id(current))
        yield current
        # instructor keeps the errors of its attempts.
        attempts = getattr(current, "failed_attempts", None) or []
        queue += [getattr(attempts[-1], "exception", None)] if attempts else []
        queue += [current.__cause__, current.__context__]


def status_code(error: BaseException) -> int | None:
    """Return the HTTP status that an error of a client holds, or `None`."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def lacks_model(error: BaseException) -> bool:
    """Return whether a client was called without the name of a model, which it needs."""
    return any(
        isinstance(cause, TypeError) and "'model'" in str(cause) for cause in error_chain(error)
    )


def describe(error: BaseException) -> str:
    """Return the types of the errors in the chain and the status; nothing that the server sent."""
    names = list(dict.fromkeys(type(cause).__name__ for cause in error_chain(error)))
    codes = [code for cause in error_chain(error) if (code := status_code(cause)) is not None]
    status = f", status {codes[0]}" if codes else ""
    return f"{' from '.join(names[:_MAX_NAMES])}{status}"


_is_asking: ContextVar[bool] = ContextVar("groundtypes_asking", default=False)


class _SilenceDuringCalls(logging.Filter):
    """Rejects log records during calls of an engine."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 # as logging calls it
        """Return whether a record is logged."""
        return not _is_asking.get()


_SILENCE_DURING_CALLS: Final = _SilenceDuringCalls()
#: The packages that log requests and replies, with their headers.
_CLIENTS: Final = frozenset(
    {"instructor", "openai", "httpx", "httpx2", "httpcore", "httpcore2", "anthropic", "groq"}
    | {"mistralai", "cohere", "google_genai", "urllib3", "botocore", "aiohttp", "litellm"}
)


@contextmanager
def silent_clients() -> Iterator[None]:
    """Keep clients from logging what a server sent, since it may repeat a key.

    What matters of it is raised; other calls of the same clients log as before.
    """
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0].lower() in _CLIENTS and isinstance(logger, logging.Logger):
            logger.addFilter(_SILENCE_DURING_CALLS)
    token = _is_asking.set(True)
    try:
        yield
    finally:
        _is_asking.reset(token)
