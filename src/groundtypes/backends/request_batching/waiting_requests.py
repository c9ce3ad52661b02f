"""The questions of one caller, and those of several that go out in one call."""

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from groundtypes.concurrency.threads import Cancellation
from groundtypes.errors import Mistake


class Request:
    """The questions of one caller, and what became of them; the queue's lock guards it.

    Attributes:
        unsent: The positions of the questions that wait.
        unanswered: How many questions have no result yet.
        leads: Whether the thread of this request is to call the engine.
        is_gone: Whether nobody waits for the results any more.
        woken: Set when something of this has changed.
    """

    def __init__(self, questions: Sequence[Any]) -> None:
        self.questions = questions
        self.results: list[Any] = [None] * len(questions)
        self.unsent = deque(range(len(questions)))
        self.unanswered = len(questions)
        self.mistake: Mistake | None = None
        self.leads = False
        self.is_gone = False
        self.woken = threading.Event()

    @property
    def is_done(self) -> bool:
        """Whether all results are there, or a mistake."""
        return not self.unanswered or self.mistake is not None

    @property
    def was_sent(self) -> bool:
        """Whether the request has had a turn."""
        return len(self.unsent) < len(self.questions)


#: The questions of a request that go out together, by their positions.
Part = tuple[Request, list[int]]


class Batch:
    """Questions of one or many requests that go out in one call; equal ones are asked once.

    The call is cancelled when nobody waits for any of its results.
    """

    def __init__(self, leader: Request, parts: list[Part]) -> None:
        self.leader = leader
        self.parts = parts
        self.cancellation = Cancellation()
        self.questions = list(
            dict.fromkeys(
                request.questions[position]
                for request, positions in parts
                for position in positions
            )
        )

    @property
    def is_awaited(self) -> bool:
        """Whether anybody waits for a result."""
        return not all(request.is_gone for request, _ in self.parts)
