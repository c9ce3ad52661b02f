"""One call of an engine, whose outcome is results or a mistake, never a fault of an answer.

What an error says is read from its whole chain, because clients wrap each other's errors. Only the
types and the status are shown: the words of a server may repeat a key.
"""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import iscoroutine
from typing import Any, Final

from groundtypes.backends.logs import Log
from groundtypes.backends.observing import current_observer
from groundtypes.backends.redaction import redacted_cause
from groundtypes.errors import BackendError, BudgetError, Mistake
from groundtypes.scoring import LLM, InvalidScoresError, NLIScores, Pair, Question, Reply

#: The most errors of a chain that are inspected, and the most types that a description names.
_MAX_CHAIN: Final = 20
_MAX_NAMES: Final = 4
#: How the errors of clients that are no `OSError` are named where a service cannot be reached.
_OUTAGE: Final = re.compile(
    "Timeout|Connect|Transport|Unavailable|RateLimit|ReadError|WriteError|InternalServer"
)
#: A key that is not valid, no money left, no such model or address, time-out, too many requests;
#: beside them those from 500 on.
_OUTAGE_STATUSES: Final = frozenset({401, 402, 404, 408, 429})


def error_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all errors that led to it."""
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        current = queue.pop(0)
        if current is None or id(current) in seen or len(seen) > _MAX_CHAIN:
            continue
        seen.add(id(current))
        yield current
        # instructor keeps the errors of its attempts.
        attempts = getattr(current, "failed_attempts", None) or []
        queue += [getattr(attempts[-1], "exception", None)] if attempts else []
        queue.append(current.__cause__)
        # A mistake in the context of an error was raised for a reason of its own.
        if not isinstance(current.__context__, Mistake):
            queue.append(current.__context__)


def status_code(error: BaseException) -> int | None:
    """Return the HTTP status that an error of a client holds, or `None`."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def is_outage(error: BaseException) -> bool:
    """Return whether an error says that the engine, and no question in particular, is the cause."""
    for cause in error_chain(error):
        status = status_code(cause)
        if isinstance(cause, OSError | BudgetError) or _OUTAGE.search(type(cause).__name__):
            return True
        if status is not None and (status in _OUTAGE_STATUSES or status >= 500):
            return True
    return False


def lacks_model(error: BaseException) -> bool:
    """Return whether a client was called without the name of a model, which it needs."""
    return any(
        isinstance(cause, TypeError) and "'model'" in str(cause) for cause in error_chain(error)
    )


def describe(error: BaseException) -> str:
    """Return the types of the errors in the chain and the status; nothing that the server sent."""
    names = list(dict.fromkeys(type(cause).__name__ for cause in error_chain(error)))
    codes = [code for cause in error_chain(error) if (code := status_code(cause)) is not None]
    status = f", status {codes[0]}" if codes else ""
    return f"{' from '.join(names[:_MAX_NAMES])}{status}"


_LOG: Final = Log(__name__)


@dataclass(slots=True)
class Outcome:
    """What a call of an engine gave: one result for each question in order, or a mistake."""

    results: Sequence[Any] = ()
    mistake: Mistake | None = None


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
        mistake.is_outage = mistake.is_outage or is_outage(mistake)
        return Outcome(mistake=mistake)
    except Exception as error:  # noqa: BLE001 # an engine may raise anything
        # Whatever an engine raises is an outage or a bug. A ValueError that got through here would
        # become a fault, and an LLM would be asked to fix a broken endpoint.
        # The message of any other error may hold a key or a text.
        reason = str(error) if isinstance(error, InvalidScoresError) else type(error).__name__
        failure = BackendError(f"{name} failed: {reason}")
        failure.__cause__ = redacted_cause(error)
        failure.is_outage = is_outage(error)
        return Outcome(mistake=failure)
    return _read_results(name, questions, results)


def _read_results(name: str, questions: list[Any], returned: Any) -> Outcome:
    if iscoroutine(returned):
        returned.close()  # nobody will await it
        text = f"{name} returned a coroutine, not a sequence: its method must not be async"
        return Outcome(mistake=BackendError(text))
    try:
        # A list, because another sequence may fail or change when it is read.
        count, results = len(returned), list(returned)
    except Exception as error:  # noqa: BLE001 # an engine may return anything
        failure = BackendError(f"{name} returned {type(returned).__name__}, not a sequence")
        failure.__cause__ = redacted_cause(error)
        return Outcome(mistake=failure)
    if count != len(questions) or count != len(results):
        text = f"{name} returned {len(results)} results for {len(questions)} questions"
        return Outcome(mistake=BackendError(text))
    for question, result in zip(questions, results, strict=True):
        if (fault := _fault_of_result(question, result)) is not None:
            return Outcome(mistake=BackendError(f"{name} returned {fault}"))
    return Outcome(results)


def _fault_of_result(question: Any, result: Any) -> str | None:
    """Return what an engine returned in the place of the scores of a pair or a reply."""
    if isinstance(question, Pair):
        if not isinstance(result, NLIScores):
            return f"{_kind(result)} for a pair, not NLIScores"
        try:
            NLIScores.__post_init__(result)  # a subclass may have left it out
        except (InvalidScoresError, TypeError):
            return f"{type(result).__name__} that are not three probabilities"
    elif isinstance(question, Question):
        model = question.response_model
        if not isinstance(result, Reply):
            return f"{_kind(result)} for a question, not a Reply"
        if not isinstance(result.answer, model):
            return f"a Reply whose answer is {_kind(result.answer)}, not {model.__name__}"
    return None


def _kind(value: object) -> str:
    """Return the type of a value, whose content may be a text that nobody should see."""
    return "None" if value is None else f"an object of type {type(value).__name__}"
