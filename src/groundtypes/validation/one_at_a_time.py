"""One assignment to an answer at a time.

An assignment puts the new value into the answer and takes it out again between its rounds. Another
thread that assigned to the same answer meanwhile would lose its value, or judge half of this one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.concurrency.threads import SECONDS_UNTIL_SIGNAL, check_cancelled
from groundtypes.errors import CheckError


class _Assignments:
    """The answers that take an assignment now, by `id`, each with the thread that assigns."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Begin anew in a forked child, where no other thread assigns."""
        self._changed = threading.Condition()
        self._threads: dict[int, int] = {}

    def begin(self, answer: object) -> int | None:
        """Note that this thread assigns, or return the thread that does so already."""
        with self._changed:
            thread = self._threads.get(id(answer))
            if thread is None:
                self._threads[id(answer)] = threading.get_ident()
            return thread

    def wait(self, answer: object, thread: int) -> None:
        """Wait until the thread has assigned, or for a moment.

        Only for a moment, because coroutines wait in threads, of which the other may need one.

        Raises:
            CheckError: It is this thread, which would wait for itself.
        """
        if thread == threading.get_ident():
            raise CheckError(
                f"an assignment to a {type(answer).__name__} assigns to the same answer: what "
                "judges a value must not change the answer"
            )
        with self._changed:
            if id(answer) in self._threads:
                self._changed.wait(SECONDS_UNTIL_SIGNAL)

    def end(self, answer: object) -> None:
        """Let others assign."""
        with self._changed:
            self._threads.pop(id(answer), None)
            self._changed.notify_all()


_assignments: Final = _Assignments()


@contextmanager
def alone_with(answer: object) -> Iterator[None]:
    """Let no other thread or task assign to an answer meanwhile; wait for those that do.

    Raises:
        CheckError: This very thread assigns to it already, and waits for the outcome.
    """
    while (thread := _assignments.begin(answer)) is not None:
        check_cancelled()
        call_blocking(partial(_assignments.wait, answer, thread))
    try:
        yield
    finally:
        _assignments.end(answer)
