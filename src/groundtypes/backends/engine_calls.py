"""One call of an engine, whose outcome is results or a mistake, never a fault of an answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import iscoroutine
from typing import Any, Final

from groundtypes.backends.logs import Log
from groundtypes.backends.observing import current_observer
from groundtypes.backends.outages import is_outage
from groundtypes.backends.redaction import redacted_cause
from groundtypes.errors import BackendError, Mistake
from groundtypes.scoring import LLM, InvalidScoresError, NLIScores, Pair, Question, Reply

_LOG: Final = Log(__name__)


@dataclass(slots=True)
class Outcome:
    """What a call of an engine gave.

    Attributes:
        results: One result for each question, in their order, if there is no mistake.
        mistake: Why there are no results.
    """

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
    """Return what an engine returned, unless it is not one result of the right kind each."""
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
    """Return what an engine returned in the place of the result of a question, if it did.

    Other questions than pairs and those to an LLM have results of any kind.
    """
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
    """Return how a message names a value; its content may be a text that nobody should see."""
    return "None" if value is None else f"an object of type {type(value).__name__}"
