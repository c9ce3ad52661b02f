"""The observer that makes telemetry of what it is told: a run as a span, its verdicts as events."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry._logs import SeverityNumber

from groundtypes.backends.observing import ObservedLedger, ObservedRun, Operation, Watch
from groundtypes.errors import Mistake
from groundtypes.integrations.telemetry.emitter import Emitter, guarded
from groundtypes.integrations.telemetry.events import (
    EVENT_NAME,
    Event,
    Judged,
    code_text,
    common_attributes,
    error_events,
    judged_schema,
    judged_verdicts,
    model_name,
    verdict_event,
)
from groundtypes.integrations.telemetry.judged_calls import (
    LLM_CALL,
    Stage,
    agent_span,
    current_response_id,
    current_stage,
)

#: The most events of one run, which a hostile answer could make many of; metrics count all.
_MAX_EVENTS: Final = 10_000
_MAX_SLUGS: Final = 20
#: What judges once more what has been judged: its verdicts have been told.
_JUDGED_BEFORE: Final = frozenset({"best_attempt", "keep_valid"})
#: What judges one answer, which may be the next one to the same question.
_OF_ONE_ANSWER: Final = frozenset({"validate", "verify", "audit"})


class TelemetryObserver:
    """Emits spans, events and metrics; called from many threads at once."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def watch(
        self, operation: Operation, ledger: ObservedLedger, runs: Sequence[ObservedRun]
    ) -> AbstractContextManager[Watch]:
        """Return a block in which the answers are validated."""
        try:
            heard = self._emitter.is_heard()
        except Exception:  # noqa: BLE001 # a provider may raise anything
            heard = False
        return RunWatch(self._emitter, operation, ledger, runs) if heard else _UNHEARD

    @guarded
    def engine_called(
        self, engine: str, questions: int, seconds: float, mistake: BaseException | None
    ) -> None:
        """Count one call of an engine."""
        error = None if mistake is None else code_text(type(mistake).__name__)
        self._emitter.metrics.count_call(code_text(engine), questions, seconds, error)

    @guarded
    def cache_hits(self, cache: str, count: int) -> None:
        """Count questions whose results a cache had."""
        self._emitter.metrics.count_hits(cache, count)


class _UnheardWatch:
    """The watch of a run of which nobody would hear."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def judged(self) -> None:
        return None


_UNHEARD: Final = _UnheardWatch()


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
        #: The context of the events: they belong to what is judged, as the conventions want it, so
        #: to the span that is active, and to the run's own span only where there is no other.
        self._context: Any = None
        self._agent: tuple[int, int] | None = None
        self._call: Any = None
        self._verdicts = 0
        self._tokens = 0
        self._slugs: dict[str, None] = {}
        self._faults = 0
        self._is_reask = False
        self._events_left = _MAX_EVENTS
        self._stage = Stage.WHOLE

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace_: TracebackType | None,
    ) -> None:
        if error is None:
            self._tell_schema()
        self._tell_mistakes(error)
        self._describe(error)
        self._end()

    @guarded
    def judged(self) -> None:
        """Tell of the verdicts of all answers."""
        for number, run in enumerate(self._runs):
            if self._stage is Stage.WHOLE or run.error is not None:
                self._tell(number, run, list(judged_verdicts(run)))

    @guarded
    def _tell_schema(self) -> None:
        for number, run in enumerate(self._runs):
            if run.error is not None:
                self._tell(number, run, list(judged_schema(run, self._operation)))

    def _tell(self, number: int, run: ObservedRun, verdicts: list[Judged]) -> None:
        self._count(verdicts)
        if not verdicts or self._operation.name in _JUDGED_BEFORE or self._stage is Stage.DRAFT:
            return
        self._emitter.metrics.count_verdicts(verdicts, self._model)
        if not self._emitter.emits_events(self._span):
            return
        response_id, context = self._llm_call(run)
        common = self._common(number, response_id)
        explained = self._emitter.explanations
        events = (verdict_event(each, common, explained=explained) for each in verdicts)
        self._emit(islice(events, max(self._events_left, 0)), context)
        self._events_left -= len(verdicts)

    @guarded
    def _begin(self) -> None:
        self._model = model_name(self._operation.model)
        outer = otel_context.get_current()
        outer_span = trace.get_current_span(outer)
        self._context = outer
        agent = agent_span(outer_span)
        if self._operation.name == "validate":
            self._stage = current_stage()
            if self._stage is not Stage.WHOLE:
                return
            # A program that calls `verify` or `audit` may judge any answer, so that the last call
            # under the span is the one that is judged only where a framework validates.
            self._agent = agent
        if self._operation.name in _OF_ONE_ANSWER:
            # What the validations of one call of an LLM have in common.
            call = LLM_CALL.get()
            self._call = agent if call is None else call
            self._is_reask = self._emitter.reasks.is_reask(self._call, self._model)
            if self._is_reask:
                self._emitter.metrics.count_reask(self._model)
        name = f"{self._operation.name} {self._model}"
        self._span = self._emitter.tracer.start_span(name, context=outer)
        inner = trace.set_span_in_context(self._span, outer)
        if not outer_span.get_span_context().is_valid:
            self._context = inner
        self._token = otel_context.attach(inner)

    def _count(self, verdicts: list[Judged]) -> None:
        self._verdicts += len(verdicts)
        for each in verdicts:
            self._tokens += each.verdict.tokens or 0
            if not each.verdict.ok:
                self._faults += 1
                self._slugs.setdefault(each.slug or "")

    def _common(self, number: int, response_id: str | None) -> dict[str, Any]:
        many = len(self._runs) > 1 or self._operation.name.endswith("_many")
        row = self._operation.first_row + number if many else None
        return common_attributes(self._model, response_id, row)

    def _emit(self, events: Iterable[Event], context: Any) -> None:
        as_records = self._emitter.takes_records()
        as_span_events = self._emitter.takes_span_events()
        for event in events:
            if as_records:
                severity = SeverityNumber.WARN if event.is_error else SeverityNumber.INFO
                self._emitter.logger.emit(
                    context=context,
                    severity_number=severity,
                    body=event.body,
                    attributes=event.attributes,
                    event_name=EVENT_NAME,
                )
            if as_span_events:
                self._span.add_event(EVENT_NAME, event.attributes)

    def _llm_call(self, run: ObservedRun) -> tuple[str | None, Any]:
        response_id = current_response_id(run.context)
        call = self._emitter.llm_spans.find(response_id, self._agent)
        if call is None:
            return response_id, self._context
        span = trace.NonRecordingSpan(call.context)
        return call.response_id, trace.set_span_in_context(span, self._context)

    @guarded
    def _tell_mistakes(self, error: BaseException | None) -> None:
        if not self._emitter.emits_events(self._span):
            return
        for number, run in enumerate(self._runs):
            mistake = run.mistake if error is None else error
            if not isinstance(mistake, Mistake):
                continue
            response_id, context = self._llm_call(run)
            common = self._common(number, response_id)
            events = list(islice(error_events(run, common, mistake), max(self._events_left, 0)))
            self._events_left -= len(events)
            self._emit(events, context)

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
        if unjudged := sum(run.mistake is not None for run in self._runs):
            attributes["groundtypes.answers.unjudged"] = unjudged
        if self._is_reask:
            attributes["groundtypes.reask"] = True
        if self._events_left < 0:
            attributes["groundtypes.events.dropped"] = -self._events_left
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
