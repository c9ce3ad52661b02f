"""Telemetry through OpenTelemetry: verdicts as evaluation events, spans of runs, and metrics.

`instrument()` switches it on; `pip install 'groundtypes[otel]'` brings the OpenTelemetry API that
it needs. Without an SDK that somebody has set up, nothing is emitted. How it works:

- Rounds, ledgers and engines tell the observer of `groundtypes.backends.observing`, if there is
  one, what they do. They do not know OpenTelemetry, which is imported by `instrument()` alone.
- Each run of answers becomes a span (`watches`). Each verdict becomes an event (`events`) of the
  span of the LLM call that is judged, else of the one that was active when the validation began.
- Nothing that fails here reaches an answer: it is logged once, and judging goes on.

No text of an answer or a reference is emitted unless `instrument(explanations=True)` asks for it.
"""

from groundtypes.integrations.telemetry.instrumentor import (
    GroundtypesInstrumentor,
    instrument,
    instrument_instructor,
    uninstrument,
)
from groundtypes.integrations.telemetry.judged_calls import for_response

__all__ = [
    "GroundtypesInstrumentor",
    "for_response",
    "instrument",
    "instrument_instructor",
    "uninstrument",
]
