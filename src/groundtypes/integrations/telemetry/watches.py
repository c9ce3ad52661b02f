"""The observer that makes telemetry of what it is told: a run as a span, its verdicts as events."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
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
    CHECK,
    ERROR,
    EVENT_NAME,
    LABEL,
    MODEL,
    Judged,
    code_text,
    common_attributes,
    declared_fields,
    judged_schema,
    judged_verdicts,
    model_name,
    unjudged_attributes,
    verdict_attributes,
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
        attributes = {"groundtypes.engine": code_text(engine)}
        self._emitter.count("engine.questions", questions, attributes)
        error = {} if mistake is None else {ERROR: code_text(type(mistake).__name__)}
        self._emitter.seconds.record(seconds, {**attributes, **error})

    @guarded
    def cache_hits(self, cache: str, count: int) -> None:
        """Count questions whose results a cache had."""
        self._emitter.count("cache.hits", count, {"groundtypes.cache": cache})


class _UnheardWatch:
    """The watch of a run of which nobody would hear."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def judged(self) -> None:
        return None


_UNHEARD: Final = _UnheardWatch()


@dataclass(slots=True, eq=False)
class RunWatch:
    """A block in which answers are validated; none of its methods raises an `Exception`."""

    _emitter: Emitter
    _operation: Operation
    _ledger: ObservedLedger
    _runs: Sequence[ObservedRun]
    _model: str = "value"
    _span: Any = trace.INVALID_SPAN
    _token: Any = None
    #: The context of the events: they belong to what is judged, as the conventions want it, so
    #: to the span that is active, and to the run's own span only where there is no other.
    _context: Any = None
    _agent: tuple[int, int] | None = None
    _call: Any = None
    _verdicts: int = 0
    _tokens: int = 0
    _slugs: Counter[str] = field(default_factory=Counter)
    _is_reask: bool = False
    _events_left: int = _MAX_EVENTS
    _stage: Stage = Stage.WHOLE

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
        if self._token is not None:
            with suppress(Exception):
                otel_context.detach(self._token)
        self._end_span()

    @guarded
    def judged(self) -> None:
        """Tell of the verdicts of all answers."""
        for number, run in enumerate(self._runs):
            if self._stage is Stage.WHOLE or run.error is not None:
                self._tell(number, run, judged_verdicts(run))

    @guarded
    def _tell_schema(self) -> None:
        declared = cache(partial(declared_fields, self._operation.schema))
        for number, run in enumerate(self._runs):
            if run.error is not None:
                self._tell(number, run, judged_schema(run, self._model, declared))

    def _tell(self, number: int, run: ObservedRun, verdicts: list[Judged]) -> None:
        self._verdicts += len(verdicts)
        self._tokens += sum(each.verdict.tokens or 0 for each in verdicts)
        self._slugs.update(each.slug or "" for each in verdicts if not each.verdict.ok)
        if not verdicts or self._operation.name in _JUDGED_BEFORE or self._stage is Stage.DRAFT:
            return
        for (check, outcome), count in Counter((v.check, v.outcome) for v in verdicts).items():
            attributes = {CHECK: check, LABEL: outcome, MODEL: self._model}
            self._emitter.count("verdicts", count, attributes)
        faults = Counter((v.check, v.field, v.slug or "") for v in verdicts if not v.verdict.ok)
        for (check, name, slug), count in faults.items():
            attributes = {CHECK: check, "groundtypes.field": name, "groundtypes.slug": slug}
            self._emitter.count("faults", count, {MODEL: self._model, **attributes})
        explained = self._emitter.explanations
        self._emit(
            number,
            run,
            len(verdicts),
            (verdict_attributes(each, explained=explained) for each in verdicts),
        )

    @guarded
    def _tell_mistakes(self, error: BaseException | None) -> None:
        for number, run in enumerate(self._runs):
            mistake = run.mistake if error is None else error
            if isinstance(mistake, Mistake):
                events = list(islice(unjudged_attributes(run, mistake), max(self._events_left, 0)))
                self._emit(number, run, len(events), events)

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
            # What the validations of one call of an LLM have in common: the call of an instrumented
            # client of instructor, else the span of a generative AI operation.
            call = LLM_CALL.get()
            self._call = agent if call is None else call
            known = self._emitter.was_faulty.get((self._call, self._model))
            self._is_reask = self._call is not None and known is True
            if self._is_reask:
                self._emitter.count("reasks", 1, {MODEL: self._model})
        name = f"{self._operation.name} {self._model}"
        self._span = self._emitter.tracer.start_span(name, context=outer)
        inner = trace.set_span_in_context(self._span, outer)
        if not outer_span.get_span_context().is_valid:
            self._context = inner
        self._token = otel_context.attach(inner)

    def _emit(
        self, number: int, run: ObservedRun, count: int, events: Iterable[dict[str, Any]]
    ) -> None:
        """Emit events of an answer, given their attributes, as many as are left."""
        if not self._emitter.emits_events(self._span):
            return
        allowed = islice(events, max(self._events_left, 0))
        self._events_left -= count
        response_id = current_response_id(run.context)
        context = self._context
        call = self._emitter.llm_spans.find(response_id, self._agent)
        if call is not None:
            response_id = call.response_id
            context = trace.set_span_in_context(trace.NonRecordingSpan(call.context), context)
        many = len(self._runs) > 1 or self._operation.name.endswith("_many")
        row = self._operation.first_row + number if many else None
        common = common_attributes(self._model, response_id, row)
        as_records = self._emitter.takes_records()
        as_span_events = self._emitter.takes_span_events()
        for event in allowed:
            attributes = {**common, **event}
            error = event.get(ERROR)
            if as_records:
                self._emitter.logger.emit(
                    context=context,
                    severity_number=SeverityNumber.WARN if error else SeverityNumber.INFO,
                    body=f"{event[CHECK]} {f'not judged: {error}' if error else event[LABEL]}",
                    attributes=attributes,
                    event_name=EVENT_NAME,
                )
            if as_span_events:
                self._span.add_event(EVENT_NAME, attributes)

    @guarded
    def _describe(self, error: BaseException | None) -> None:
        faulty = sum(run.error is not None for run in self._runs)
        if self._call is not None:
            self._emitter.was_faulty.put((self._call, self._model), bool(faulty))
        if not self._span.is_recording():
            return
        ledger = self._ledger
        described: dict[str, Any] = {
            "operation": self._operation.name,
            "model": self._model,
            "answers": len(self._runs),
            "answers.faulty": faulty,
            "rounds": max((run.rounds for run in self._runs), default=0),
            "questions.asked": sum(ledger.asked.values()),
            "questions.cached": ledger.cached,
            "engines": [code_text(name) for name in ledger.asked],
            "engines.seconds": ledger.seconds,
            "tokens": self._tokens,
            "verdicts": self._verdicts,
            "faults": self._slugs.total(),
            "slugs": sorted(filter(None, self._slugs))[:_MAX_SLUGS],
        }
        if unjudged := sum(run.mistake is not None for run in self._runs):
            described["answers.unjudged"] = unjudged
        if self._is_reask:
            described["reask"] = True
        if self._events_left < 0:
            described["events.dropped"] = -self._events_left
        self._span.set_attributes({f"groundtypes.{name}": each for name, each in described.items()})
        if error is not None:
            kind = code_text(type(error).__name__)
            self._span.set_attribute(ERROR, kind)
            # No description: the message of a mistake may quote what a server has sent.
            if isinstance(error, Exception):
                self._span.set_status(trace.Status(trace.StatusCode.ERROR, kind))

    @guarded
    def _end_span(self) -> None:
        self._span.end()
