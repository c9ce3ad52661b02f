"""What telemetry has emitted into memory, through the real SDK."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from opentelemetry.sdk._logs import LoggerProvider, LogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

NAME: Final = "gen_ai.evaluation.name"
LABEL: Final = "gen_ai.evaluation.score.label"
SCORE: Final = "gen_ai.evaluation.score.value"
EXPLANATION: Final = "gen_ai.evaluation.explanation"
RESPONSE: Final = "gen_ai.response.id"
EVENT: Final = "gen_ai.evaluation.result"


class Records(LogRecordProcessor):
    """Keeps log records in memory; the name of the SDK's own exporter changed in version 1.39."""

    def __init__(self) -> None:
        self.records: list[Any] = []

    def on_emit(self, log_record: Any) -> None:
        self.records.append(log_record.log_record)

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True


@dataclass
class Emitted:
    """Providers of the SDK, and what they were given."""

    spans_in_memory: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    records: Records = field(default_factory=Records)
    reader: InMemoryMetricReader = field(default_factory=InMemoryMetricReader)
    tracers: TracerProvider = field(default_factory=TracerProvider)
    loggers: LoggerProvider = field(default_factory=LoggerProvider)

    def __post_init__(self) -> None:
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans_in_memory))
        self.loggers.add_log_record_processor(self.records)
        self.meters = MeterProvider([self.reader])
        self.tracer = self.tracers.get_tracer("the program")

    @property
    def providers(self) -> dict[str, Any]:
        """The arguments of `instrument`."""
        return {
            "tracer_provider": self.tracers,
            "logger_provider": self.loggers,
            "meter_provider": self.meters,
        }

    @property
    def spans(self) -> list[ReadableSpan]:
        """All spans that have ended, the first one first."""
        return list(self.spans_in_memory.get_finished_spans())

    def span(self, name: str) -> ReadableSpan:
        """Return the only span of this name."""
        [span] = [span for span in self.spans if span.name == name]
        return span

    @property
    def events(self) -> list[Any]:
        """The records of evaluation events."""
        return [record for record in self.records.records if record.event_name == EVENT]

    def attributes(self) -> list[dict[str, Any]]:
        """Return the attributes of the events."""
        return [dict(event.attributes) for event in self.events]

    def verdicts(self) -> list[tuple[Any, ...]]:
        """Return the name, the label and the slug of each event."""
        return [
            (each[NAME], each.get(LABEL), each.get("groundtypes.slug"))
            for each in self.attributes()
        ]

    def parents(self) -> list[str | None]:
        """Return the names of the spans that the events belong to."""
        names = {span.context.span_id: span.name for span in self.spans if span.context}
        return [names.get(event.span_id) for event in self.events]

    def metric(self, name: str) -> dict[frozenset[tuple[str, Any]], Any]:
        """Return the value of each series of a metric, or its sum; none if nothing was counted."""
        data = self.reader.get_metrics_data()
        points = [
            point
            for resource in (data.resource_metrics if data is not None else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]
        return {
            frozenset((point.attributes or {}).items()): getattr(point, "value", None)
            or getattr(point, "sum", None)
            for point in points
        }

    def counted(self, name: str) -> Any:
        """Return the sum of all series of a metric."""
        return sum(self.metric(name).values())

    def text(self) -> str:
        """Return everything that was emitted, as text."""
        data = self.reader.get_metrics_data()
        parts = [span.to_json() for span in self.spans]
        parts += [f"{record.body!r} {dict(record.attributes)!r}" for record in self.events]
        return "\n".join([*parts, "" if data is None else data.to_json()])


def series(**attributes: Any) -> frozenset[tuple[str, Any]]:
    """Return the key of a series, given short names for those of its attributes."""
    names: Mapping[str, str] = {
        "check": NAME,
        "label": LABEL,
        "model": "gen_ai.evaluation.target",
        "field": "groundtypes.field",
        "slug": "groundtypes.slug",
        "engine": "groundtypes.engine",
        "cache": "groundtypes.cache",
        "error": "error.type",
    }
    return frozenset((names[name], value) for name, value in attributes.items())
