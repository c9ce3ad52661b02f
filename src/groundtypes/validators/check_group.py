"""The validator function behind the markers: it runs the checks of one value in each round."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final, Protocol

from pydantic import ValidationInfo
from pydantic_core import PydanticOmit

from groundtypes.backends.observing import LoneRun, Operation
from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.errors import CheckError, Mistake
from groundtypes.ledger import Ledger, Unsettled
from groundtypes.rounds.grounding import ground
from groundtypes.rounds.state import ValidationState
from groundtypes.validators.annotations import is_on_list_item
from groundtypes.validators.case import Case, SkipCheck
from groundtypes.validators.line_errors import validation_error
from groundtypes.validators.marked_field import MarkedField
from groundtypes.verdicts import Verdict

#: What built-in checks have found in this process: that a value holds, that one does not, or both.
_judged_before: Final = BoundedCache[Hashable, frozenset[bool]](1_000)
_BOTH: Final = 2


class _CheckLike(Hashable, Protocol):
    """The part of `Check` that a group uses."""

    @property
    def name(self) -> str: ...

    def judge(self, value: Any, case: Case) -> Verdict | Iterable[Verdict]: ...

    def replace(self, value: Any, verdicts: Sequence[Verdict], case: Case) -> Any: ...


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """The checks of one value, as the validator function that Pydantic calls.

    They run together, so that all their faults are raised and not only those of the first.
    """

    checks: tuple[_CheckLike, ...]
    field: MarkedField

    @property
    def kind(self) -> Hashable:
        """What tells the calls of these checks from those of others.

        A marker that is used as a validator does not know its model.
        """
        return self if self.field.model is not None else self.checks

    @property
    def label(self) -> str:
        """The checks and their field for people, such as `Quoted on Answer.quote`."""
        names = " and ".join(check.name for check in self.checks)
        return f"{names} on {self.field.label}" if self.field.label else names

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        """Return the validated value, or raise an error for each fault; `None` is not checked."""
        if value is None:
            return None
        state = ValidationState.active(info.context)
        if state is None:
            return self._validate_alone(value, info)
        by_value = isinstance(value, Hashable) and not _is_no_number(value)
        key = (self, value if by_value else repr(value))
        if state.locating:
            raise state.location_error(key)
        data = getattr(info, "data", None)  # only fields have any
        call, previous_call = state.record_call(key, data, self.kind, self)
        case = Case(state.values, data, self.field, state.ledger, state, previous_call)
        if not state.context_checked:
            case.check_context()
            state.context_checked = True
        try:
            call.verdicts, new_value = self._judge(value, case)
        except Unsettled:
            state.waiting = True
            return value
        if faults := [verdict for verdict in call.verdicts if not verdict.ok]:
            raise validation_error(value, faults)
        call.judged(new_value)
        return new_value

    def _validate_alone(self, value: Any, info: ValidationInfo) -> Any:
        """Validate outside of any rounds, settling immediately: correct, only slower."""
        ledger = Ledger()
        case = Case(ground(info.context), getattr(info, "data", None), self.field, ledger)
        observer = ledger.observer
        if observer is None:
            verdicts, new_value = self._judge_now(value, case, ledger)
        else:
            run = LoneRun(case.context)
            call = run.add(self)
            operation = Operation("validate", self.field.label or "value")
            with observer.watch(operation, ledger, [run]) as watch:
                verdicts, new_value = self._judge_now(value, case, ledger)
                call.verdicts = verdicts
                watch.judged()
        faults = [verdict for verdict in verdicts if not verdict.ok]
        if not faults:
            return new_value
        if all(fault.dropped for fault in faults) and self._is_on_item():
            raise PydanticOmit
        raise validation_error(value, faults)

    def _judge_now(self, value: Any, case: Case, ledger: Ledger) -> tuple[tuple[Verdict, ...], Any]:
        case.check_context()
        while True:
            try:
                return self._judge(value, case)
            except Unsettled:
                ledger.settle()

    def _is_on_item(self) -> bool:
        """Return whether the checks are on the items of a list in the field.

        Pydantic would leave an omitted *field* out of its model without an error, and the elements
        of a tuple would move up.
        """
        return is_on_list_item(self.field.annotation(self.checks[0]), self.checks[0])

    def _judge(self, value: Any, case: Case) -> tuple[tuple[Verdict, ...], Any]:
        """Return the verdicts of all checks, and what replaces the value."""
        verdicts: list[Verdict] = []
        new_value, waiting = value, False
        for check in self.checks:
            try:
                new_verdicts = _judged_in_thread_at_first(check, value, case)
            except Unsettled:  # the other checks note their questions for the same batch
                waiting = True
            except SkipCheck:
                continue
            else:
                verdicts.extend(new_verdicts)
                if not waiting and all(verdict.ok for verdict in new_verdicts):
                    new_value = check.replace(new_value, new_verdicts, case)
        if waiting:
            raise Unsettled
        return tuple(verdicts), new_value


def _is_no_number(value: object) -> bool:
    """Whether a number is NaN, which does not equal itself."""
    return isinstance(value, float | Decimal) and not math.isfinite(value)


def _judged_in_thread_at_first(check: _CheckLike, value: Any, case: Case) -> tuple[Verdict, ...]:
    """Return the verdicts of a check; under `nonblocking`, the first ones are made in a thread.

    The first judgements of a check import modules and compile patterns, which takes up to a third
    of a second: of values that hold some, and of others more. Checks of users stay in the thread of
    the event loop.

    Raises:
        Unsettled: The check waits for the results of its questions.
        SkipCheck: It reads a sibling field that is at fault.
        CheckError: It raised something that no check may raise, or gave no verdict.
    """
    judge = partial(verdicts_of, check.name, partial(check.judge, value, case))
    if not type(check).__module__.startswith("groundtypes."):
        return judge()
    before = _judged_before.get(check) or frozenset()
    if len(before) == _BOTH:
        return judge()
    verdicts = call_blocking(judge)
    _judged_before.put(check, before | {all(verdict.ok for verdict in verdicts)})
    return verdicts


def verdicts_of(name: str, judge: Callable[[], Verdict | Iterable[Verdict]]) -> tuple[Verdict, ...]:
    """Return the verdicts of one call of a check, which has this name."""
    try:
        judged = judge()
        verdicts = (judged,) if isinstance(judged, Verdict) else tuple(judged)
    except (Mistake, Unsettled, SkipCheck):
        raise
    except Exception as error:
        # Pydantic takes a ValueError or AssertionError for a fault of the answer. A bug is not.
        raise CheckError(
            f"{name} raised {type(error).__name__}, which is the cause of this error; fix the check"
        ) from error
    if not verdicts or not all(isinstance(verdict, Verdict) for verdict in verdicts):
        raise CheckError(
            f"{name}.judge() returned no verdict; return self.holds() where there is "
            "nothing to judge"
        )
    return verdicts
