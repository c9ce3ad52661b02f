"""One answer on its way through the rounds: what its checks have seen, asked and found.

Pydantic validates one value at a time. A `Climb` is the memory beside it: which checks still wait
for an answer of the ledger or for a sibling field, and what each check said of each value. Checks
find the climb that they belong to in a context variable.
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

__all__ = ["PLACE", "Climb", "Sighting"]

#: The type of the errors by which a placing round learns where each verdict belongs.
PLACE: Final = "groundtypes_place"

_active: ContextVar["Climb | None"] = ContextVar("groundtypes_climb", default=None)


@dataclass(slots=True)
class Sighting:
    """One call of a check in a round: the fields beside the value, and what was found."""

    data: Mapping[str, Any] | None
    verdicts: tuple[Verdict, ...] = ()


@dataclass(slots=True)
class Climb:
    """The state of one answer between its rounds."""

    ledger: Ledger
    context: Any
    judges: Judges | None = None
    waiting: bool = False
    #: Checks that kept silent because a sibling field was not there.
    silent: int = 0
    #: Take a sibling that is not there for `None` (an optional key of a TypedDict).
    absent_is_none: bool = False
    placing: bool = False
    _sightings: dict[Hashable, list[Sighting]] = field(default_factory=dict)
    _before: dict[Hashable, list[Sighting]] = field(default_factory=dict)
    _ranks: dict[Hashable, int] = field(default_factory=dict)
    _placed: list[tuple[Verdict, ...]] = field(default_factory=list)
    _references: References | None = None

    @staticmethod
    def active(context: object) -> "Climb | None":
        """Return the climb that a validation with this context belongs to.

        A validation that somebody starts inside a validator, with another context, is an answer
        of its own.
        """
        climb = _active.get()
        return climb if climb is not None and climb.context is context else None

    @property
    def references(self) -> References:
        """The references of the context, read once."""
        if self._references is None:
            if self.context is None:
                raise MissingReferencesError
            self._references = References.from_context(self.context)
        return self._references

    @property
    def known_references(self) -> References | None:
        """The references of the context, where it holds any that can be read."""
        try:
            return self.references
        except Mistake:
            return None

    @property
    def known_question(self) -> str | None:
        """The question of the context, where it holds one that is text."""
        question = self.context.get("question") if isinstance(self.context, Mapping) else None
        return question if isinstance(question, str) else None

    @contextmanager
    def round(self) -> Iterator[None]:
        """Run one validation as a round of this climb."""
        self.waiting, self.silent = False, 0
        self._before, self._sightings, self._ranks = self._sightings, {}, {}
        token = _active.set(self)
        try:
            yield
        finally:
            _active.reset(token)

    @contextmanager
    def placing_round(self) -> Iterator[None]:
        """Run one validation in which every check raises, so that its place becomes known."""
        self.placing = True
        self._ranks, self._placed = {}, []
        token = _active.set(self)
        try:
            yield
        finally:
            self.placing = False
            _active.reset(token)

    def sight(
        self, key: Hashable, data: Mapping[str, Any] | None
    ) -> tuple[Sighting, Sighting | None]:
        """Note one call of a check; return it with the same call of the round before.

        Rounds validate the same input in the same order, so that the n-th call of one check on
        one value is the same place in each of them.
        """
        seen = self._sightings.setdefault(key, [])
        before = self._before.get(key, ())
        sighting = Sighting(data)
        seen.append(sighting)
        return sighting, before[len(seen) - 1] if len(seen) <= len(before) else None

    def place(self, key: Hashable) -> PydanticCustomError:
        """Return the error that carries the verdicts of this call to its place."""
        rank = self._ranks.get(key, 0)
        self._ranks[key] = rank + 1
        seen = self._sightings.get(key, ())
        self._placed.append(seen[rank].verdicts if rank < len(seen) else ())
        return PydanticCustomError(PLACE, "place", {"place": len(self._placed) - 1})

    def verdicts_at(self, places: Mapping[int, Loc]) -> tuple[Verdict, ...]:
        """Return all verdicts, in the order of the answer, with their places.

        A verdict whose check was not reached in the placing round keeps an empty place.
        """
        found = [
            replace(verdict, loc=loc)
            for number, loc in sorted(places.items())
            for verdict in self._placed[number]
        ]
        total = sum(len(s.verdicts) for seen in self._sightings.values() for s in seen)
        if len(found) == total:
            return tuple(found)
        for key, seen in self._sightings.items():
            for sighting in seen[self._ranks.get(key, 0) :]:
                found.extend(sighting.verdicts)
        return tuple(found)
