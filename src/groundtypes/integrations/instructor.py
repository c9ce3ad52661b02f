"""What groundtypes knows of instructor's internals; nothing of it is imported here.

- A client makes its requests with `create_fn`, to which it passes its `hooks` and the arguments of
  `create`. `listen` wraps that function once, for everybody who wants to hear of calls.
- `InstructorRetryException` has neither the response model nor the context. They are local
  variables of the functions in its traceback (`call_arguments`).
- A list or a simple type as response model is asked for as an object that holds it (`unwrapped`),
  and `create_with_completion` reads a private attribute (`with_completion`).
"""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import Any, Final, Protocol

from pydantic import BaseModel

from groundtypes.concurrency.threads import run_in_thread
from groundtypes.errors import Mistake

_PACKAGE: Final = "instructor"
#: Where partial answers are made, and the functions there that validate the whole answer.
_PARTIAL: Final = "instructor.dsl.partial"
_OF_WHOLE: Final = frozenset({"model_from_chunks", "model_from_chunks_async"})


class Call(Protocol):
    """One call of a client, as a listener sees it."""

    def returned(self, value: Any) -> None:
        """Hear that the call returns a value."""

    def raised(self, error: BaseException) -> None:
        """Hear that the call raises an error."""


#: Is given the options of a call, which it may change, before it is made.
#: It returns `None` where it does not listen.
Listener = Callable[[dict[str, Any]], Call | None]


#: What a client does in place of raising an error of its re-asks. It returns what makes the value
#: that the call returns, or `None`; it may take long, and asks engines.
LastResort = Callable[[Exception], Callable[[], Any] | None]


def is_client(client: Any) -> bool:
    """Return whether an object is a client of instructor, synchronous or asynchronous."""
    return callable(getattr(client, "create_fn", None)) and hasattr(client, "hooks")


def listen(client: Any, listener: Listener) -> Callable[[], None]:
    """Have a listener hear of every call of a client from now on; return what ends that."""
    wrapper = _wrapped(client)
    wrapper.listeners.append(listener)

    def stop() -> None:
        if listener in wrapper.listeners:
            wrapper.listeners.remove(listener)
        unused = not wrapper.listeners and wrapper.last_resort is None
        if unused and client.create_fn is wrapper:  # nobody else has wrapped it again
            client.create_fn = wrapper.inner

    return stop


def set_last_resort(client: Any, last_resort: LastResort) -> None:
    """Set what a client does when its re-asks are used up; listeners still hear the error."""
    _wrapped(client).last_resort = last_resort


def add_hooks(options: dict[str, Any], handlers: Mapping[str, Callable[..., Any]]) -> bool:
    """Add functions for the events of one call to its options; return whether that is possible.

    Hooks of the client itself do not say which call an event belongs to.
    """
    hooks = options.get("hooks")
    if hooks is None:
        return False
    own = type(hooks)()
    for event, handler in handlers.items():
        own.on(event, handler)
    options["hooks"] = hooks + own
    return True


def _wrapped(client: Any) -> "_Wrapper":
    inner = client.create_fn
    if isinstance(inner, _Wrapper):
        return inner
    # The class of the client decides where a wrapper hides what the function is.
    names = {base.__name__ for base in type(client).__mro__}
    is_async = inspect.iscoroutinefunction(inner) or "AsyncInstructor" in names
    wrapper: _Wrapper = _AsyncWrapper(inner) if is_async else _SyncWrapper(inner)
    client.create_fn = wrapper
    return wrapper


class _Wrapper:
    """Replaces the function that makes a client's requests."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self.inner = inner
        self.listeners: list[Listener] = []
        self.last_resort: LastResort | None = None

    def _begin(self, options: dict[str, Any]) -> list[Call]:
        calls = [listener(options) for listener in tuple(self.listeners)]
        return [call for call in calls if call is not None]

    def _returned(self, calls: list[Call], value: Any) -> Any:
        for call in reversed(calls):
            call.returned(value)
        return value

    def _raised(
        self, calls: list[Call], error: BaseException, options: Mapping[str, Any]
    ) -> Callable[[], Callable[[], Any] | None] | None:
        """Tell the listeners of an error; return the last resort if there is one for it."""
        for call in reversed(calls):
            call.raised(error)
        if self.last_resort is None or not isinstance(error, Exception):
            return None
        if not _is_used_up(error) or options.get("stream"):
            return None
        return partial(self.last_resort, error)


class _SyncWrapper(_Wrapper):
    def __call__(self, *args: Any, **options: Any) -> Any:
        calls = self._begin(options)
        try:
            value = self.inner(*args, **options)
        except BaseException as error:
            resort = self._raised(calls, error, options)
            result = None if resort is None else resort()
            if result is None:
                raise
        else:
            return self._returned(calls, value)
        return result()


class _AsyncWrapper(_Wrapper):
    async def __call__(self, *args: Any, **options: Any) -> Any:
        calls = self._begin(options)
        try:
            value = await self.inner(*args, **options)
        except BaseException as error:
            resort = self._raised(calls, error, options)
            result = None if resort is None else await run_in_thread(resort)
            if result is None:
                raise
        else:
            return self._returned(calls, value)
        return result()


def _is_used_up(error: Exception) -> bool:
    """Return whether every attempt of a call has failed by its answer, and none by an outage."""
    attempts = getattr(error, "failed_attempts", None)
    return (
        isinstance(attempts, list | tuple)
        and len(attempts) > 0
        and getattr(error, "n_attempts", None) == len(attempts)
        and not isinstance(error.__cause__, Mistake)
    )


def call_arguments(error: BaseException) -> Mapping[str, Any] | None:
    """Return the arguments of the innermost call of instructor in the traceback of an error."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if is_module(str(frame.f_globals.get("__name__", ""))):
            local = frame.f_locals
            if isinstance(local.get("response_model"), type):
                found = local
        trace = trace.tb_next
    return found


def unwrapped(value: Any) -> Any:
    """Return what a client returns for a validated answer."""
    names = {base.__name__ for base in type(value).__mro__ if is_module(base.__module__)}
    if "IterableBase" in names:
        return list(value.tasks)
    return value.content if "AdapterBase" in names else value


class _ListOfReply(list[Any]):
    """A list that has the reply of the provider, like that of instructor."""

    _raw_response: Any = None


def with_completion(value: Any, completion: Any) -> Any:
    """Return the value with the provider's reply, where `create_with_completion` reads it."""
    if type(value) is list:
        value = _ListOfReply(value)
    if isinstance(value, BaseModel | _ListOfReply):
        reply: Any = value
        reply._raw_response = completion  # noqa: SLF001 # the name is instructor's
    return value


def is_part_of_stream(frame: FrameType) -> bool | None:
    """Return whether a frame of instructor's validates a part of a stream, and not the whole.

    `None` if the frame is not of the module that makes partial answers.
    """
    module = str(frame.f_globals.get("__name__", ""))
    if not (is_module(module) and module.endswith(_PARTIAL.removeprefix(_PACKAGE))):
        return None
    return frame.f_code.co_name not in _OF_WHOLE


def is_module(name: str) -> bool:
    """Return whether a module is one of instructor's."""
    return name == _PACKAGE or name.startswith(f"{_PACKAGE}.")
