"""What an object must renew in a forked child process: locks, connections and sessions.

A child has the memory of its parent but none of its threads: a lock that another one held stays so.
"""

import os
import weakref
from typing import Any, Final, Protocol


class Renewable(Protocol):
    """An object that a forked child cannot use as it is."""

    def renew(self) -> None:
        """Replace what does not survive a fork; no other thread runs meanwhile."""
        ...


_renewables: Final[weakref.WeakSet[Any]] = weakref.WeakSet()


def renew_in_child(renewable: Renewable) -> None:
    """Have `renewable.renew()` called in every process that is forked from this one."""
    _renewables.add(renewable)


def _renew_all() -> None:
    for renewable in list(_renewables):
        renewable.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_renew_all)
