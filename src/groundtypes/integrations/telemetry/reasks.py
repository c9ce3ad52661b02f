"""Which validations are of an answer that an LLM was asked for again.

A validation alone does not say so: a program may validate a thousand stored answers one after the
other. It is a re-ask if an answer to the same model was at fault before, in the same call of an
instrumented client of instructor, or under the same active span of a generative AI operation (one
with the attribute `gen_ai.operation.name`), such as the run of an agent.
"""

from collections.abc import Hashable, Mapping
from contextvars import ContextVar
from typing import Any, Final

from groundtypes.concurrency.bounded_cache import BoundedCache

#: The call of an instrumented client that this context is in; any object of its own.
LLM_CALL: Final[ContextVar[Hashable]] = ContextVar("groundtypes_llm_call", default=None)
_MAX_CALLS: Final = 1024


def agent_span(span: Any) -> tuple[int, int] | None:
    """Return the ids of the trace and the span, if it is of a generative AI operation."""
    attributes = getattr(span, "attributes", None)  # the API's own span has none
    if not isinstance(attributes, Mapping) or "gen_ai.operation.name" not in attributes:
        return None
    context = span.get_span_context()
    return (context.trace_id, context.span_id)


def call_key(agent: tuple[int, int] | None) -> Hashable:
    """Return what the validations of one call of an LLM have in common, or `None`."""
    call = LLM_CALL.get()
    return agent if call is None else call


class Reasks:
    """The calls whose last answer was at fault, the latest last."""

    def __init__(self) -> None:
        self._faulty: BoundedCache[tuple[Hashable, str], bool] = BoundedCache(_MAX_CALLS)

    def is_reask(self, key: Hashable, model: str) -> bool:
        """Return whether an answer was at fault in this call before."""
        return key is not None and self._faulty.get((key, model)) is True

    def end(self, key: Hashable, model: str, *, faulty: bool) -> None:
        """Note what became of an answer."""
        if key is not None:
            self._faulty.put((key, model), faulty)
