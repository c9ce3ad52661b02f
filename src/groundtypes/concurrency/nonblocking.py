"""`nonblocking`: await something whose validation waits for engines, and the event loop runs on."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine
from inspect import isawaitable
from typing import Any, Final, TypeVar, overload

try:
    from groundtypes.concurrency.driver import DrivenCoroutine
except ImportError:  # greenlet is an extra
    DrivenCoroutine = None  # type: ignore[assignment, misc] # `require_greenlet` says so

_T = TypeVar("_T")

_NEEDED: Final = "nonblocking needs greenlet: pip install 'groundtypes[async]'"


@overload
def nonblocking(awaitable: Awaitable[_T], /) -> Coroutine[Any, Any, _T]: ...


@overload
def nonblocking(awaitable: AsyncIterator[_T], /) -> AsyncGenerator[_T, Any]: ...


def nonblocking(awaitable: Any, /) -> Any:
    """Return a coroutine that does the same, but does not block the event loop when it validates.

    Whatever is validated inside of it, by whatever framework, waits for its engines in threads.
    Tasks that it creates are included. An async iterator, such as instructor's `create_partial`,
    becomes one whose items are produced in this way; nothing can be sent into it.

    Args:
        awaitable: A coroutine, another awaitable, or an async iterator. No task: that runs by
            itself already.

    Examples:
        >>> import asyncio
        >>> from typing import Annotated
        >>> from groundtypes import Entailed, Grounded, Judges
        >>> from groundtypes.testing import ScriptedNLI
        >>> class Answer(Grounded):
        ...     text: Annotated[str, Entailed()]
        >>> async def ask():  # stands for a framework that validates the reply of an LLM
        ...     context = {"references": "It is tall.", "judges": Judges(nli=ScriptedNLI())}
        ...     return Answer.model_validate({"text": "It is tall."}, context=context)
        >>> asyncio.run(nonblocking(ask()))
        Answer(text='It is tall.')

    Raises:
        TypeError: The argument cannot be awaited, or is a future or task.
        ImportError: greenlet is not installed.
        RuntimeError: When it is awaited: neither asyncio nor trio runs in this thread.
    """
    if _is_future(awaitable):
        # Its caller gets this error and will not await it: the event loop would complain of the
        # exception that it ends with.
        awaitable.add_done_callback(_retrieve_exception)
        raise TypeError(
            "nonblocking() cannot drive a future or task, which runs by itself; pass the coroutine "
            "that it was made of. Instead of nonblocking(asyncio.gather(one(), two())) write "
            "asyncio.gather(nonblocking(one()), nonblocking(two()))."
        )
    if isawaitable(awaitable):
        coroutine = awaitable if isinstance(awaitable, Coroutine) else _await(awaitable)
        return _driven(coroutine)
    if isinstance(awaitable, AsyncIterator):
        return _items(awaitable)
    hint = " Call it first: nonblocking(function())." if callable(awaitable) else ""
    raise TypeError(
        f"nonblocking() takes a coroutine or another awaitable, not {type(awaitable).__name__}."
        + hint
    )


def require_greenlet() -> None:
    """Do nothing, if greenlet is installed."""
    if DrivenCoroutine is None:
        raise ImportError(_NEEDED)


def _driven(coroutine: Coroutine[Any, Any, _T]) -> Coroutine[Any, Any, _T]:
    try:
        require_greenlet()
    except ImportError:
        coroutine.close()  # it will not be awaited
        raise
    return DrivenCoroutine(coroutine)


def _is_future(value: object) -> bool:
    # What asyncio itself takes for a future, also of other implementations.
    return getattr(type(value), "_asyncio_future_blocking", None) is not None


def _retrieve_exception(future: Any) -> None:
    if not future.cancelled():
        future.exception()


async def _await(awaitable: Awaitable[_T]) -> _T:
    return await awaitable


async def _items(iterator: AsyncIterator[_T]) -> AsyncGenerator[_T, Any]:
    try:
        while True:
            try:
                item = await nonblocking(anext(iterator))
            except StopAsyncIteration:
                return
            yield item
    finally:
        if isinstance(iterator, AsyncGenerator):
            await nonblocking(iterator.aclose())
