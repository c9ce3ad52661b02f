"""The state of one answer's validation: which checks were called in a round, and their verdicts.

Pydantic validates one value at a time and keeps nothing between two validations. `ValidationState`
does: it knows which checks still wait for the ledger or for a sibling field, and which verdicts
each call of a check gave. A context variable holds the state of the running validation; checks
read it there.
"""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic_core import PydanticCustomError

from groundtypes.errors import MissingReferencesError, Mistake
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.references import References
from groundtypes.verdicts import Loc, Verdict

__all__ = ["LOCATION_ERROR", "CheckCall", "ValidationState"]

#: The type of the errors that every check raises in the locating round.
LOCATION_ERROR: Final = "groundtypes_location"

_active: ContextVar["ValidationState | None"] = ContextVar("groundtypes_state", default=None)


@dataclass(slots=True)
class CheckCall:
    """One call of a check in a round: the fields validated before the value, and the verdicts."""

    data: Mapping[str, Any] | None
    verdicts: tuple[Verdict, ...] = ()


@dataclass(slots=True)
class ValidationState:
    """What is remembered about one answer from one round to the next.

    Calls of checks are recorded under a key, which is the check together with its value. Rounds
    validate the same input in the same order, so the n-th call under a key is at the same location
    in every round.
    """

    ledger: Ledger
    context: Any
    judges: Judges | None = None
    #: Whether a check waits for the ledger or for a sibling, so that another round is needed.
    waiting: bool = False
    #: How many checks were skipped because a sibling field was missing.
    skipped: int = 0
    #: Whether a missing sibling counts as `None` (an optional key of a TypedDict).
    missing_is_none: bool = False
    #: Whether this round only locates verdicts.
    locating: bool = False
    _references: References | None = None
    _calls: dict[Hashable, list[CheckCall]] = field(default_factory=dict)
    _previous_calls: dict[Hashable, list[CheckCall]] = field(default_factory=dict)
    #: How many calls under each key the locating round has reached.
    _located_calls: dict[Hashable, int] = field(default_factory=dict)
    #: The verdicts that belong to each error of the locating round.
    _located_verdicts: list[tuple[Verdict, ...]] = field(default_factory=list)

    @staticmethod
    def active(context: object) -> "ValidationState | None":
        """Return the state of the running validation if it has this context, else `None`.

        A validation that is started inside a validator with another context is independent.
        """
        state = _active.get()
        return state if state is not None and state.context is context else None

    @property
    def references(self) -> References:
        """The references of the context, read once."""
        if self._references is None:
            if self.context is None:
                raise MissingReferencesError
            self._references = References.from_context(self.context)
        return self._references

    @property
    def references_or_none(self) -> References | None:
        """The references of the context, or `None` if it has none that can be read."""
        try:
            return self.references
        except Mistake:
            return None

    @property
    def question_or_none(self) -> str | None:
        """The question of the context, or `None` if it has none that is text."""
        question = self.context.get("question") if isinstance(self.context, Mapping) else None
        return question if isinstance(question, str) else None

    @contextmanager
    def round(self) -> Iterator[None]:
        """Run one validation as a round."""
        self.waiting, self.skipped = False, 0
        self._previous_calls, self._calls = self._calls, {}
        token = _active.set(self)
        try:
            yield
        finally:
            _active.reset(token)

    @contextmanager
    def locating_round(self) -> Iterator[None]:
        """Run one validation in which every check raises, so that Pydantic gives its location."""
        self.locating = True
        self._located_calls, self._located_verdicts = {}, []
        token = _active.set(self)
        try:
            yield
        finally:
            self.locating = False
            _active.reset(token)

    def record_call(
        self, key: Hashable, data: Mapping[str, Any] | None
    ) -> tuple[CheckCall, CheckCall | None]:
        """Record one call of a check; return it with the same call of the previous round."""
        calls = self._calls.setdefault(key, [])
        previous = self._previous_calls.get(key, ())
        call = CheckCall(data)
        calls.append(call)
        return call, previous[len(calls) - 1] if len(calls) <= len(previous) else None

    def location_error(self, key: Hashable) -> PydanticCustomError:
        """Return the error that ties the verdicts of this call to the location where it is raised.

        Its context holds the number under which `located_verdicts` finds them.
        """
        number = self._located_calls.get(key, 0)
        self._located_calls[key] = number + 1
        calls = self._calls.get(key, ())
        self._located_verdicts.append(calls[number].verdicts if number < len(calls) else ())
        return PydanticCustomError(
            LOCATION_ERROR, "location", {"number": len(self._located_verdicts) - 1}
        )

    def located_verdicts(self, locs: Mapping[int, Loc]) -> tuple[Verdict, ...]:
        """Return all verdicts in the order of the answer, each with its location.

        Args:
            locs: The location of each error of the locating round, by its number.

        Verdicts of checks that the locating round did not reach come last, without a location.
        """
        verdicts = [
            replace(verdict, loc=loc)
            for number, loc in sorted(locs.items())
            for verdict in self._located_verdicts[number]
        ]
        total = sum(len(call.verdicts) for calls in self._calls.values() for call in calls)
        if len(verdicts) == total:
            return tuple(verdicts)
        for key, calls in self._calls.items():
            for call in calls[self._located_calls.get(key, 0) :]:
                verdicts.extend(call.verdicts)
        return tuple(verdicts)
