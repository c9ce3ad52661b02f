"""When a question to an LLM is asked again, how long to wait before that, and when to give up."""

import asyncio
import math
import random
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from groundtypes.backends.engine_calls import (
    describe,
    error_chain,
    is_outage,
    lacks_model,
    status_code,
)
from groundtypes.backends.logs import Log
from groundtypes.errors import BackendError, ContextError, Mistake

_T = TypeVar("_T")
_LOG: Final = Log(__name__)

#: Each wait is multiplied by a random factor in this range, so that clients spread out.
_JITTER: Final = (0.7, 1.3)
#: The most seconds that a server can make us wait.
_MAX_RETRY_AFTER: Final = 60.0
#: Beside those from 500 on: time-out, conflict, too early, too many requests.
_TRANSIENT_STATUSES: Final = frozenset({408, 409, 425, 429})
_TRANSPORT_ERROR: Final = re.compile(
    "Timeout|Connect|Transport|Protocol|ReadError|WriteError|Reset|Network"
)
#: What clients raise for a reply that is not valid; the next one may be.
_INVALID_REPLY: Final = (
    ValidationError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ValueError,
)


def _backoff(attempt: int) -> float:
    """Return half a second at first, twice as long each time, and at most twenty."""
    return min(0.5 * 2.0 ** (attempt - 1), 20.0)


_BACKOFF: Final[Callable[[int], float]] = _backoff


async def call_with_retries(
    call: Callable[[], Awaitable[_T]], *, attempts: int, seconds: float, model: str | None
) -> _T:
    """Return what `call` returns, which is called up to `attempts` times in so many seconds.

    They are for all attempts together with the waits between them; only a wait that the server asks
    for does not count. A mistake is never retried.

    Raises:
        BackendError: Every attempt failed, one failed for good, or the time is over.
        ContextError: The client was called without a model.
    """
    attempt = 1
    try:
        async with asyncio.timeout(seconds) as limit:
            while True:
                try:
                    return await call()
                except Exception as error:
                    if attempt == attempts or not _may_succeed_later(error):
                        raise
                    pause = _wait(limit, attempt, error)
                    kind = type(error).__name__
                name = model or "of the client"
                text = "The LLM %s did not answer (attempt %d: %s); it is asked again in %.1f s"
                _LOG.info(text, name, attempt, kind, pause)
                await _pause(pause)
                attempt += 1
    except Mistake:
        raise
    except Exception as error:  # noqa: BLE001 # providers raise what they like
        mistake = _mistake(error, attempt, model)
    # Raised outside of the `except` block, it has no context, which holds what the server sent.
    raise mistake


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _wait(limit: asyncio.Timeout, attempt: int, error: Exception) -> float:
    asked = _retry_after(error)
    if asked is None:
        return float(_BACKOFF(attempt)) * random.uniform(*_JITTER)
    end = limit.when()
    if end is not None and not limit.expired():
        limit.reschedule(end + asked)
    return asked


def _may_succeed_later(error: BaseException) -> bool:
    if not isinstance(error, Exception) or isinstance(error, Mistake) or lacks_model(error):
        return False
    for cause in error_chain(error):
        status = status_code(cause)
        if status is not None:
            return status in _TRANSIENT_STATUSES or status >= 500
        if isinstance(cause, TimeoutError | OSError):
            return True
        if _TRANSPORT_ERROR.search(type(cause).__name__):
            return True
        if type(cause).__name__ == "IncompleteOutputException":
            return False  # the same limit would cut the next reply too
    return any(isinstance(cause, _INVALID_REPLY) for cause in error_chain(error))


def _retry_after(error: BaseException) -> float | None:
    """Return the seconds that the server asks to wait, or `None`; at most a minute."""
    for cause in error_chain(error):
        headers: Any = getattr(getattr(cause, "response", None), "headers", None)
        value = headers.get("retry-after") if hasattr(headers, "get") else None
        if value is not None:
            try:
                seconds = float(value)
            except ValueError:
                return None
            # "nan" and "inf" are numbers, too.
            return min(max(seconds, 0.0), _MAX_RETRY_AFTER) if math.isfinite(seconds) else None
    return None


def _mistake(error: Exception, attempts: int, model: str | None) -> Mistake:
    if lacks_model(error):
        return ContextError("This client needs a model: Judges(llm=client, model='...').")
    name = f"The LLM {model}" if model else "The LLM"
    times = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    mistake = BackendError(f"{name} did not answer after {times}: {describe(error)}")
    mistake.is_outage = is_outage(error)
    return mistake
