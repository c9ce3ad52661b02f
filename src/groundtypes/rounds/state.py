"""The state of one answer's validation: which checks were called in a round, and their verdicts.

Pydantic validates one value at a time and keeps nothing between two validations. `ValidationState`
does. A context variable holds the state of the running validation; checks read it there.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from pydantic_core import PydanticCustomError

from groundtypes.errors import MissingReferencesError, MissingVerdictError, Mistake
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.references import References
from groundtypes.rounds.grounding import Grounding, current_grounding, ground
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Loc, Verdict

#: The type of the errors that every check raises in the locating round.
LOCATION_ERROR: Final = "groundtypes_location"

_active: ContextVar["ValidationState | None"] = ContextVar("groundtypes_state", default=None)


class CheckedValue(NamedTuple):
    """A value of a validated answer that has checks.

    `kind` tells the calls of its checks from those of others, `label` names them for people. It
    `may_differ` if a validator of the user's ran after the checks, and `is_default` if Pydantic
    does not validate it.
    """

    kind: Hashable
    label: str
    value: Any
    may_differ: bool
    is_default: bool


@dataclass(slots=True)
class CheckCall:
    """One call of the checks of a value in a round, with the fields validated before the value.

    `result` is what the call returned for a value that holds.
    """

    data: Mapping[str, Any] | None
    kind: Hashable
    group: Any = None
    verdicts: tuple[Verdict, ...] = ()
    holds: bool = False
    result: Any = None

    def judged(self, result: Any) -> None:
        """Note that the value holds, and what the call returns for it."""
        self.holds, self.result = True, result


@dataclass(slots=True)
class ValidationState:
    """What is remembered about one answer from one round to the next.

    Calls of checks are recorded under a key, which is the check together with its value. Rounds
    validate the same input in the same order, so the n-th call under a key is at the same location
    in every round.

    `context` is the one that Pydantic was given, which tells this validation from others;
    `values` is what checks read: the context together with what `grounded_in` gives.
    """

    ledger: Ledger
    context: Any
    judges: Judges | None = None
    values: Any = field(init=False)
    grounding: Grounding | None = field(init=False)
    #: Whether a check waits for the ledger or for a sibling, so that another round is needed.
    waiting: bool = False
    #: How many checks were skipped because a sibling field was missing.
    skipped: int = 0
    #: Whether a missing sibling counts as `None` (an optional key of a TypedDict).
    missing_is_none: bool = False
    #: Whether the values that checks read are of the right kinds, which the first call checks.
    context_checked: bool = False
    #: Whether this round only locates verdicts.
    locating: bool = False
    _references: References | None = None
    _calls: dict[Hashable, list[CheckCall]] = field(default_factory=dict)
    _previous_calls: dict[Hashable, list[CheckCall]] = field(default_factory=dict)
    #: The keys of calls that read what the same call knew in the previous round.
    _read_again: set[Hashable] = field(default_factory=set)
    #: How many calls under each key the locating round has reached.
    _located_calls: dict[Hashable, int] = field(default_factory=dict)
    #: The verdicts that belong to each error of the locating round.
    _located_verdicts: list[tuple[Verdict, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = ground(self.context)
        self.grounding = current_grounding()

    @staticmethod
    def active(context: object) -> "ValidationState | None":
        """Return the state of the running validation if it has this context, else `None`.

        A validation that is started inside a validator with another context, or in a block of
        `grounded_in` of its own, is independent.
        """
        state = _active.get()
        if state is None or state.context is not context:
            return None
        return state if current_grounding() is state.grounding else None

    @staticmethod
    def running() -> "ValidationState | None":
        """Return the state of the running validation, with whatever context, else `None`."""
        return _active.get()

    @property
    def references(self) -> References:
        """The references of the context, read once."""
        if self._references is None:
            if self.values is None:
                raise MissingReferencesError
            self._references = References.from_context(self.values)
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
        question = self.values.get("question") if isinstance(self.values, Mapping) else None
        return question if isinstance(question, str) else None

    @contextmanager
    def round(self) -> Iterator[None]:
        """Run one validation as a round."""
        self.waiting, self.skipped = False, 0
        self._previous_calls, self._calls = self._calls, {}
        self._read_again.clear()
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
        self, key: Hashable, data: Mapping[str, Any] | None, kind: Hashable, group: Any = None
    ) -> tuple[CheckCall, CheckCall | None]:
        """Record one call of a check; return it with the same call of the previous round."""
        calls = self._calls.setdefault(key, [])
        previous = self._previous_calls.get(key, ())
        call = CheckCall(data, kind, group)
        calls.append(call)
        if len(calls) > len(previous):
            return call, None
        self._read_again.add(key)
        return call, previous[len(calls) - 1]

    def calls_have_moved(self) -> bool:
        """Return whether a call may have been taken for another one of the previous round.

        That is so where a value was not judged in one of the rounds, because another fault came
        first, and calls with the same key follow it.
        """
        return any(
            len(self._calls[key]) != len(self._previous_calls[key]) for key in self._read_again
        )

    def forget_calls(self) -> None:
        """Begin anew with other data, of which no call is known."""
        self._calls = {}
        self.missing_is_none = False

    def calls(self) -> Iterator[CheckCall]:
        """Yield the calls of the last round."""
        for calls in self._calls.values():
            yield from calls

    def require_verdicts(self, values: Iterable[CheckedValue]) -> None:
        """Raise a `MissingVerdictError` if a value with checks was not judged in the last round.

        Each value must equal the result of a call of its own, or have been changed after one: it is
        often an equal copy, or what a validator of the user's made of the result.
        """
        unused: dict[Hashable, list[CheckCall]] = {}
        hidden = set[Hashable]()  # the kinds of faults that a validator of the user's has caught
        for call in self.calls():
            if call.holds:
                unused.setdefault(call.kind, []).append(call)
            elif call.verdicts:
                hidden.add(call.kind)
        changed: list[CheckedValue] = []
        for expected in values:
            candidates = unused.get(expected.kind, [])
            for number in reversed(range(len(candidates))):  # the values come in reverse order
                if _is_equal(candidates[number].result, expected.value):
                    del candidates[number]
                    break
            else:
                if not expected.is_default or expected.kind in hidden:
                    changed.append(expected)
        for expected in changed:
            candidates = unused.get(expected.kind, [])
            if not candidates or not (
                expected.may_differ or not _is_same_kind(candidates[-1].result, expected.value)
            ):
                raise MissingVerdictError(
                    f"{expected.label} left no verdict on {clip(repr(expected.value), 80)}: a "
                    "validator of the model hid a fault or put this value there, or an instance "
                    "was taken as it is. Let faults pass, return what the checks have judged, and "
                    "pass plain data."
                )
            candidates.pop()

    def location_error(self, key: Hashable) -> PydanticCustomError:
        """Return the error that tells where the verdicts of this call are, under their number."""
        number = self._located_calls.get(key, 0)
        self._located_calls[key] = number + 1
        calls = self._calls.get(key, ())
        self._located_verdicts.append(calls[number].verdicts if number < len(calls) else ())
        return PydanticCustomError(
            LOCATION_ERROR, "location", {"number": len(self._located_verdicts) - 1}
        )

    def located_verdicts(self, locs: Mapping[int, Loc]) -> tuple[Verdict, ...]:
        """Return all verdicts in the order of the answer, each with its location, by error number.

        Verdicts of checks that the locating round did not reach, or whose errors a validator of the
        user's has caught, come last, without a location.
        """
        verdicts = [
            replace(verdict, loc=loc)
            for number, loc in sorted(locs.items())
            for verdict in self._located_verdicts[number]
        ]
        total = sum(len(call.verdicts) for calls in self._calls.values() for call in calls)
        if len(verdicts) == total:
            return tuple(verdicts)
        for number, located in enumerate(self._located_verdicts):
            if number not in locs:
                verdicts.extend(located)
        for key, calls in self._calls.items():
            for call in calls[self._located_calls.get(key, 0) :]:
                verdicts.extend(call.verdicts)
        return tuple(verdicts)


def _is_equal(result: Any, value: Any) -> bool:
    try:
        return result is value or (type(result) is type(value) and bool(result == value))
    except Exception:  # noqa: BLE001 # a type of the user's may raise anything
        return False


def _is_same_kind(result: Any, value: Any) -> bool:
    """Return whether a validator may have put the value in the place of the result."""
    if isinstance(result, str):
        return isinstance(value, str)
    return isinstance(value, type(result))
