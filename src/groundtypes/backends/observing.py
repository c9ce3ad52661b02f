"""The seam for telemetry: who is told of runs, verdicts, calls of engines and hits of caches.

There is at most one observer, and `groundtypes.integrations.telemetry` sets it. Whoever has
something to tell asks for it first: without an observer that is one global, and nothing else is
done. An observer raises nothing, and what it is told of must not be changed.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias


class Operation(NamedTuple):
    """What is done with answers.

    Attributes:
        name: `verify`, `audit`, `verify_many` or `audit_many`; `validate` where Pydantic or a
            framework validates a model; `assign` for an assignment to an answer; `best_attempt` and
            `keep_valid` where these judge once more what has been judged.
        model: What the answers are validated by: a type, a `TypeAdapter`, or the name of a field.
        schema: The core schema of the model, if it is known.
        first_row: Of many answers, the number of the first one (from 0).
    """

    name: str
    model: Any
    schema: Any = None
    first_row: int = 0


@dataclass(slots=True)
class LoneCall:
    """A call of checks outside of any rounds: the `CheckGroup`, and its verdicts so far.

    There are none while the checks wait, or if one of them raised a mistake.
    """

    group: Any
    verdicts: Any = ()


@dataclass(slots=True)
class LoneRun:
    """Values that are judged outside of any rounds, as a run."""

    context: Any
    found: list[LoneCall] = field(default_factory=list)
    rounds: int = 1
    error: Any = None
    mistake: Any = None

    def add(self, group: Any) -> LoneCall:
        """Return a new call of a group of checks, whose verdicts may follow."""
        call = LoneCall(group)
        self.found.append(call)
        return call

    def calls(self) -> Iterable[LoneCall]:
        """Return the calls."""
        return self.found


#: One answer of a run, a call of checks in it, and the ledger of the run. These are classes of
#: `rounds` and `ledger`, above this package; the first two are like those for values judged alone.
ObservedRun: TypeAlias = Any
ObservedCall: TypeAlias = Any
ObservedLedger: TypeAlias = Any


class Watch(Protocol):
    """The observation of one run, from its beginning to its end."""

    def judged(self) -> None:
        """Take the verdicts: they are complete, and no item has been dropped yet."""


class Observer(Protocol):
    """What is told; called from many threads at once."""

    def watch(
        self, operation: Operation, ledger: ObservedLedger, runs: Sequence[ObservedRun]
    ) -> AbstractContextManager[Watch]:
        """Return a block in which the answers are validated."""
        ...

    def engine_called(
        self, engine: str, questions: int, seconds: float, mistake: BaseException | None
    ) -> None:
        """Take note of one call of an engine, which ended with results or with a mistake."""

    def cache_hits(self, cache: str, count: int) -> None:
        """Take note of questions whose results were in `ledger`, `scores` (NLI) or `replies`."""


_observer: Observer | None = None


def current_observer() -> Observer | None:
    """Return the observer, if there is one."""
    return _observer


def set_observer(observer: Observer | None) -> None:
    """Have an observer told from now on, or nobody."""
    global _observer  # noqa: PLW0603 # one for the process, like the providers of OpenTelemetry
    _observer = observer
