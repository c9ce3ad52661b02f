"""What the OTLP exporter sends to a collector on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from groundtypes import Grounded, Quote, audit
from groundtypes.integrations.telemetry import instrument, uninstrument
from tests.integrations.telemetry.answers import BAD, GOOD, Answer, context
from tests.integrations.telemetry.collector import Collector, values


@contextmanager
def exporting(collector: Collector, timeout: float = 10, **options: Any) -> Iterator[Any]:
    """Export to a collector, and flush at the end."""
    tracers, loggers = TracerProvider(), LoggerProvider()
    url = collector.url
    tracers.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(f"{url}/v1/traces", timeout=timeout))
    )
    loggers.add_log_record_processor(
        BatchLogRecordProcessor(OTLPLogExporter(f"{url}/v1/logs", timeout=timeout))
    )
    exporter = OTLPMetricExporter(f"{url}/v1/metrics", timeout=timeout)
    meters = MeterProvider([PeriodicExportingMetricReader(exporter, 60_000)])
    instrument(tracer_provider=tracers, logger_provider=loggers, meter_provider=meters, **options)
    try:
        yield tracers.get_tracer("the program")
    finally:
        uninstrument()
        for provider in (tracers, loggers, meters):
            provider.shutdown()


def test_spans_events_and_metrics_arrive_as_protobufs() -> None:
    with (
        Collector() as collector,
        exporting(collector) as tracer,
        tracer.start_as_current_span("request"),
    ):
        audit(Answer, GOOD, context=context(response_id="chatcmpl-1"))
        audit(Answer, BAD, context=context())
    spans = {span.name: span for span in collector.spans}
    assert spans.keys() == {"request", "audit Answer"}
    assert {span.trace_id for span in collector.spans} == {spans["request"].trace_id}
    found = values(spans["audit Answer"].attributes)
    assert found["groundtypes.slugs"] == ["contradicted", "quote_altered"]
    assert [record.event_name for record in collector.records] == ["gen_ai.evaluation.result"] * 4
    assert {record.span_id for record in collector.records} == {spans["request"].span_id}
    first = values(collector.records[0].attributes)
    assert first["gen_ai.evaluation.name"] == "Quoted"
    assert first["gen_ai.evaluation.score.value"] == 1.0
    assert first["gen_ai.evaluation.score.label"] == "pass"
    assert first["gen_ai.response.id"] == "chatcmpl-1"
    assert {metric.name for metric in collector.metrics} == {
        "groundtypes.verdicts",
        "groundtypes.faults",
        "groundtypes.engine.duration",
        "groundtypes.engine.questions",
    }
    assert "groundtypes" in collector.scopes


def test_hostile_texts_can_be_sent() -> None:
    class Text(Grounded):
        quote: Quote

    hostile = "\ud800 \x00 {braces} %s " * 500
    with Collector() as collector, exporting(collector, explanations=True):
        audit(Text, {"quote": hostile}, context={"references": hostile[:20] + " words more"})
        audit(Text, {"quote": hostile}, context=context(response_id=hostile))
    assert len(collector.records) == 2
    for record in collector.records:
        assert len(values(record.attributes)["gen_ai.evaluation.explanation"]) <= 2_000


@pytest.mark.parametrize("status", [400, 503])
def test_a_collector_that_refuses_everything_changes_no_answer(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with Collector(status) as collector, exporting(collector, timeout=1):
        assert audit(Answer, GOOD, context=context()).ok
    assert collector.records == []
    assert [record for record in caplog.records if record.name.startswith("groundtypes")] == []


def test_without_a_collector_answers_are_judged_all_the_same() -> None:
    with Collector() as collector:
        pass  # it is gone before anything is sent
    with exporting(collector, timeout=1):
        assert audit(Answer, GOOD, context=context()).ok
