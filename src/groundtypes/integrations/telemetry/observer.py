"""The observer that makes telemetry of what it is told."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final, Self

from groundtypes.backends.observing import ObservedLedger, ObservedRun, Operation, Watch
from groundtypes.integrations.telemetry.emitter import Emitter
from groundtypes.integrations.telemetry.guarded import guarded
from groundtypes.integrations.telemetry.texts import code_text
from groundtypes.integrations.telemetry.watches import RunWatch


class _Nothing:
    """The watch of a run of which nobody would hear."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def judged(self) -> None:
        """Do nothing."""


_NOTHING: Final = _Nothing()


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
        return RunWatch(self._emitter, operation, ledger, runs) if heard else _NOTHING

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
