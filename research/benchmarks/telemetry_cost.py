"""What telemetry costs: nothing while it is off, and so many microseconds a verdict while it is on.

    python -m benchmarks.telemetry_cost [--quotes 50] [--rounds 300] [--json FILE]

Answers with quotes are verified: with telemetry off; switched on without an SDK, as in a program
that has not set one up; and with the SDK, whose processors put spans and events into memory, as
its batch processors do, with and without explanations. The ways take turns, and their processor
time is taken, so that a busy machine changes little. What is shown are medians, and the medians of
the differences from telemetry that is off, for each verdict. What an exporter does in its own
thread is not measured.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from opentelemetry.sdk._logs import LoggerProvider, LogRecordProcessor, ReadWriteLogRecord
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider

from benchmarks import machine
from benchmarks.overhead import answer_of
from benchmarks.texts import SIZES, text_of
from groundtypes import verify
from groundtypes.integrations.telemetry import instrument, uninstrument
from groundtypes.models import CitedAnswer


class SpanQueue(SpanProcessor):
    """Keeps what has ended, like the queue of a batch processor."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


class RecordQueue(LogRecordProcessor):
    """Keeps what was emitted, like the queue of a batch processor."""

    def __init__(self) -> None:
        self.records: list[ReadWriteLogRecord] = []

    def on_emit(self, log_record: ReadWriteLogRecord) -> None:
        self.records.append(log_record)

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 # the SDK's signature
        return True


def measure(count: int, size: str, rounds: int) -> dict[str, dict[str, float]]:
    """Return for each way the milliseconds of an answer and the microseconds for a verdict."""
    answer = answer_of(SIZES[size], count)
    context = {"references": text_of(SIZES[size])}
    spans, records = SpanQueue(), RecordQueue()
    tracers, loggers = TracerProvider(), LoggerProvider()
    tracers.add_span_processor(spans)
    loggers.add_log_record_processor(records)
    sdk: dict[str, Any] = {
        "tracer_provider": tracers,
        "logger_provider": loggers,
        "meter_provider": MeterProvider([InMemoryMetricReader()]),
    }
    ways: dict[str, Callable[[], None]] = {
        "off": uninstrument,
        "on, no SDK": instrument,
        "on, SDK": lambda: instrument(**sdk),
        "on, SDK, explanations": lambda: instrument(explanations=True, **sdk),
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    calls = max(1, 50 // count)  # switching fills the caches of the processor with other things
    for number in range(rounds + 10):  # the first ones fill caches
        for way, switch in ways.items():
            switch()
            spans.spans.clear()
            records.records.clear()
            started = time.process_time()
            for _ in range(calls):
                verify(CitedAnswer, answer, context=context)
            if number >= 10:
                times[way].append((time.process_time() - started) / calls)
            assert len(records.records) == (calls * count if way.startswith("on, SDK") else 0)
    uninstrument()
    found = {}
    for way, measured in times.items():
        extra = [one - off for one, off in zip(measured, times["off"], strict=True)]
        found[way] = {
            "milliseconds": statistics.median(measured) * 1e3,
            "microseconds_a_verdict": statistics.median(extra) * 1e6 / count,
        }
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quotes", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--size", choices=list(SIZES), default="50k")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe()
    print(machine.show(described))
    report: dict[str, Any] = {"machine": described}
    for count in options.quotes:
        found = report[f"{count} quotes"] = measure(count, options.size, options.rounds)
        print(f"\n`verify` of an answer with {count} quotes, medians of {options.rounds} rounds:\n")
        print("| telemetry | ms an answer | extra µs a verdict |\n|---|---|---|")
        for way, figures in found.items():
            extra = figures["microseconds_a_verdict"]
            print(f"| {way} | {figures['milliseconds']:.3f} | {extra:.1f} |")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
