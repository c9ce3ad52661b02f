"""What fails in telemetry reaches no answer, and no secret and no text of the user is emitted."""

import logging
from collections.abc import Callable
from typing import Annotated, Any, Final

import pytest
from opentelemetry.sdk._logs import LoggerProvider, LogRecordProcessor
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from pydantic import ValidationError

from groundtypes import Case, Check, Grounded, Judges, Quote, Verdict, audit, verify
from groundtypes.backends.redaction import learn, redact_pieces
from groundtypes.citations import audit_citations
from groundtypes.errors import BackendError
from groundtypes.integrations.telemetry import (
    emitter,
    for_response,
    instrument,
    instrument_instructor,
    uninstrument,
)
from groundtypes.testing import ScriptedNLI
from tests.integrations.instructor.clients import sync_client
from tests.integrations.telemetry.answers import BAD, GOOD, TOWER, Answer, DeadNLI, context
from tests.integrations.telemetry.emitted import EXPLANATION, Emitted
from tests.scripted_openai import ScriptedOpenAI


class Broken:
    """Whatever it is asked to do, it fails."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("canary")


class BrokenSpans(SpanProcessor):
    def on_start(self, span: Any, parent_context: Any = None) -> None:
        raise RuntimeError("canary")

    def on_end(self, span: ReadableSpan) -> None:
        raise RuntimeError("canary")


class BrokenRecords(LogRecordProcessor):
    def on_emit(self, log_record: Any) -> None:
        raise ValueError("canary")

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True


class BrokenExporter(SpanExporter):
    def export(self, spans: Any) -> SpanExportResult:
        raise ValueError("canary")


def _broken_spans() -> dict[str, Any]:
    tracers = TracerProvider()
    tracers.add_span_processor(BrokenSpans())
    return {"tracer_provider": tracers}


def _broken_exporter() -> dict[str, Any]:
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(BrokenExporter()))
    return {"tracer_provider": tracers}


def _broken_records() -> dict[str, Any]:
    loggers = LoggerProvider()
    loggers.add_log_record_processor(BrokenRecords())
    return {"logger_provider": loggers}


class _Provider:
    """A provider whose tracer, logger and meter are broken."""

    def get_tracer(self, *args: Any, **options: Any) -> Any:
        return Broken()

    def get_logger(self, *args: Any, **options: Any) -> Any:
        return Broken()

    def get_meter(self, *args: Any, **options: Any) -> Any:
        class Meter:
            def create_counter(self, *args: Any, **options: Any) -> Any:
                return Broken()

            create_histogram = create_counter

        return Meter()


FAILURES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "a processor of spans": _broken_spans,
    "an exporter of spans": _broken_exporter,
    "a processor of records": _broken_records,
    "a tracer": lambda: {"tracer_provider": _Provider()},
    "a logger": lambda: {"logger_provider": _Provider()},
    "a meter": lambda: {"meter_provider": _Provider()},
    "all of them": lambda: {
        f"{name}_provider": _Provider() for name in ("tracer", "logger", "meter")
    },
}


@pytest.mark.parametrize("failure", FAILURES)
def test_what_fails_in_telemetry_changes_no_answer(
    failure: str, caplog: pytest.LogCaptureFixture
) -> None:
    emitter._warned.clear()
    instrument(**FAILURES[failure]())
    try:
        for _ in range(2):
            assert audit(Answer, GOOD, context=context()).ok
            with pytest.raises(ValidationError) as raised:
                verify(Answer, BAD, context=context())
            assert raised.value.error_count() == 2
            with pytest.raises(BackendError) as mistake:
                verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI())))
            assert "canary" not in str(mistake.value)
    finally:
        uninstrument()
    ours = [record for record in caplog.records if record.name.startswith("groundtypes")]
    # The SDK itself catches what an exporter raises, and logs it.
    assert bool(ours) is (failure != "an exporter of spans")
    assert all(record.levelno == logging.WARNING for record in ours)
    assert len({record.getMessage() for record in ours}) == len(ours), "each is logged once"
    assert all("canary" not in record.getMessage() for record in ours)


class Unhashable(TracerProvider):
    __hash__ = None  # type: ignore[assignment]


def test_a_provider_that_cannot_be_remembered_changes_no_answer() -> None:
    with pytest.raises(TypeError):
        instrument(tracer_provider=Unhashable())
    assert audit(Answer, GOOD, context=context()).ok


def test_a_response_whose_id_cannot_be_read_changes_no_answer(
    server: ScriptedOpenAI, emitted: Emitted
) -> None:
    with for_response(Broken()):
        assert verify(Answer, GOOD, context=context()).quote == "330 metres tall"
    with sync_client(server) as client:
        instrument_instructor(client)
    assert len(emitted.events) == 2


KEY: Final = "sk-canary-of-telemetry-0123456789"


class Repeating(Check):
    """A check of somebody else's that repeats a key wherever it can."""

    @property
    def name(self) -> str:
        return f"Repeating {KEY}"

    def judge(self, value: str, case: Case) -> Verdict:
        return self.fails(f"slug_{KEY}", f"message {KEY}", label=KEY, reason=KEY, score=0.5)


