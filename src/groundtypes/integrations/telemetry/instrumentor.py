"""How telemetry is switched on: by a call, or by OpenTelemetry's automatic instrumentation.

It is no default, although the OpenTelemetry API is silent without an SDK: importing it takes longer
than importing groundtypes, and a program that exports telemetry for its own purposes has not asked
for ours.
"""

import os
from contextlib import ExitStack
from typing import Any, TypeVar

from groundtypes.backends.observing import current_observer, set_observer
from groundtypes.errors import ContextError
from groundtypes.integrations.instructor import add_hooks, is_client, listen
from groundtypes.integrations.telemetry.judged_calls import (
    LLM_CALL,
    for_response,
    set_response_id,
)

_C = TypeVar("_C")


def instrument(
    *,
    explanations: bool = False,
    span_events: bool | None = None,
    tracer_provider: Any = None,
    logger_provider: Any = None,
    meter_provider: Any = None,
) -> None:
    """Emit verdicts, runs and metrics through OpenTelemetry from now on, in this process.

    It may be called before or after the providers are set up; another call replaces the options.

    Args:
        explanations: Emit `gen_ai.evaluation.explanation`: messages of faults and reasons of
            judges, which quote answers and references.
        span_events: Add each event to the span of its run, too, for services that take traces
            but no logs. By default, if no logs are taken.
        tracer_provider: Where spans go; by default the global provider.
        logger_provider: Where events go; by default the global provider.
        meter_provider: Where metrics go; by default the global provider.

    Raises:
        ImportError: The OpenTelemetry API is not installed, or is older than 1.38.
        TypeError: An option has no value that it can have; what was switched on stays as it was.
    """
    # A text such as "no" from a file of settings would count as true, and explanations quote.
    if not isinstance(explanations, bool):
        raise TypeError(f"explanations must be True or False, not {explanations!r}")
    if span_events is not None and not isinstance(span_events, bool):
        raise TypeError(f"span_events must be True, False or None, not {span_events!r}")
    _check_provider("tracer_provider", tracer_provider, "get_tracer")
    _check_provider("logger_provider", logger_provider, "get_logger")
    _check_provider("meter_provider", meter_provider, "get_meter")
    try:
        from groundtypes.integrations.telemetry.emitter import Emitter  # noqa: PLC0415 # an extra
        from groundtypes.integrations.telemetry.watches import TelemetryObserver  # noqa: PLC0415 # an extra
    except ImportError as error:
        raise ImportError(
            "Telemetry needs opentelemetry-api 1.38 or newer: pip install 'groundtypes[otel]'"
        ) from error
    emitter = Emitter(
        tracer_provider,
        logger_provider,
        meter_provider,
        explanations=explanations,
        span_events=span_events,
    )
    set_observer(TelemetryObserver(emitter))


def _check_provider(option: str, provider: object, method: str) -> None:
    if provider is not None and not callable(getattr(provider, method, None)):
        raise TypeError(
            f"{option} is an object of type {type(provider).__name__} without {method}; "
            "pass a provider of the OpenTelemetry SDK, or None for the global one"
        )


def uninstrument() -> None:
    """Emit nothing any more; runs that are under way are emitted to their end."""
    set_observer(None)


class GroundtypesInstrumentor:
    """What `opentelemetry-instrument` calls; in a program, `instrument()` does the same.

    It is found by the entry point `opentelemetry_instrumentor`, and derives from no class of
    OpenTelemetry, so that only the API is needed.
    """

    def instrument(self, **options: Any) -> None:
        """Switch telemetry on.

        What is not among the options is read from the environment: `GROUNDTYPES_OTEL_EXPLANATIONS`
        and `GROUNDTYPES_OTEL_SPAN_EVENTS`, each "true" or "false". Options other than those of
        `instrument`, such as `skip_dep_check`, are ignored.
        """
        known = instrument.__kwdefaults__ or {}
        chosen = {name: value for name, value in options.items() if name in known}
        for name in ("explanations", "span_events"):
            value = os.environ.get(f"GROUNDTYPES_OTEL_{name.upper()}", "").strip().lower()
            if value in ("true", "false"):
                chosen.setdefault(name, value == "true")
        instrument(**chosen)

    def uninstrument(self, **_options: Any) -> None:
        """Switch telemetry off."""
        uninstrument()


def instrument_instructor(client: _C) -> _C:
    """Have the events of this client's answers name their completion; return the client.

    They get `gen_ai.response.id`, and re-asks are counted. The client may be synchronous or
    asynchronous; streams of partial answers have no completion to name.

    Raises:
        ContextError: This is no instructor client.
    """
    if not is_client(client):
        raise ContextError(
            f"{type(client).__name__} is not an instructor client. Make one by "
            "instructor.from_provider(...) or instructor.from_openai(...), and pass that."
        )
    listen(client, _instrumented)
    return client


class _InstrumentedCall:
    """One call of a client, whose validations belong to it and to its latest completion.

    instructor validates a completion inside of its call, when the span of the request has ended. A
    hook of each call sets a context variable, which the end of the call restores.
    """

    def __init__(self) -> None:
        self._token = LLM_CALL.set(object())
        self._response = ExitStack()
        self._response.enter_context(for_response(None))

    def returned(self, value: Any) -> None:  # noqa: ARG002 # either way it has ended
        self._response.close()
        LLM_CALL.reset(self._token)

    raised = returned


def _instrumented(options: dict[str, Any]) -> _InstrumentedCall | None:
    observed = current_observer() is not None
    if observed and add_hooks(options, {"completion:response": set_response_id}):
        return _InstrumentedCall()
    return None
