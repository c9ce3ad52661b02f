"""Telemetry is off until it is switched on, and silent until somebody sets up an SDK."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from opentelemetry.instrumentation import distro
from opentelemetry.sdk._logs import LoggerProvider

from groundtypes import audit
from groundtypes.backends import observing
from groundtypes.integrations.telemetry import GroundtypesInstrumentor, instrument, uninstrument
from tests.integrations.telemetry.answers import BAD, GOOD, Answer, context
from tests.integrations.telemetry.emitted import EXPLANATION, Emitted, Records


def output(program: str, *options: str) -> list[str]:
    """Return the lines that a new Python process prints."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


JUDGE = """
import sys
from groundtypes import Grounded, Quote, audit
class Answer(Grounded):
    quote: Quote
def judge():
    return audit(Answer, {"quote": "It is tall"}, context={"references": "It is tall."}).ok
def loaded(name):
    return any(module.partition(".")[0] == name for module in sys.modules)
"""


def test_judging_loads_neither_opentelemetry_nor_logging() -> None:
    program = JUDGE + "print(judge(), loaded('opentelemetry'), loaded('logging'))"
    assert output(program) == ["True False False"]


def test_importing_telemetry_does_not_load_opentelemetry() -> None:
    program = JUDGE + "import groundtypes.integrations.telemetry\nprint(loaded('opentelemetry'))"
    assert output(program) == ["False"]


def test_without_an_sdk_nothing_is_emitted_and_none_is_loaded() -> None:
    program = JUDGE + (
        "import groundtypes.integrations.telemetry\n"
        "groundtypes.integrations.telemetry.instrument()\n"
        "print(judge(), 'opentelemetry.sdk' in sys.modules)\n"
        "from groundtypes.backends.observing import current_observer\n"
        "print(type(current_observer().watch(None, None, ())).__name__)"
    )
    assert output(program) == ["True False", "_UnheardWatch"]


def test_the_global_providers_may_be_set_up_later() -> None:
    program = JUDGE + (
        "import groundtypes.integrations.telemetry\n"
        "groundtypes.integrations.telemetry.instrument()\n"
        "judge()\n"
        "from opentelemetry import trace, _logs\n"
        "from opentelemetry.sdk.trace import TracerProvider\n"
        "from opentelemetry.sdk._logs import LoggerProvider\n"
        "from tests.integrations.telemetry.emitted import Emitted\n"
        "emitted = Emitted()\n"
        "trace.set_tracer_provider(emitted.tracers)\n"
        "_logs.set_logger_provider(emitted.loggers)\n"
        "judge()\n"
        "print(len(emitted.spans), len(emitted.events))"
    )
    assert output(program) == ["1 1"]


def test_without_the_api_the_error_names_what_to_install() -> None:
    program = (
        "import sys\n"
        "sys.modules['opentelemetry'] = None\n"
        "from groundtypes.integrations.telemetry import instrument, for_response\n"
        "with for_response('chatcmpl-1'): pass\n"
        "try:\n"
        "    instrument()\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    [line] = output(program)
    assert "pip install 'groundtypes[otel]'" in line


def test_it_is_off_again_after_uninstrument(emitted: Emitted) -> None:
    audit(Answer, GOOD, context=context())
    uninstrument()
    audit(Answer, GOOD, context=context())
    assert len(emitted.events) == 2
    assert observing.current_observer() is None


def test_switching_on_once_more_leaves_nothing_behind(emitted: Emitted) -> None:
    processors = emitted.tracers._active_span_processor._span_processors
    for _ in range(10):
        instrument(**emitted.providers)
    assert emitted.tracers._active_span_processor._span_processors == processors
    audit(Answer, GOOD, context=context())
    assert len(emitted.events) == 2


def test_the_entry_point_is_what_automatic_instrumentation_loads() -> None:
    point = EntryPoint(
        "groundtypes",
        "groundtypes.integrations.telemetry:GroundtypesInstrumentor",
        "opentelemetry_instrumentor",
    )
    loader: Any = distro  # its types hide the class
    loader.DefaultDistro().load_instrumentor(point, skip_dep_check=True)
    try:
        assert observing.current_observer() is not None
    finally:
        GroundtypesInstrumentor().uninstrument()
    assert observing.current_observer() is None


@pytest.mark.parametrize(("value", "wanted"), [("true", 2), ("False", 0), ("", 0), ("what", 0)])
def test_automatic_instrumentation_reads_its_options_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, value: str, wanted: int
) -> None:
    for name in ("EXPLANATIONS", "SPAN_EVENTS"):
        monkeypatch.setenv(f"GROUNDTYPES_OTEL_{name}", value)
    emitted = Emitted()
    GroundtypesInstrumentor().instrument(skip_dep_check=True, **emitted.providers)
    try:
        audit(Answer, BAD, context=context())
    finally:
        GroundtypesInstrumentor().uninstrument()
    assert len(emitted.span("audit Answer").events) == wanted
    assert sum(EXPLANATION in each for each in emitted.attributes()) == wanted


@pytest.mark.parametrize("option", ["explanations", "span_events"])
@pytest.mark.parametrize("value", ["no", "false", 1, 0, [], ""])
def test_a_flag_that_is_no_bool_is_refused_and_nothing_is_switched(
    emitted: Emitted, option: str, value: Any
) -> None:
    options = {**emitted.providers, option: value}
    with pytest.raises(TypeError, match=f"^{option} must be True"):
        instrument(**options)
    audit(Answer, BAD, context=context())
    assert len(emitted.events) == 2
    assert not any(EXPLANATION in each for each in emitted.attributes())


@pytest.mark.parametrize("option", ["tracer_provider", "logger_provider", "meter_provider"])
@pytest.mark.parametrize("value", [5, "x", object()], ids=["a number", "a text", "an object"])
def test_what_is_no_provider_is_refused_by_the_name_of_its_option(option: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{option} is an object of type {type(value).__name__}"):
        instrument(**{option: value})
    assert observing.current_observer() is None


def test_without_a_logger_provider_events_are_added_to_the_span() -> None:
    emitted = Emitted()
    instrument(tracer_provider=emitted.tracers)
    try:
        audit(Answer, BAD, context=context())
    finally:
        uninstrument()
    span = emitted.span("audit Answer")
    assert [event.name for event in span.events] == ["gen_ai.evaluation.result"] * 2
    assert dict(span.events[0].attributes or {})["groundtypes.slug"] == "quote_altered"


@pytest.mark.parametrize(("wanted", "count"), [(True, 2), (False, 0), (None, 0)])
def test_with_one_they_are_added_if_that_is_wanted(wanted: bool | None, count: int) -> None:
    emitted = Emitted()
    instrument(span_events=wanted, **emitted.providers)
    try:
        audit(Answer, BAD, context=context())
    finally:
        uninstrument()
    assert len(emitted.events) == 2
    assert len(emitted.span("audit Answer").events) == count


def test_with_records_alone_there_are_events_and_no_spans() -> None:
    records, loggers = Records(), LoggerProvider()
    loggers.add_log_record_processor(records)
    instrument(logger_provider=loggers)
    try:
        audit(Answer, GOOD, context=context())
    finally:
        uninstrument()
    assert len(records.records) == 2
    assert {record.trace_id for record in records.records} == {0}
