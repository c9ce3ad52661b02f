"""The id of the LLM's response that an answer was read from, as far as somebody says it.

`gen_ai.response.id` ties an event to the completion that it judges, where that has no span or its
span has ended before the validation. It is, in this order: `response_id` of the validation
context, that of the block of `for_response`, and that of the completion which an instrumented
client of instructor is reading.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_response_id: ContextVar[str | None] = ContextVar("groundtypes_response_id", default=None)


@contextmanager
def for_response(response: Any) -> Iterator[None]:
    """Say of the validations in this block which response of an LLM they judge.

    Args:
        response: The id, or the response itself: an object or mapping with an `id`. One without
            is no error; the events have no id then.

    Examples:
        >>> from groundtypes.integrations.telemetry import for_response
        >>> completion = {"id": "chatcmpl-123", "choices": []}
        >>> with for_response(completion):
        ...     pass  # verify(Answer, ..., context=...)
    """
    token = _response_id.set(id_of(response))
    try:
        yield
    finally:
        _response_id.reset(token)


def set_response_id(response: Any) -> None:
    """Say the same of the validations that follow in this context."""
    _response_id.set(id_of(response))


def current_response_id(context: Any) -> str | None:
    """Return the id for a validation with this context; `None` if it is not known."""
    given = context.get("response_id") if isinstance(context, Mapping) else None
    return given if isinstance(given, str) and given else _response_id.get()


def id_of(response: Any) -> str | None:
    """Return the id of a response, or the text itself; `None` if it has none."""
    try:
        if isinstance(response, Mapping):
            response = response.get("id")
        elif not isinstance(response, str):
            response = getattr(response, "id", None)
    except Exception:  # noqa: BLE001 # an object of somebody else's may raise anything
        return None
    return response if isinstance(response, str) and response else None
