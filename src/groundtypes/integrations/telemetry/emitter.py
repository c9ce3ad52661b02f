"""Where telemetry goes: a tracer, a logger and the instruments of a meter, with the options."""

from typing import Any, Final, NamedTuple

from opentelemetry import _logs, metrics, trace

from groundtypes import __version__
from groundtypes.integrations.telemetry.events import EVENT_NAME
from groundtypes.integrations.telemetry.llm_spans import LLMSpans, listen
from groundtypes.integrations.telemetry.metrics import Metrics
from groundtypes.integrations.telemetry.reasks import Reasks

_SCOPE: Final = "groundtypes"


class Options(NamedTuple):
    """The options of `instrument`, which documents them."""

    explanations: bool = False
    span_events: bool | None = None


class Emitter:
    """Emits telemetry to the given providers, by default to the global ones.

    The global providers may be set later: until then the API's own proxies emit nothing.
    """

    def __init__(
        self,
        options: Options,
        tracer_provider: Any = None,
        logger_provider: Any = None,
        meter_provider: Any = None,
    ) -> None:
        self.options = options
        self.tracer: Any = trace.get_tracer(_SCOPE, __version__, tracer_provider)
        self.logger: Any = _logs.get_logger(_SCOPE, __version__, logger_provider)
        self.metrics = Metrics(metrics.get_meter(_SCOPE, __version__, meter_provider))
        self.reasks = Reasks()
        self.llm_spans = LLMSpans()
        self._tracers = tracer_provider
        self._loggers = logger_provider
        self._meters = meter_provider
        self.is_heard()  # the spans of LLM calls are listened to from now on

    def is_heard(self) -> bool:
        """Return whether any provider is a real one; if not, nothing need be prepared."""
        tracers = self._tracers or trace.get_tracer_provider()
        if _is_real(tracers):
            self.llm_spans = listen(tracers)
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
        wanted = self.options.span_events
        return not self.takes_records() if wanted is None else wanted

    def emits_events(self, span: Any) -> bool:
        """Return whether anybody takes events: as records, or on this span."""
        return self.takes_records() or (self.takes_span_events() and span.is_recording())


def _is_real(provider: object) -> bool:
    """Return whether a provider is none of those that the API itself has, which emit nothing."""
    return not type(provider).__name__.lstrip("_").startswith(("Proxy", "NoOp"))
