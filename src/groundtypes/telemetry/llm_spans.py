"""The spans of the LLM calls that have ended, by the id of their response.

The instrumentation of a client ends its span when the response is there, before anybody validates
what it says. An event belongs to that span, so it is remembered: its context, which is two numbers.
A processor of spans sees spans end; it is added to the provider of the SDK, because the API has no
other way. The call is found by the id of its response. Under the span of an agent, which makes one
call after the other, it is the last one; elsewhere calls may run at the same time, and nothing but
the id tells them apart.
"""

from typing import Any, Final, NamedTuple
from weakref import WeakSet

from opentelemetry import trace

from groundtypes.bounded_cache import BoundedCache
from groundtypes.telemetry.guarded import guarded

__all__ = ["LLMCall", "LLMSpans"]

_MAX_SPANS: Final = 1024


class LLMCall(NamedTuple):
    """A call of an LLM that has ended: the context of its span, and the id of its response."""

    context: trace.SpanContext
    response_id: str

    @property
    def span(self) -> trace.Span:
        """The span, to be the parent of an event."""
        return trace.NonRecordingSpan(self.context)


class LLMSpans:
    """The contexts of the spans that ended last."""

    def __init__(self) -> None:
        self._by_id: BoundedCache[str, LLMCall] = BoundedCache(_MAX_SPANS)
        #: The last call under each span, by trace and span.
        self._last: BoundedCache[tuple[int, int], LLMCall] = BoundedCache(_MAX_SPANS)
        self._providers: WeakSet[Any] = WeakSet()

    @guarded
    def listen(self, provider: Any) -> None:
        """Remember the spans of a provider from now on, if it can tell when one ends."""
        if provider in self._providers or not hasattr(provider, "add_span_processor"):
            return
        from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor  # noqa: PLC0415 # it is there

        class Processor(SpanProcessor):
            """Tells of the spans that end."""

            @guarded
            def on_end(_, span: ReadableSpan) -> None:  # noqa: N805 # `self` is the outer one
                self._remember(span)

        self._providers.add(provider)
        provider.add_span_processor(Processor())

    def with_response(self, response_id: str) -> LLMCall | None:
        """Return the call that had this response."""
        return self._by_id.get(response_id)

    def last_under(self, span: tuple[int, int]) -> LLMCall | None:
        """Return the last call under a span, which is given by the ids of its trace and of it."""
        return self._last.get(span)

    def _remember(self, span: Any) -> None:
        response_id = (span.attributes or {}).get("gen_ai.response.id")
        if not isinstance(response_id, str):
            return
        call = LLMCall(span.get_span_context(), response_id)
        self._by_id.put(response_id, call)
        if span.parent is not None:
            self._last.put((span.parent.trace_id, span.parent.span_id), call)
