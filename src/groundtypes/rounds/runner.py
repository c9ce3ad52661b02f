"""The rounds of one or many answers: validate, settle the questions, validate again.

All answers of a run share a ledger, so that the questions of a round go out in one batch.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json

from groundtypes.backends.logs import Log
from groundtypes.backends.observing import Operation
from groundtypes.concurrency.blocking import take_turn
from groundtypes.errors import CheckError, Mistake
from groundtypes.ledger import Ledger
from groundtypes.rounds.error_lines import placed
from groundtypes.rounds.inputs import InputItem, LeftOut, without_items
from groundtypes.rounds.row_mistakes import RowMistakes
from groundtypes.rounds.state import LOCATION_ERROR, CheckCall, CheckedValue, ValidationState
from groundtypes.verdicts import Loc, Verdict

#: The limit that stops a check which asks something new in every round.
_MAX_ROUNDS: Final = 12
#: The check of the verdicts on errors that Pydantic itself reports.
_SCHEMA: Final = "schema"
_LOG: Final = Log(__name__)
_UNOBSERVED: Final = nullcontext()


@dataclass(slots=True)
class AnswerRun:
    """One answer: its input, the state between rounds, and the result.

    Attributes:
        validate: Validates the data once.
        data: The input of the next round.
        state: What is remembered between rounds.
        given: The input of the first round, before any item was dropped.
        value: The validated value, if the last round raised nothing.
        error: The validation error of the last round, if it raised one.
        mistake: Why the answer could not be judged, where that is kept.
        verdicts: All verdicts with their locations, once `locate_verdicts` has run.
        checked_values: Finds the values of a validated answer that have checks.
        item: Finds the list item of the input that contains a location.
        undropped: The input, the error and the verdicts from before items were dropped.
        rounds: How often the data has been validated, apart from locating the verdicts.
    """

    validate: Callable[[Any], Any]
    data: Any
    state: ValidationState
    given: Any = field(init=False)
    value: Any = None
    error: ValidationError | None = None
    mistake: Mistake | None = None
    verdicts: tuple[Verdict, ...] = ()
    checked_values: Callable[[Any], Iterable[CheckedValue]] | None = None
    item: Callable[[Any, Loc], InputItem | None] | None = None
    undropped: tuple[Any, ValidationError, tuple[Verdict, ...]] | None = None
    rounds: int = 0
    _dropped_faults: set[tuple[str, str, str]] = field(default_factory=set)
    _left_out: LeftOut = field(default_factory=LeftOut)

    def __post_init__(self) -> None:
        self.given = self.data

    def run_round(self) -> None:
        """Validate once."""
        self.rounds += 1
        self.value, self.error = None, None
        with self.state.round():
            try:
                self.value = self.validate(self.data)
            except ValidationError as error:
                self.error = error

    def fail(self, mistake: Mistake) -> None:
        """End the run: the answer cannot be judged."""
        self.mistake = mistake
        self.value, self.error, self.verdicts = None, None, ()

    @property
    def context(self) -> Any:
        """The context, together with what `grounded_in` gives."""
        return self.state.values

    def calls(self) -> Iterable[CheckCall]:
        """Return the calls of checks in the last round."""
        return self.state.calls()

    def needs_round(self) -> bool:
        """Return whether another round is needed."""
        if self.state.waiting or self.state.calls_have_moved():
            return True
        if self.error is None and self.state.skipped and not self.state.missing_is_none:
            # A check is skipped when the sibling it reads is at fault. Nothing is at fault here,
            # so the sibling is an optional field that the answer leaves out.
            self.state.missing_is_none = True
            return True
        return False

    def locate_verdicts(self) -> None:
        """Give every verdict its location: each check raises, and Pydantic says where."""
        locs: dict[int, Loc] = {}
        with self.state.locating_round():
            try:
                self.validate(self.data)
            except ValidationError as error:
                for line in error.errors(include_url=False, include_input=False):
                    if line["type"] == LOCATION_ERROR:
                        locs.setdefault(line["ctx"]["number"], line["loc"])
        verdicts = self.state.located_verdicts(locs)
        if any(verdict.dropped for verdict in verdicts):
            data = self._parsed_data()
            verdicts = tuple(
                replace(verdict, dropped=self._item(data, verdict.loc) is not None)
                if verdict.dropped
                else verdict
                for verdict in verdicts
            )
        self.verdicts = (*verdicts, *self._schema_verdicts())

    def locate_verdicts_of_rest(self) -> None:
        """Locate the verdicts anew after items were dropped, and keep those on these items.

        Checks that read a list are skipped while an item of it is at fault, and validators of the
        list see it without the item: they have judged only now.
        """
        before, dropped = self.verdicts, self._left_out
        self.locate_verdicts()
        now = [replace(each, loc=dropped.original(each.loc)) for each in self.verdicts]
        found, known = set(now), set(before)
        kept = [
            replace(each, dropped=not each.ok) if dropped.contain(each.loc) else each
            for each in before
            if dropped.contain(each.loc) or each in found
        ]
        new = [each for each in now if each not in known]
        self.verdicts = tuple(sorted([*kept, *new], key=lambda each: each.check == _SCHEMA))

    def restore_locations(self) -> None:
        """Have the error say where its faults are in the answer as it was given."""
        if self.undropped is not None and self.error is not None:
            self.error = placed(self.error, self._left_out.original)

    def require_verdicts(self) -> None:
        """Raise a `MissingVerdictError` if anything in the answer has escaped its checks."""
        if self.error is None and self.checked_values is not None:
            self.state.require_verdicts(self.checked_values(self.value))

    def drop_items(self) -> bool:
        """Remove the list items that are to be dropped; return whether there were any.

        A validator of the user's may have moved the items, so that the location of a fault leads to
        another item of the input. Then the fault remains, and nothing is dropped.
        """
        if self.error is None:
            return False
        lines = [
            line
            for line in self.error.errors(include_url=False)
            if line.get("ctx", {}).get("on_fault") == "drop"
        ]
        if not lines:
            return False
        data = self._parsed_data()
        items, faults = set[InputItem](), set[tuple[str, str, str]]()
        for line in lines:
            if (item := self._item(data, line["loc"])) is not None:
                items.add(item)
                faults.add((line["type"], line["msg"], repr(line["input"])))
        if not items:
            return False
        if faults & self._dropped_faults:
            self._undo_drop()
            return False
        if self.undropped is None:
            self.undropped = self.data, self.error, self.verdicts
        self._dropped_faults |= faults
        self._left_out.add(item.loc for item in items)
        self.data = without_items(data, (item.path for item in items))
        self.state.forget_calls()
        return True

    def _undo_drop(self) -> None:
        assert self.undropped is not None  # noqa: S101 # the caller has dropped items
        self.data, self.error, verdicts = self.undropped
        self.verdicts = tuple(replace(verdict, dropped=False) for verdict in verdicts)
        self.undropped = None

    def _item(self, data: Any, loc: Loc) -> InputItem | None:
        return None if self.item is None else self.item(data, loc)

    def _parsed_data(self) -> Any:
        try:
            return from_json(self.data) if isinstance(self.data, str | bytes) else self.data
        except ValueError:  # a text that is no JSON
            return self.data

    def _schema_verdicts(self) -> Iterable[Verdict]:
        if self.error is not None:
            for line in self.error.errors(include_url=False, include_input=False):
                if "check" not in line.get("ctx", ()):
                    yield Verdict(
                        check=_SCHEMA,
                        ok=False,
                        loc=line["loc"],
                        slug=line["type"],
                        message=line["msg"],
                    )


def run_rounds(
    runs: list[AnswerRun],
    ledger: Ledger,
    *,
    operation: tuple[str, Any, Any, int],
    locate: bool = False,
    drop: bool = True,
    mistakes: RowMistakes | None = None,
) -> None:
    """Run the rounds until no check waits; each run then has a value, an error, or a mistake.

    The states of the runs share the ledger, and observers are told the parts of an `Operation`. See
    `run_answers` for the options; by default each mistake is raised.
    """
    observer = ledger.observer
    with (
        _UNOBSERVED
        if observer is None
        else observer.watch(Operation(*operation), ledger, runs) as watch
    ):
        rounds = _Rounds(ledger, mistakes)
        rounds.validate_until_settled(runs)
        if locate:
            rounds.each(runs, AnswerRun.locate_verdicts)
        if watch is not None:
            watch.judged()
        while drop and (changed := [run for run in runs if run.drop_items()]):
            rounds.validate_until_settled(changed)
            if locate:
                rounds.each(changed, AnswerRun.locate_verdicts_of_rest)
        rounds.each(runs, AnswerRun.restore_locations)
        rounds.each(runs, AnswerRun.require_verdicts)
        if mistakes is not None:
            mistakes.end_batch([run.mistake for run in runs])
    if "logging" in sys.modules:
        _log_run(operation[0], runs, ledger)


def _log_run(operation: str, runs: list[AnswerRun], ledger: Ledger) -> None:
    _LOG.debug(
        "%s: %d answers, %d questions asked, %d remembered, %.3f s of waiting for engines",
        operation,
        len(runs),
        sum(ledger.asked.values()),
        ledger.cached,
        ledger.seconds,
    )


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The rounds of answers that share a ledger; the mistakes of some may be kept."""

    ledger: Ledger
    mistakes: RowMistakes | None

    def validate_until_settled(self, runs: list[AnswerRun]) -> None:
        for _ in range(_MAX_ROUNDS):
            take_turn()
            self.each(runs, AnswerRun.run_round)
            runs = _unfinished(runs)
            if not runs:
                return
            self._settle(runs)
        error = CheckError(
            f"a check still asks new questions after {_MAX_ROUNDS} rounds; its judge() "
            "must ask the same questions for the same value in every round"
        )
        if self.mistakes is None:
            raise error
        for run in runs:
            run.fail(error)

    def each(self, runs: Sequence[AnswerRun], step: Callable[[AnswerRun], None]) -> None:
        for run in runs:
            if run.mistake is None:
                try:
                    step(run)
                except Exception as error:
                    if self.mistakes is None:
                        raise
                    run.fail(self.mistakes.of_row(error))

    def _settle(self, runs: list[AnswerRun]) -> None:
        if self.mistakes is None:
            self.ledger.settle()
            return
        for run, mistake in zip(runs, self.mistakes.apart(runs, self._ask), strict=True):
            if mistake is not None:
                run.fail(mistake)

    def _ask(self, runs: Sequence[AnswerRun]) -> list[None]:
        """Settle the pending questions, or those of some answers if settling all has failed."""
        if not self.ledger.pending:
            self.each(runs, AnswerRun.run_round)  # which notes the questions of these alone
        self.ledger.settle()
        return [None] * len(runs)


def _unfinished(runs: list[AnswerRun]) -> list[AnswerRun]:
    return [run for run in runs if run.mistake is None and run.needs_round()]
