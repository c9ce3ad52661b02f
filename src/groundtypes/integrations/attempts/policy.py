"""`keep_valid` as what a client of instructor does when its re-asks are used up."""

import inspect
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from groundtypes.errors import ContextError, Mistake
from groundtypes.integrations.attempts.keep import KeptAnswer
from groundtypes.integrations.attempts.last_attempt import akeep_valid, keep_valid

__all__ = ["LeftOutWarning", "keep_valid_answers", "warn_of_left_out"]

_Client = TypeVar("_Client")
_INNER: Final = ("groundtypes", "instructor")


class LeftOutWarning(UserWarning):
    """Parts of an answer were left out because of their faults."""


class _ListOfReply(list[Any]):
    """A list that has the reply of the provider, like that of instructor."""

    _raw_response: Any = None


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
    inner = getattr(client, "create_fn", None)
    if not callable(inner):
        raise ContextError(
            f"{type(client).__name__} is not an instructor client. Make one by "
            "instructor.from_provider(...) or instructor.from_openai(...)."
        )
    if not callable(report):
        raise ContextError(
            f"report is of type {type(report).__name__}; pass a function that takes a KeptAnswer"
        )
    names = {base.__name__ for base in type(client).__mro__}
    is_async = inspect.iscoroutinefunction(inner) or "AsyncInstructor" in names
    outer = _async_create(inner, report) if is_async else _sync_create(inner, report)
    client.create_fn = outer  # type: ignore[attr-defined] # any client of instructor has it
    return client


def _sync_create(inner: Callable[..., Any], report: Callable[..., object]) -> Callable[..., Any]:
    @wraps(inner)
    def create(*args: Any, **options: Any) -> Any:
        try:
            return inner(*args, **options)
        except Exception as error:
            if not _is_used_up(error, options):
                raise
            try:
                kept = keep_valid(error)
            except ValidationError as fault:
                _note(error, fault)
                kept = None
            if kept is None:
                raise
        report(kept)
        return _with_completion(kept)

    return create


def _async_create(inner: Callable[..., Any], report: Callable[..., object]) -> Callable[..., Any]:
    @wraps(inner)
    async def create(*args: Any, **options: Any) -> Any:
        try:
            return await inner(*args, **options)
        except Exception as error:
            if not _is_used_up(error, options):
                raise
            try:
                kept = await akeep_valid(error)
            except ValidationError as fault:
                _note(error, fault)
                kept = None
            if kept is None:
                raise
        report(kept)
        return _with_completion(kept)

    return create


def _is_used_up(error: Exception, options: dict[str, Any]) -> bool:
    """Return whether every attempt of a call has failed by its answer, and none by an outage."""
    attempts = getattr(error, "failed_attempts", None)
    return (
        isinstance(attempts, list | tuple)
        and len(attempts) > 0
        and getattr(error, "n_attempts", None) == len(attempts)
        and not isinstance(error.__cause__, Mistake)
        and not options.get("stream")
    )


def _note(error: Exception, fault: ValidationError) -> None:
    for note in getattr(fault, "__notes__", ()):
        error.add_note(note)


def _with_completion(kept: KeptAnswer[Any]) -> Any:
    """Return the value with the reply of the provider, where `create_with_completion` reads it."""
    value = kept.value
    if type(value) is list:
        value = _ListOfReply(value)
    if isinstance(value, BaseModel | _ListOfReply):
        reply: Any = value
        reply._raw_response = kept.completion  # noqa: SLF001 # the name is instructor's
    return value


def _caller() -> tuple[str, int]:
    """Return the file and the line that called the client."""
    frame = sys._getframe(1)  # noqa: SLF001 # `inspect.currentframe` returns None elsewhere
    while frame.f_back is not None and _is_inner(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _is_inner(module: str) -> bool:
    return module.partition(".")[0] in _INNER
