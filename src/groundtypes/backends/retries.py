"""What went wrong when an LLM was asked: whether to ask again, and how to say it.

Clients wrap each other's errors, so the whole chain is looked at. What is said names kinds of
errors and numbers only: the words of a server may repeat a key that it was sent.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from pydantic import ValidationError

from groundtypes.errors import Mistake

__all__ = ["described", "lacks_model", "retry_after", "unlogged", "worth_another"]

_STATUSES: Final = frozenset({408, 409, 425, 429})
_TRANSPORT: Final = re.compile(
    "Timeout|Connect|Transport|Protocol|ReadError|WriteError|Reset|Network"
)
#: What a server answers that is no answer: another try may bring a better one.
_RUBBISH: Final = (ValidationError, KeyError, IndexError, TypeError, AttributeError, ValueError)
_LONGEST: Final = 60.0


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, and all that it was made of."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        one = left.pop(0)
        # What was raised before as a mistake is another story.
        if one is None or isinstance(one, Mistake) or id(one) in seen or len(seen) > 20:
            continue
        seen.add(id(one))
        yield one
        # instructor keeps what happened at each attempt.
        attempts = getattr(one, "failed_attempts", None) or []
        left += [getattr(attempts[-1], "exception", None)] if attempts else []
        left += [one.__cause__, one.__context__]


def _status(error: BaseException) -> int | None:
    found = getattr(error, "status_code", None)
    return found if isinstance(found, int) else None


def worth_another(error: BaseException) -> bool:
    """Say whether the same question may be answered when it is asked again."""
    for one in _chain(error):
        status = _status(one)
        if status is not None:
            return status in _STATUSES or status >= 500
        if isinstance(one, TimeoutError | OSError) or _TRANSPORT.search(type(one).__name__):
            return True
        if type(one).__name__ == "IncompleteOutputException":
            return False  # the same limit would cut the next answer too
    return any(isinstance(one, _RUBBISH) for one in _chain(error))


def lacks_model(error: BaseException) -> bool:
    """Say whether a client was called without the name of a model, which it needs."""
    return any(isinstance(one, TypeError) and "'model'" in str(one) for one in _chain(error))


def retry_after(error: BaseException) -> float | None:
    """Return the seconds for which the server asked to be left alone, at most a minute."""
    for one in _chain(error):
        headers: Any = getattr(getattr(one, "response", None), "headers", None)
        said = headers.get("retry-after") if hasattr(headers, "get") else None
        if said is not None:
            try:
                return min(max(float(said), 0.0), _LONGEST)
            except ValueError:
                return None
    return None


def described(error: BaseException) -> str:
    """Return what happened in a few words: kinds of errors and the status, no words of a server."""
    kinds = list(dict.fromkeys(type(one).__name__ for one in _chain(error)))
    statuses = [status for one in _chain(error) if (status := _status(one)) is not None]
    told = f", status {statuses[0]}" if statuses else ""
    return f"{' from '.join(kinds[:4])}{told}"


_asking: ContextVar[bool] = ContextVar("groundtypes_asking", default=False)


class _Unasked(logging.Filter):
    """Lets through what is logged outside of our own calls."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 # as logging calls it
        """Say whether a record is kept."""
        return not _asking.get()


_UNASKED: Final = _Unasked()


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep instructor from logging what a server said, for it may repeat a key.

    What matters of it is raised; other calls of instructor log as before.
    """
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.startswith("instructor") and isinstance(logger, logging.Logger):
            logger.addFilter(_UNASKED)
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)
