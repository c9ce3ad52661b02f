"""One run of answers as a span, and its verdicts as events."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry._logs import SeverityNumber

from groundtypes.errors import Mistake
from groundtypes.observing import ObservedLedger, ObservedRun, Operation
from groundtypes.telemetry.emitter import Emitter
from groundtypes.telemetry.events import (
    EVENT_NAME,
    Event,
    Judged,
    common_attributes,
    error_events,
    judged_verdicts,
    verdict_event,
)
from groundtypes.telemetry.guarded import guarded
from groundtypes.telemetry.reasks import call_key
from groundtypes.telemetry.texts import code_text, model_name

__all__ = ["RunWatch"]

#: The most events of one run, which a hostile answer could make many of; metrics count all.
_MAX_EVENTS: Final = 2_000
_MAX_SLUGS: Final = 20
#: What judges once more what has been judged: its verdicts have been told.
_JUDGED_BEFORE: Final = frozenset({"best_attempt", "keep_valid"})


class RunWatch:
    """A block in which answers are validated; none of its methods raises an `Exception`."""

    def __init__(
        self,
        emitter: Emitter,
        operation: Operation,
        ledger: ObservedLedger,
        runs: Sequence[ObservedRun],
    ) -> None:
        self._emitter = emitter
        self._operation = operation
        self._ledger = ledger
        self._runs = runs
        self._model = "value"
        self._span: Any = trace.INVALID_SPAN
        self._token: Any = None
        #: The context of the events.
        self._context: Any = None
        self._call: Any = None
        self._verdicts = 0
        self._tokens = 0
        self._slugs: dict[str, None] = {}
        self._faults = 0
        self._is_reask = False

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace_: TracebackType | None,
    ) -> None:
        if error is not None:
            self._tell_error(error)
        self._describe(error)
        self._end()

    @guarded
    def judged(self) -> None:
        """Tell of the verdicts of all answers."""
        told = self._operation.name not in _JUDGED_BEFORE
        emits = told and self._emitter.emits_events(self._span)
        left = _MAX_EVENTS
        for number, run in enumerate(self._runs):
            verdicts = list(judged_verdicts(run, self._operation))
            self._count(verdicts)
            if told:
                self._emitter.metrics.count_verdicts(verdicts, self._model)
            if emits and left > 0:
                self._emit(islice(self._events(number, run, verdicts), left))
                left -= len(verdicts)

    @guarded
    def _begin(self) -> None:
        self._model = model_name(self._operation.model)
        outer = otel_context.get_current()
        outer_span = trace.get_current_span(outer)
        if self._operation.name == "validate":
            self._call = call_key(outer_span)
            self._is_reask = self._emitter.reasks.is_reask(self._call, self._model)
            if self._is_reask:
                self._emitter.metrics.count_reask(self._model)
        name = f"{self._operation.name} {self._model}"
        self._span = self._emitter.tracer.start_span(name, context=outer)
        inner = trace.set_span_in_context(self._span, outer)
        # An event belongs to the span of what is judged, as the conventions want it.
        self._context = outer if outer_span.get_span_context().is_valid else inner
        self._token = otel_context.attach(inner)

    def _count(self, verdicts: list[Judged]) -> None:
        self._verdicts += len(verdicts)
        for each in verdicts:
            self._tokens += each.verdict.tokens or 0
            if not each.verdict.ok:
                self._faults += 1
                self._slugs.setdefault(each.slug or "")

    def _events(self, number: int, run: ObservedRun, verdicts: list[Judged]) -> Iterator[Event]:
        common = common_attributes(run, self._operation, self._runs, number)
        explained = self._emitter.options.explanations
        return (verdict_event(each, common, explained=explained) for each in verdicts)

    def _emit(self, events: Iterator[Event]) -> None:
        as_records = self._emitter.takes_records()
        as_span_events = self._emitter.takes_span_events()
        for event in events:
            if as_records:
                severity = SeverityNumber.WARN if event.is_error else SeverityNumber.INFO
                self._emitter.logger.emit(
                    context=self._context,
                    severity_number=severity,
                    body=event.body,
                    attributes=event.attributes,
                    event_name=EVENT_NAME,
                )
            if as_span_events:
                self._span.add_event(EVENT_NAME, event.attributes)

    @guarded
    def _tell_error(self, error: BaseException) -> None:
        if not isinstance(error, Mistake) or not self._emitter.emits_events(self._span):
            return
        events = (
            event
            for number, run in enumerate(self._runs)
            for event in error_events(
                run, common_attributes(run, self._operation, self._runs, number), error
            )
        )
        self._emit(islice(events, _MAX_EVENTS))

    @guarded
    def _describe(self, error: BaseException | None) -> None:
        faulty = sum(run.error is not None for run in self._runs)
        self._emitter.reasks.end(self._call, self._model, faulty=bool(faulty))
        if not self._span.is_recording():
            return
        ledger = self._ledger
        attributes: dict[str, Any] = {
            "groundtypes.operation": self._operation.name,
            "groundtypes.model": self._model,
            "groundtypes.answers": len(self._runs),
            "groundtypes.answers.faulty": faulty,
            "groundtypes.rounds": max((run.rounds for run in self._runs), default=0),
            "groundtypes.questions.asked": sum(ledger.asked.values()),
            "groundtypes.questions.cached": ledger.cached,
            "groundtypes.engines": [code_text(name) for name in ledger.asked],
            "groundtypes.engines.seconds": ledger.seconds,
            "groundtypes.tokens": self._tokens,
            "groundtypes.verdicts": self._verdicts,
            "groundtypes.faults": self._faults,
            "groundtypes.slugs": sorted(filter(None, self._slugs))[:_MAX_SLUGS],
        }
        if self._is_reask:
            attributes["groundtypes.reask"] = True
        if error is not None:
            kind = code_text(type(error).__name__)
            attributes["error.type"] = kind
            # No description: the message of a mistake may quote what a server has sent.
            if isinstance(error, Exception):
                self._span.set_status(trace.Status(trace.StatusCode.ERROR, kind))
        self._span.set_attributes(attributes)

    def _end(self) -> None:
        if self._token is not None:
            with suppress(Exception):
                otel_context.detach(self._token)
        self._end_span()

    @guarded
    def _end_span(self) -> None:
        self._span.end()
