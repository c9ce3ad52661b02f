"""Ask an engine by its queue, or at once where it orders its questions itself."""

from collections.abc import Sequence
from typing import Any

from groundtypes.backends.engine_calls import Outcome, call_engine
from groundtypes.backends.request_batching.engine_attributes import count
from groundtypes.backends.request_batching.engine_queue import is_calling
from groundtypes.backends.request_batching.engine_queues import QUEUES
from groundtypes.scoring import asked_engine


def ask_together(engine: Any, questions: Sequence[Any]) -> Sequence[Any]:
    """Return one result for each question, which are asked beside those of others who wait.

    A failure is told to those whose questions failed. If a batch of several requests fails and an
    outage is the cause, all of them are told. Else some question may be the cause: the batch is
    halved until the requests that fail by themselves are found, and the others are answered.

    Raises:
        BackendError: The engine failed, did not return one result for each question, or was busy
            for longer than its `queue_timeout`.
        ContextError: An attribute by which the engine says how it is to be asked is invalid.
        CancelledCall: Nobody waits for this call any more; those of others go on.
    """
    engine = asked_engine(engine)
    if is_calling.get() or count(engine, "calls_at_once", 1) is None:
        return _results(call_engine(engine, list(questions)))
    with QUEUES.of(engine) as queue:
        return queue.ask(questions)


def _results(outcome: Outcome) -> Sequence[Any]:
    if outcome.mistake is not None:
        raise outcome.mistake
    return outcome.results
