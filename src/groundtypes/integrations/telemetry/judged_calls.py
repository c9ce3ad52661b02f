"""Which call of an LLM the running validation judges: the response, re-asks, parts of streams."""

import sys
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, auto
from types import FrameType
from typing import Any, Final

from groundtypes.integrations import instructor, pydantic_ai

_response_id: ContextVar[str | None] = ContextVar("groundtypes_response_id", default=None)
#: The call of an instrumented client that this context is in; any object of its own.
LLM_CALL: Final[ContextVar[Hashable]] = ContextVar("groundtypes_llm_call", default=None)
_MAX_FRAMES: Final = 40


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
    token = _response_id.set(_id_of(response))
    try:
        yield
    finally:
        _response_id.reset(token)


def set_response_id(response: Any) -> None:
    """Say the same of the validations that follow in this context."""
    _response_id.set(_id_of(response))


def current_response_id(context: Any) -> str | None:
    """Return the id of the response that is judged: `response_id` of the context goes first."""
    given = context.get("response_id") if isinstance(context, Mapping) else None
    return given if isinstance(given, str) and given else _response_id.get()


def _id_of(response: Any) -> str | None:
    try:
        if isinstance(response, Mapping):
            response = response.get("id")
        elif not isinstance(response, str):
            response = getattr(response, "id", None)
    except Exception:  # noqa: BLE001 # an object of somebody else's may raise anything
        return None
    return response if isinstance(response, str) and response else None


def agent_span(span: Any) -> tuple[int, int] | None:
    """Return the ids of the trace and the span, if it is of a generative AI operation."""
    attributes = getattr(span, "attributes", None)  # the API's own span has none
    if not isinstance(attributes, Mapping) or "gen_ai.operation.name" not in attributes:
        return None
    context = span.get_span_context()
    return context.trace_id, context.span_id


class Stage(Enum):
    """How much of an answer the running validation is of."""

    #: The whole, as far as is known.
    WHOLE = auto()
    #: A part that is complete: if it is at fault, there will be no whole (`create_partial`).
    PART = auto()
    #: What has been written so far, which may be at fault because it is not complete (pydantic-ai).
    DRAFT = auto()


def current_stage() -> Stage:
    """Return how much of an answer the running validation is of.

    Pydantic does not tell it, so the callers are looked at: a framework that changes the names that
    are looked for is told of too often, never wrongly.
    """
    if "instructor" not in sys.modules and "pydantic_ai" not in sys.modules:
        return Stage.WHOLE
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 # documented
    for _ in range(_MAX_FRAMES):
        if frame is None:
            break
        if (is_part := instructor.is_part_of_stream(frame)) is not None:
            return Stage.PART if is_part else Stage.WHOLE
        if (is_draft := pydantic_ai.is_draft(frame)) is not None:
            return Stage.DRAFT if is_draft else Stage.WHOLE
        frame = frame.f_back
    return Stage.WHOLE
