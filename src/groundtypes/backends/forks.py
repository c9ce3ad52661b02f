"""What a process that was forked must make anew: locks, sessions and connections.

A forked child has the memory of its parent, but none of its threads: a lock that another thread
held stays locked for ever, and a pool of threads never answers.
"""

import os
import weakref
from typing import Any, Final, Protocol

__all__ = ["renew_in_child"]


class Renewable(Protocol):
    """An object that a forked child cannot use as it is."""

    def renew(self) -> None:
        """Make anew what does not outlive a fork; nothing else runs meanwhile."""
        ...


_things: Final[weakref.WeakSet[Any]] = weakref.WeakSet()


def renew_in_child(thing: Renewable) -> None:
    """Have `thing.renew()` called in every process that is forked from this one."""
    _things.add(thing)


def _renew_all() -> None:
    for thing in list(_things):
        thing.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_renew_all)
