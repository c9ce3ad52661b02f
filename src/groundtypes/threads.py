"""What async twins are made of: blocking calls run in threads, so that the event loop runs on.

`asyncio` is imported in the functions, because it is slow to import and only async callers need it.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import ParamSpec, TypeVar

__all__ = ["iterate_in_threads", "run_in_thread"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def run_in_thread(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Return what the function returns; it runs in a thread."""
    import asyncio  # noqa: PLC0415 # slow to import

    return await asyncio.to_thread(function, *args, **kwargs)


async def iterate_in_threads(items: Iterator[_T]) -> AsyncIterator[_T]:
    """Yield the items of an iterator, each of them produced in a thread."""
    end = object()
    while True:
        item = await run_in_thread(next, items, end)
        if item is end:
            return
        yield item  # type: ignore[misc] # not the end, so an item
