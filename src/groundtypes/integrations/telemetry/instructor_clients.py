"""Clients of instructor whose events name the completion that they judge.

instructor validates a completion inside of its call, when the span of the request has ended. A hook
of each call says which completion that is: it sets a context variable, and the end of the call
restores it.
"""

from contextlib import ExitStack
from typing import Any, TypeVar

from groundtypes.backends.observing import current_observer
from groundtypes.errors import ContextError
from groundtypes.integrations.instructor import add_hooks, is_client, listen
from groundtypes.integrations.telemetry.reasks import LLM_CALL
from groundtypes.integrations.telemetry.response_ids import for_response, set_response_id

_C = TypeVar("_C")


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
    """One call of a client, whose validations belong to it and to its latest completion."""

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
