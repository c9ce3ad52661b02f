"""Where telemetry goes: a tracer, a logger and the instruments of a meter."""

from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any, Final, NamedTuple, ParamSpec
from weakref import WeakKeyDictionary

from opentelemetry import _logs, metrics, trace

from groundtypes import __version__
from groundtypes.backends.logs import Log
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.integrations.telemetry.events import EVENT_NAME

_P = ParamSpec("_P")
_LOG: Final = Log("groundtypes.integrations.telemetry")
_SCOPE: Final = "groundtypes"
_MAX_SPANS: Final = 1024
_MAX_CALLS: Final = 1024
#: Unit and description of each counter.
_COUNTERS: Final = {
    "verdicts": ("{verdict}", "Verdicts of checks."),
    "faults": ("{fault}", "Faults of answers, by field and slug."),
    "reasks": ("{reask}", "Answers for which an LLM was asked again, because of faults."),
    "engine.questions": ("{question}", "Questions that were sent to engines."),
    "cache.hits": ("{question}", "Questions whose results were remembered."),
}
#: The functions whose failure has been logged as a warning.
_warned: Final[set[str]] = set()


def guarded(function: Callable[_P, object]) -> Callable[_P, None]:
    """Return a function that does the same, but raises no `Exception`: an answer must not fail.

    The first failure is logged as a warning, others for debugging. The message has the kind of the
    error alone, because its text may have been made from an attribute.
    """

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 # providers, processors and exporters may raise anything
            name = function.__qualname__
            log = _LOG.debug if name in _warned else _LOG.warning
            _warned.add(name)
            log("Telemetry failed in %s: %s", name, type(error).__name__)

    return call


class LLMCall(NamedTuple):
    """A call of an LLM that has ended: the context of its span, and the id of its response."""

    context: trace.SpanContext
    response_id: str


class LLMSpans:
    """The spans of the LLM calls that ended last, by the id of their response.

    The instrumentation of a client ends its span when the response is there, before anybody
    validates what it says. An event belongs to that span, so its context is remembered. Under the
    span of an agent, which makes one call after the other, the call that is judged is the last one;
    elsewhere calls may run at the same time, and nothing but the id tells them apart.
    """

    def __init__(self) -> None:
        self._by_id: BoundedCache[str, LLMCall] = BoundedCache(_MAX_SPANS)
        self._last: BoundedCache[tuple[int, int], LLMCall] = BoundedCache(_MAX_SPANS)

    def find(self, response_id: str | None, agent: tuple[int, int] | None) -> LLMCall | None:
        """Return the call with this response, or the last one under an agent's trace and span."""
        if response_id is not None:
            return self._by_id.get(response_id)
        return None if agent is None else self._last.get(agent)

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

    @guarded
    def listen(self, provider: Any) -> None:
        """Remember the spans of a provider of the SDK, since the API has no processors."""
        if not hasattr(provider, "add_span_processor"):
            return
        from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor  # noqa: PLC0415 # it is there

        spans = self

        class Processor(SpanProcessor):
            def on_end(self, span: ReadableSpan) -> None:
                spans.remember(span)

        provider.add_span_processor(Processor())


#: The spans of each provider, which gets one processor however often it is instrumented.
_spans_of_providers: Final[WeakKeyDictionary[Any, LLMSpans]] = WeakKeyDictionary()


def _spans_of(provider: Any) -> LLMSpans:
    spans = _spans_of_providers.get(provider)
    if spans is None:
        new = LLMSpans()
        spans = _spans_of_providers.setdefault(provider, new)
        if spans is new:
            spans.listen(provider)
    return spans


class Emitter:
    """Emits telemetry to the given providers, by default to the global ones.

    The global providers may be set later: until then the API's own proxies emit nothing. The
    options are those of `instrument`, which documents them.
    """

    def __init__(
        self,
        tracer_provider: Any = None,
        logger_provider: Any = None,
        meter_provider: Any = None,
        *,
        explanations: bool = False,
        span_events: bool | None = None,
    ) -> None:
        self.explanations = explanations
        self._span_events = span_events
        self.tracer: Any = trace.get_tracer(_SCOPE, __version__, tracer_provider)
        self.logger: Any = _logs.get_logger(_SCOPE, __version__, logger_provider)
        meter = metrics.get_meter(_SCOPE, __version__, meter_provider)
        self._counters = {
            name: meter.create_counter(f"groundtypes.{name}", unit=unit, description=description)
            for name, (unit, description) in _COUNTERS.items()
        }
        self.seconds: Any = meter.create_histogram(
            "groundtypes.engine.duration", unit="s", description="Time of the calls of engines."
        )
        #: Whether the last answer to a model was at fault, by the call of an LLM that it is of. A
        #: validation alone does not say that it is of a re-ask: a program may validate a thousand
        #: stored answers one after the other.
        self.was_faulty = BoundedCache[tuple[Hashable, str], bool](_MAX_CALLS)
        self.llm_spans = LLMSpans()
        self._tracers = tracer_provider
        self._loggers = logger_provider
        self._meters = meter_provider
        self.is_heard()  # the spans of LLM calls are listened to from now on

    def count(self, counter: str, number: int, attributes: Mapping[str, str]) -> None:
        """Add to a counter. The values of all attributes are few: they are in the program."""
        self._counters[counter].add(number, attributes)

    def is_heard(self) -> bool:
        """Return whether any provider is a real one; if not, nothing need be prepared."""
        tracers = self._tracers or trace.get_tracer_provider()
        if _is_real(tracers):
            self.llm_spans = _spans_of(tracers)
            return True
        return _is_real(self._loggers or _logs.get_logger_provider()) or _is_real(
            self._meters or metrics.get_meter_provider()
        )

    def takes_records(self) -> bool:
        """Return whether anybody takes log records."""
        if hasattr(self.logger, "enabled"):
            return bool(self.logger.enabled(event_name=EVENT_NAME))
        # Before version 1.45 of the API, only the kind of the provider says so.
        return _is_real(self._loggers or _logs.get_logger_provider())

    def takes_span_events(self) -> bool:
        """Return whether events are added to spans, too: by default where no records are taken."""
        return not self.takes_records() if self._span_events is None else self._span_events

    def emits_events(self, span: Any) -> bool:
        """Return whether anybody takes events: as records, or on this span."""
        return self.takes_records() or (self.takes_span_events() and span.is_recording())


def _is_real(provider: object) -> bool:
    """Return whether a provider is none of those that the API itself has, which emit nothing."""
    return not type(provider).__name__.lstrip("_").startswith(("Proxy", "NoOp"))
