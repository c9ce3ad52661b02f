"""One call of an engine, whose outcome is results or a mistake, never a fault of an answer."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.errors import BackendError, BudgetError, Mistake
from groundtypes.logs import Log
from groundtypes.observing import current_observer
from groundtypes.redaction import redacted_cause
from groundtypes.scoring import LLM, InvalidScoresError

__all__ = ["Outcome", "call_engine"]

#: How the errors of clients that are no `OSError` are named where a service cannot be reached.
_OUTAGE: Final = re.compile(
    "Timeout|Connect|Transport|Unavailable|RateLimit|ReadError|WriteError|InternalServer"
)
#: Time-out, too many requests; beside them those from 500 on.
_OUTAGE_STATUSES: Final = frozenset({408, 429})
_MAX_CHAIN: Final = 20
_LOG: Final = Log(__name__)


@dataclass(slots=True)
class Outcome:
    """What a call of an engine gave.

    Attributes:
        results: One result for each question, in their order, if there is no mistake.
        mistake: Why there are no results.
        is_outage: Whether the same call would have failed with other questions, too.
    """

    results: Sequence[Any] = ()
    mistake: Mistake | None = None
    is_outage: bool = False


def call_engine(engine: Any, questions: list[Any]) -> Outcome:
    """Return the outcome of one call; what is no `Exception`, such as Ctrl-C, is raised."""
    name = type(engine).__name__
    started = time.perf_counter()
    outcome = _call(engine, name, questions)
    seconds = time.perf_counter() - started
    if (observer := current_observer()) is not None:
        observer.engine_called(name, len(questions), seconds, outcome.mistake)
    ended = "answered" if outcome.mistake is None else type(outcome.mistake).__name__
    _LOG.debug("%s, %d questions: %s in %.3f s", name, len(questions), ended, seconds)
    return outcome


def _call(engine: Any, name: str, questions: list[Any]) -> Outcome:
    try:
        results = (engine.answer if isinstance(engine, LLM) else engine.score)(questions)
    except Mistake as mistake:
        return Outcome(mistake=mistake, is_outage=_is_outage(mistake))
    except Exception as error:  # noqa: BLE001 # an engine may raise anything
        # Whatever an engine raises is an outage or a bug. A ValueError that got through here would
        # become a fault, and an LLM would be asked to fix a broken endpoint.
        # The message of any other error may hold a key or a text.
        reason = str(error) if isinstance(error, InvalidScoresError) else type(error).__name__
        failure = BackendError(f"{name} failed: {reason}")
        failure.__cause__ = redacted_cause(error)
        return Outcome(mistake=failure, is_outage=_is_outage(error))
    try:
        count = len(results)
    except TypeError as error:
        failure = BackendError(f"{name} returned {type(results).__name__}, not a sequence")
        failure.__cause__ = error
        return Outcome(mistake=failure)
    if count != len(questions):
        text = f"{name} returned {count} results for {len(questions)} questions"
        return Outcome(mistake=BackendError(text))
    return Outcome(results)


def _is_outage(error: BaseException) -> bool:
    """Return whether an error says that the engine, and no question in particular, is the cause."""
    for cause in _causes(error):
        if isinstance(cause, OSError | BudgetError) or _OUTAGE.search(type(cause).__name__):
            return True
        status = getattr(cause, "status_code", None)
        if isinstance(status, int) and (status in _OUTAGE_STATUSES or status >= 500):
            return True
    return False


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it was raised from."""
    for _ in range(_MAX_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
