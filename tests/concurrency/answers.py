"""Answers whose engine waits, in its thread, until the event loop of the test has let it answer."""

import threading
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

from groundtypes import Grounded, Judges, NLIScores, Pair
from groundtypes.testing import ScriptedNLI
from tests.checks import Follows

__all__ = ["GOOD", "TEXT", "Answer", "LettingNLI", "until", "validate"]

#: After so many seconds a test fails whose event loop is blocked.
_LONGEST: Final = 30.0
TEXT: Final = "The tower is tall."
GOOD: Final = {"text": "The tower is tall."}


class Answer(Grounded):
    text: Annotated[str, Follows()]


class LettingNLI(ScriptedNLI):
    """An engine that answers when `may_answer` is set, and notes where it was called.

    Attributes:
        is_asked: Set with the first call.
        may_answer: Lets all calls answer.
        threads: The thread of each call.
        seen: What `look` returned in each call.
    """

    def __init__(self, look: Callable[[], Any] = lambda: None) -> None:
        super().__init__()
        self.is_asked = threading.Event()
        self.may_answer = threading.Event()
        self.threads: list[threading.Thread] = []
        self.seen: list[Any] = []
        self._look = look

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.threads.append(threading.current_thread())
        self.seen.append(self._look())
        self.is_asked.set()
        if not self.may_answer.wait(_LONGEST):
            raise TimeoutError("nobody lets the engine answer: the event loop is blocked")
        return super().score(pairs)

    def join(self) -> None:
        """Wait until the threads of all calls have ended."""
        for thread in set(self.threads):
            thread.join(_LONGEST)
            assert not thread.is_alive()


def validate(nli: Any, data: Any = GOOD, references: str = TEXT) -> Answer:
    """Return the validated answer, as a framework does it: synchronously."""
    context = {"references": references, "judges": Judges(nli=nli)}
    return Answer.model_validate(data, context=context)


async def until(condition: Callable[[], bool], sleep: Callable[[float], Any]) -> None:
    """Wait in a coroutine, without blocking, until a condition holds."""
    for _ in range(int(_LONGEST / 0.005)):
        if condition():
            return
        await sleep(0.005)
    raise TimeoutError("the condition never held")
