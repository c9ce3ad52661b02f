"""When a question to an LLM is asked again, how long to wait before that, and when to give up.

A question is asked again after errors that may be temporary: transport errors, time-outs, the
statuses of a busy or broken server, and replies that are not valid. The wait grows exponentially,
unless the server says how long to wait.
"""

import asyncio
import math
import random
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
)

from groundtypes.backends.llm_errors import describe, error_chain, lacks_model, status_code
from groundtypes.backends.logs import Log
from groundtypes.backends.outages import is_outage
from groundtypes.errors import BackendError, ContextError, Mistake

_T = TypeVar("_T")
_LOG: Final = Log(__name__)

#: Seconds to wait: half a second at first, twice as long each time, and at most twenty.
_BACKOFF: Any = wait_exponential(multiplier=0.5, max=20)
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


async def call_with_retries(
    call: Callable[[], Awaitable[_T]], *, attempts: int, seconds: float, model: str | None
) -> _T:
    """Return what `call` returns, which is called up to `attempts` times in so many seconds.

    They are for all attempts together with the waits between them; only a wait that the server asks
    for does not count.

    Raises:
        BackendError: Every attempt failed, one failed in a way that no other can succeed, or the
            time is over.
        ContextError: The client was called without a model.
        Mistake: `call` raised one, which is never retried.
    """
    outcome = _Outcome()
    try:
        async with asyncio.timeout(seconds) as limit:
            retrying = AsyncRetrying(
                stop=stop_after_attempt(attempts),
                wait=partial(_wait, limit),
                retry=retry_if_exception(_may_succeed_later),
                before=outcome.begin,
                before_sleep=partial(_log_failure, model),
                sleep=_pause,
                reraise=True,
            )
            return await retrying(call)
    except Mistake:
        raise
    except Exception as error:  # noqa: BLE001 # providers raise what they like
        outcome.mistake = _mistake(error, outcome.attempts, model)
    # Raised outside of the `except` block, it has no context, which holds what the server sent.
    raise outcome.mistake


class _Outcome:
    """How many attempts were made, and what became of them."""

    def __init__(self) -> None:
        self.attempts = 0
        self.mistake = Mistake()

    def begin(self, state: RetryCallState) -> None:
        """Note that an attempt begins."""
        self.attempts = state.attempt_number


def _log_failure(model: str | None, state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome is not None else None
    seconds = state.next_action.sleep if state.next_action is not None else 0.0
    _LOG.info(
        "The LLM %s did not answer (attempt %d: %s); it is asked again in %.1f s",
        model or "of the client",
        state.attempt_number,
        type(error).__name__,
        seconds,
    )


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _wait(limit: asyncio.Timeout, state: RetryCallState) -> float:
    """Return the seconds to wait before the next attempt."""
    error = state.outcome.exception() if state.outcome is not None else None
    asked = None if error is None else _retry_after(error)
    if asked is None:
        return float(_BACKOFF(state)) * random.uniform(*_JITTER)
    end = limit.when()
    if end is not None and not limit.expired():
        limit.reschedule(end + asked)
    return asked


def _may_succeed_later(error: BaseException) -> bool:
    """Return whether the same question may be answered when it is asked again."""
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
    mistake.is_outage = any(map(is_outage, error_chain(error)))
    return mistake
