"""See the verdicts on answers in traces: evaluation events, spans and metrics.

    pip install 'groundtypes[otel]' opentelemetry-sdk
    python cookbook/traced_answers.py

Here the SDK prints what it would send. With an OTLP exporter in place of the printers it goes to a
collector, to Logfire, Langfuse, Phoenix or MLflow; `docs/traces.md` says what to set.
"""

from typing import Annotated, Any

from opentelemetry.sdk._logs import LoggerProvider, LogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider

from groundtypes import Figures, Grounded, Quote, audit
from groundtypes.integrations.telemetry import for_response, instrument, uninstrument

REFERENCES = "A refund takes up to 10 working days. Shipping is not refunded."
#: Two replies, each with the id of the completion that it was read from.
REPLIES: dict[str, dict[str, Any]] = {
    "chatcmpl-1": {"quote": "Shipping is not refunded", "text": "It takes up to ten working days."},
    "chatcmpl-2": {"quote": "Shipping is refunded", "text": "It takes up to five days."},
}


class Reply(Grounded):
    """A reply to a customer."""

    quote: Quote
    text: Annotated[str, Figures()]


class SpanPrinter(SpanProcessor):
    """Prints each span when it ends."""

    def on_end(self, span: ReadableSpan) -> None:
        found = dict(span.attributes or {})
        faults = ", ".join(found.get("groundtypes.slugs", ()))  # type: ignore[arg-type] # texts
        print(f"span   {span.name}" + (f" ({faults})" if faults else ""))


class EventPrinter(LogRecordProcessor):
    """Prints each event."""

    def on_emit(self, log_record: Any) -> None:
        found = log_record.log_record.attributes
        print(f"event  {log_record.log_record.body} of {found['gen_ai.response.id']}:")
        for name in ("groundtypes.field", "groundtypes.slug", "gen_ai.evaluation.explanation"):
            if name in found:
                print(f"         {name}: {found[name]}")

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 # the SDK's own
        return True


def main() -> None:
    """Audit the replies under a span, as a request of a server would be."""
    tracers, loggers, reader = TracerProvider(), LoggerProvider(), InMemoryMetricReader()
    tracers.add_span_processor(SpanPrinter())
    loggers.add_log_record_processor(EventPrinter())
    instrument(
        explanations=True,  # they quote answers and references
        tracer_provider=tracers,
        logger_provider=loggers,
        meter_provider=MeterProvider([reader]),
    )
    with tracers.get_tracer("the shop").start_as_current_span("answer a customer"):
        for completion, reply in REPLIES.items():
            with for_response(completion):
                audit(Reply, reply, context={"references": REFERENCES})
    data = reader.get_metrics_data()
    for resource in data.resource_metrics if data is not None else ():
        for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
            points: Any = metric.data.data_points
            print(f"metric {metric.name}: {sum(point.value for point in points)}")
    uninstrument()


if __name__ == "__main__":
    main()