def test_no_secret_is_emitted(emitted: Emitted) -> None:
    learn(KEY)
    instrument(explanations=True, **emitted.providers)

    class Text(Grounded):
        text: Annotated[str, Repeating()]

    audit(Text, {"text": KEY}, context=context(response_id=f"chatcmpl-{KEY}"))
    with pytest.raises(BackendError):
        verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI()), response_id=KEY))
    assert len(emitted.events) == 2
    assert KEY not in emitted.text()
    assert "[redacted]" in emitted.text()


@pytest.mark.parametrize(
    "quote",
    [
        "The tower is 330 metres tall " + KEY,
        "The tower is 330 " + KEY[:-6],
        "The tower is 330 " + KEY[6:],
        KEY.upper() + " metres tall",
        "The tower \u0130 is 330 " + KEY,
    ],
    ids=["after the quote", "without its end", "without its beginning", "in capitals", "Turkish"],
)
def test_no_piece_of_a_secret_of_the_environment_is_emitted(
    emitted: Emitted, monkeypatch: pytest.MonkeyPatch, quote: str
) -> None:
    monkeypatch.setenv("CANARY_API_KEY", KEY)
    instrument(explanations=True, **emitted.providers)

    class Fact(Grounded):
        quote: Quote

    references = {"a": TOWER, "b": f"The tower is 330 metres {KEY}"}
    for text in (TOWER, references):
        audit(Fact, {"quote": quote}, context=context(references=text))
    explanations = [each.get(EXPLANATION, "").lower() for each in emitted.attributes()]
    assert any(explanations)
    pieces = {KEY[at : at + 8] for at in range(len(KEY) - 7)}
    assert not any(piece in text for piece in pieces for text in explanations)


def test_texts_without_pieces_of_secrets_are_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_API_KEY", KEY)
    for text in ("", "It is a telemet", "s\u0130x canary tele", "[redacted]", TOWER):
        assert redact_pieces(text) == text
    assert redact_pieces(f"a {KEY} b {KEY[:12]}{KEY[:12]}c") == "a [redacted] b [redacted]c"


def test_no_text_of_an_answer_a_reference_or_a_question_is_emitted(emitted: Emitted) -> None:
    data = {"quote": "canary one 331 metres tall", "text": "Canary two.", "canary three": "canary"}
    references = {"canary four": TOWER + " Canary five."}
    for _ in range(2):
        audit(Answer, data, context=context(references=references, question="canary six?"))
    assert len(emitted.events) == 6
    assert "canary" not in emitted.text().lower()


def test_no_id_of_a_cited_reference_is_emitted(emitted: Emitted) -> None:
    id_ = "https://canary.example.org/page?token=canary"
    citation = {"type": "char_location", "cited_text": TOWER, "document_index": 0}
    citation |= {"start_char_index": 0, "end_char_index": len(TOWER)}
    content = [{"type": "text", "text": "It is grey.", "citations": [citation]}]
    found = audit_citations({"content": content}, {id_: TOWER}, Judges(nli=ScriptedNLI()))
    [source, *_] = found.verdicts
    assert (source.check, source.ok, source.label) == ("source", True, "found")
    assert source.citations == (id_,)
    assert len(emitted.events) == len(found.verdicts)
    assert "canary" not in emitted.text()
