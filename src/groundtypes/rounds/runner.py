"""The rounds: validate, settle what was asked, validate again, until nothing is asked any more.

One walk takes one answer or many. All answers of a walk share a ledger, so that the questions of
a round, from whichever answer, go out together.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json

from groundtypes.errors import CheckError
from groundtypes.judges import Judges
from groundtypes.ledger import Ledger
from groundtypes.rounds.inputs import in_list, prune
from groundtypes.rounds.state import PLACE, Climb
from groundtypes.verdicts import Loc, Verdict

__all__ = ["Walker", "walk"]

#: A check that asks something new in every round would never end.
_MAX_ROUNDS: Final = 12


@dataclass(slots=True)
class Walker:
    """One answer of a walk: how it is validated, and what came out.

    `data` is what the next round reads; `given` stays what the first one read.
    """

    validate: Callable[[Any], Any]
    data: Any
    climb: Climb
    given: Any = None
    value: Any = None
    error: ValidationError | None = None
    verdicts: tuple[Verdict, ...] = ()

    @classmethod
    def of(
        cls,
        validate: Callable[[Any], Any],
        data: Any,
        context: Any,
        judges: Judges | None,
        ledger: Ledger,
    ) -> "Walker":
        """Return the walker of an answer; `judges` are the model's own."""
        return cls(validate, data, Climb(ledger, context, judges), given=data)

    def step(self) -> None:
        """Validate once."""
        self.value, self.error = None, None
        with self.climb.round():
            try:
                self.value = self.validate(self.data)
            except ValidationError as error:
                self.error = error

    @property
    def waiting(self) -> bool:
        """Whether another round is needed."""
        if self.climb.waiting:
            return True
        if self.error is None and self.climb.silent and not self.climb.absent_is_none:
            # Nothing is at fault, so the silent checks were not silenced by a fault: what they
            # looked for is an optional field that is not there.
            self.climb.absent_is_none = True
            return True
        return False

    def place(self) -> None:
        """Learn the place of every verdict: every check raises, and Pydantic says where."""
        places: dict[int, Loc] = {}
        with self.climb.placing_round():
            try:
                self.validate(self.data)
            except ValidationError as error:
                for line in error.errors(include_url=False, include_input=False):
                    if line["type"] == PLACE:
                        places.setdefault(line["ctx"]["place"], line["loc"])
        found = self.climb.verdicts_at(places)
        if any(verdict.dropped for verdict in found):
            data = self._read()
            found = tuple(
                replace(verdict, dropped=verdict.dropped and in_list(data, verdict.loc))
                for verdict in found
            )
        self.verdicts = (*found, *self._schema_verdicts())

    def _read(self) -> Any:
        return from_json(self.data) if isinstance(self.data, str | bytes) else self.data

    def _schema_verdicts(self) -> Iterable[Verdict]:
        if self.error is not None:
            for line in self.error.errors(include_url=False, include_input=False):
                if "check" not in line.get("ctx", ()):
                    yield Verdict(
                        check="schema",
                        ok=False,
                        loc=line["loc"],
                        slug=line["type"],
                        message=line["msg"],
                    )

    def drop(self) -> bool:
        """Take the items out that are to be dropped; say whether there were any."""
        if self.error is None:
            return False
        places = [
            line["loc"]
            for line in self.error.errors(include_url=False, include_input=False)
            if line.get("ctx", {}).get("on_fault") == "drop"
        ]
        if not places:
            return False
        read = self._read()
        pruned = prune(read, places)
        if pruned is read:
            return False
        self.data = pruned
        return True


def walk(walkers: list[Walker], ledger: Ledger, *, place: bool = False) -> None:
    """Take the walkers down the staircase; each then has a value or an error.

    With `place`, every verdict is kept with its place.

    Raises:
        Mistake: Whatever is not the answers' fault.
    """
    _settle(walkers, ledger)
    if place:
        for walker in walkers:
            walker.place()
    while dropped := [walker for walker in walkers if walker.drop()]:
        _settle(dropped, ledger)


def _settle(walkers: list[Walker], ledger: Ledger) -> None:
    for _ in range(_MAX_ROUNDS):
        for walker in walkers:
            walker.step()
        walkers = [walker for walker in walkers if walker.waiting]
        if not walkers:
            return
        ledger.settle()
    raise CheckError(f"a check still asks new questions after {_MAX_ROUNDS} rounds")
