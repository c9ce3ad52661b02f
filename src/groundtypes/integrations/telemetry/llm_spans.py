"""The spans of the LLM calls that have ended, by the id of their response.

The instrumentation of a client ends its span when the response is there, before anybody validates
what it says. An event belongs to that span, so it is remembered: its context, which is two numbers.
A processor of spans sees spans end; it is added to the provider of the SDK, because the API has no
other way. The call is found by the id of its response. Under the span of an agent, which makes one
call after the other, it is the last one; elsewhere calls may run at the same time, and nothing but
the id tells them apart.
"""

import threading
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from opentelemetry import trace

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.integrations.telemetry.guarded import guarded

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

    def with_response(self, response_id: str) -> LLMCall | None:
        """Return the call that had this response."""
        return self._by_id.get(response_id)

    def last_under(self, span: tuple[int, int]) -> LLMCall | None:
        """Return the last call under a span, which is given by the ids of its trace and of it."""
        return self._last.get(span)

    @guarded
    def remember(self, span: Any) -> None:
        """Remember a span that has ended, if it is of a call of an LLM."""
        response_id = (span.attributes or {}).get("gen_ai.response.id")
        if not isinstance(response_id, str):
            return
        call = LLMCall(span.get_span_context(), response_id)
        self._by_id.put(response_id, call)
        if span.parent is not None:
            self._last.put((span.parent.trace_id, span.parent.span_id), call)


class _Listened:
    """The spans of each provider that is listened to."""

    def __init__(self) -> None:
        self._spans: WeakKeyDictionary[Any, LLMSpans] = WeakKeyDictionary()
        self._lock = threading.Lock()
        renew_in_child(self)

    def renew(self) -> None:
        """Make a new lock in a forked child."""
        self._lock = threading.Lock()

    def of(self, provider: Any) -> LLMSpans:
        """Return those of a provider, to which a processor is added once."""
        spans = self._spans.get(provider)
        if spans is not None:
            return spans
        with self._lock:
            if provider not in self._spans:
                self._spans[provider] = LLMSpans()
                _add_processor(provider, self._spans[provider])
            return self._spans[provider]


_listened: Final = _Listened()


def listen(provider: Any) -> LLMSpans:
    """Return the spans of a provider that end from now on; none if it cannot tell of them."""
    return _listened.of(provider)


@guarded
def _add_processor(provider: Any, spans: LLMSpans) -> None:
    if not hasattr(provider, "add_span_processor"):
        return
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor  # noqa: PLC0415 # it is there

    class Processor(SpanProcessor):
        """Tells of the spans that end."""

        def on_end(self, span: ReadableSpan) -> None:
            spans.remember(span)

    provider.add_span_processor(Processor())
