"""Coroutines in which synchronous code waits for engines without blocking the event loop."""

from groundtypes.coroutines.nonblocking import nonblocking

__all__ = ["nonblocking"]
