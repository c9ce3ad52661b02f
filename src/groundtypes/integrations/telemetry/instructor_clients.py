"""Clients of instructor whose events name the completion that they judge.

instructor validates a completion inside of its call, when the span of the request has ended. Its
hooks say which completion that is, but not to which call they belong. So each call gets a hook of
its own, at the place where the client passes its hooks on; it sets a context variable, and the end
of the call restores it.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from groundtypes.backends.observing import current_observer
from groundtypes.errors import ContextError
from groundtypes.integrations.telemetry.reasks import LLM_CALL
from groundtypes.integrations.telemetry.response_ids import for_response, set_response_id

__all__ = ["instrument_instructor"]

_C = TypeVar("_C")


def instrument_instructor(client: _C) -> _C:
    """Have the events of this client's answers name their completion; return the client.

    They get `gen_ai.response.id`, and re-asks are counted. The client may be synchronous or
    asynchronous; streams of partial answers have no completion to name.

    Raises:
        ContextError: This is no instructor client.
    """
    inner = getattr(client, "create_fn", None)
    if not callable(inner) or not hasattr(client, "hooks"):
        raise ContextError(
            f"{type(client).__name__} is not an instructor client. Make one by "
            "instructor.from_provider(...) or instructor.from_openai(...), and pass that."
        )
    if not isinstance(inner, _Instrumented):
        names = {base.__name__ for base in type(client).__mro__}
        is_async = inspect.iscoroutinefunction(inner) or "AsyncInstructor" in names
        target: Any = client
        target.create_fn = (_AsyncInstrumented if is_async else _SyncInstrumented)(inner)
    return client


class _Instrumented:
    """Replaces the function that makes a client's requests."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self.inner = inner


class _SyncInstrumented(_Instrumented):
    def __call__(self, *args: Any, **options: Any) -> Any:
        with _call(options):
            return self.inner(*args, **options)


class _AsyncInstrumented(_Instrumented):
    async def __call__(self, *args: Any, **options: Any) -> Any:
        with _call(options):
            return await self.inner(*args, **options)


@contextmanager
def _call(options: dict[str, Any]) -> Iterator[None]:
    """Run one call of the client, with a hook of its own."""
    hooks = options.get("hooks")
    if current_observer() is None or hooks is None:
        yield
        return
    own = type(hooks)()
    own.on("completion:response", set_response_id)
    options["hooks"] = hooks + own
    token = LLM_CALL.set(object())
    try:
        with for_response(None):
            yield
    finally:
        LLM_CALL.reset(token)
