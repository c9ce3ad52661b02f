"""Iterators that ask engines, read in threads so that the event loop is not blocked."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

__all__ = ["iterate_in_threads"]

_T = TypeVar("_T")


async def iterate_in_threads(items: Iterator[_T]) -> AsyncIterator[_T]:
    """Yield the items of an iterator, each of them produced in a thread."""
    end = object()
    while True:
        item = await asyncio.to_thread(next, items, end)
        if item is end:
            return
        yield item  # type: ignore[misc] # not the end, so an item
