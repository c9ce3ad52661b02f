"""`keep_valid` as what a client of instructor does when its re-asks are used up."""

import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from groundtypes.errors import ContextError
from groundtypes.integrations.attempts.keep import KeptAnswer
from groundtypes.integrations.attempts.last_attempt import keep_valid
from groundtypes.integrations.instructor import is_client, set_last_resort, with_completion

_Client = TypeVar("_Client")
_INNER: Final = ("groundtypes", "instructor")


class LeftOutWarning(UserWarning):
    """Parts of an answer were left out because of their faults."""


def warn_of_left_out(kept: KeptAnswer[Any]) -> None:
    """Issue a `LeftOutWarning` that says what was left out, if anything was.

    It is issued every time, unlike other warnings, of which Python shows equal ones once.
    """
    if not kept.complete:
        file, line = _caller()
        warnings.warn_explicit(str(kept), LeftOutWarning, file, line)


def keep_valid_answers(
    client: _Client, *, report: Callable[[KeptAnswer[Any]], object] = warn_of_left_out
) -> _Client:
    """Have an instructor client return what can be kept, when its re-asks are used up.

    `create` then returns the answer without its faulty parts, in place of raising
    `InstructorRetryException`. It still raises where nothing can be kept, where the server or an
    engine failed, and in streams.

    Args:
        client: A client of instructor, synchronous or asynchronous, which is changed.
        report: Is called with each answer that is kept in this way, before it is returned. What it
            raises, `create` raises. By default it issues a `LeftOutWarning`.

    Returns:
        The client.

    Raises:
        ContextError: This is not an instructor client, or the report cannot be called.

    Examples:
        >>> client = instructor.from_provider("openai/gpt-5-mini")  # doctest: +SKIP
        >>> keep_valid_answers(client)  # doctest: +SKIP
    """
    if not is_client(client):
        raise ContextError(
            f"{type(client).__name__} is not an instructor client. Make one by "
            "instructor.from_provider(...) or instructor.from_openai(...)."
        )
    if not callable(report):
        raise ContextError(
            f"report is of type {type(report).__name__}; pass a function that takes a KeptAnswer"
        )

    def keep(error: Exception) -> Callable[[], Any] | None:
        """Return what reports and returns what can be kept; if nothing can be, note why."""
        try:
            kept = keep_valid(error)
        except ValidationError as fault:
            for note in getattr(fault, "__notes__", ()):
                error.add_note(note)
            return None
        return partial(reported, kept)

    def reported(kept: KeptAnswer[Any]) -> Any:
        report(kept)
        return with_completion(kept.value, kept.completion)

    set_last_resort(client, keep)
    return client


def _caller() -> tuple[str, int]:
    """Return the file and the line that called the client."""
    frame = sys._getframe(1)  # noqa: SLF001 # `inspect.currentframe` returns None elsewhere
    while frame.f_back is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in _INNER:
            break
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
