"""`keep_valid` for one answer: the model without the parts that are at fault."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json, to_json, to_jsonable_python

from groundtypes.errors import ContextError
from groundtypes.integrations.attempts.trimmed import TrimmedAnswer
from groundtypes.integrations.recordings.calls import faults_of
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.answer_runs import JSONText, run_answers
from groundtypes.validation.audits import Audit, AuditSource
from groundtypes.verdicts import Loc, Verdict

_T_co = TypeVar("_T_co", covariant=True)
#: Required parts in required parts take two rounds each; nobody nests more of them.
_MAX_ROUNDS: Final = 64
_MAX_LINES: Final = 20


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of an answer that was left out.

    Attributes:
        loc: The location of the part in the answer as it was given: a list item, an entry of a
            mapping, or a field.
        value: What was there, as plain data.
        faults: Why it was left out: the faults in it, each with its location in the answer as it
            was given.
    """

    loc: Loc
    value: Any
    faults: tuple[Verdict, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {
            "loc": list(self.loc),
            "value": to_jsonable_python(self.value, serialize_unknown=True, fallback=repr),
            "faults": [fault.to_dict() for fault in self.faults],
        }

    def __str__(self) -> str:
        slugs = ", ".join(dict.fromkeys(str(fault.slug) for fault in self.faults))
        return f"{clip('.'.join(map(str, self.loc)), 200)} ({clip(slugs, 200)})"


@dataclass(frozen=True, slots=True)
class KeptAnswer(Generic[_T_co]):
    """What could be kept of a faulty answer, and what was left out.

    Attributes:
        value: The validated answer without the parts that were left out.
        left_out: The parts that were left out, in the order of the answer; empty if the answer was
            valid as it was.
        audit: The audit of the answer as it was given.
        attempt: The number of the attempt that the answer is of, if it is of one.
        completion: The provider's reply in that attempt.
    """

    value: _T_co
    left_out: tuple[LeftOut, ...]
    audit: Audit[Any] = field(repr=False, compare=False)
    attempt: int | None = None
    completion: Any = field(default=None, repr=False, compare=False)

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.left_out

    def __str__(self) -> str:
        """Say what was left out, and why."""
        if self.complete:
            return "Nothing was left out."
        lines = [f"Left out of the answer, because of their faults: {len(self.left_out)}"]
        lines += [f"- {part}" for part in self.left_out[:_MAX_LINES]]
        if len(self.left_out) > _MAX_LINES:
            lines.append(f"- and {len(self.left_out) - _MAX_LINES} more")
        return "\n".join(lines)


class _Fault(NamedTuple):
    """A fault, and the path to the part of the answer that it is in."""

    path: Loc
    verdict: Verdict


def keep_valid_of(audit: Audit[Any], source: AuditSource | None) -> KeptAnswer[Any]:
    """Return what can be kept of the answer of an audit.

    Raises:
        ValidationError: A part that is at fault cannot be left out.
        Mistake: As `audit`.
    """
    if audit.error is None and not any(verdict.dropped for verdict in audit.verdicts):
        return KeptAnswer(audit.value, (), audit)
    source = source or audit.source
    if source is None:
        raise ContextError(
            "This audit is a copy, which does not hold the model and the context. Pass them: "
            "keep_valid(audit, Model, context=...)."
        )
    given, is_json = _parsed(audit.given)
    answer = TrimmedAnswer(given)
    faults: list[_Fault] = []
    errors: list[ValidationError] = []
    for _ in range(_MAX_ROUNDS):
        value, error = _validate(answer.data, source, is_json=is_json)
        if error is None:
            return KeptAnswer(value, tuple(_parts(answer, faults)), audit)
        errors.append(error)
        if (required := _leave_out(answer, error, faults)) is not None:
            errors[0].add_note(f"Nothing is kept: {required}")
            break
    raise errors[0]


def _parsed(given: Any) -> tuple[Any, bool]:
    """Return the answer as plain data, and whether it was JSON text."""
    if isinstance(given, str | bytes | bytearray):
        try:
            return from_json(given), True
        except (ValueError, TypeError):  # a lone surrogate is a TypeError
            return given, False
    return given, False


def _validate(
    data: Any, source: AuditSource, *, is_json: bool
) -> tuple[Any, ValidationError | None]:
    row = JSONText(to_json(data, inf_nan_mode="constants").decode()) if is_json else data
    [run] = run_answers(
        source.model,
        [row],
        [source.context],
        operation="keep_valid",
        strict=source.strict,
        drop=False,
    )
    return run.value, run.error


def _leave_out(answer: TrimmedAnswer, error: ValidationError, faults: list[_Fault]) -> str | None:
    """Leave out what is at fault, and note the faults; say what cannot be left out, if anything."""
    lines = error.errors(include_url=False, include_input=False)
    places = answer.places([line["loc"] for line in lines])
    # What is at fault because it is left out is no fault of the answer.
    faults.extend(
        _Fault(place.path, replace(verdict, loc=place.loc))
        for place, verdict in zip(places, faults_of(error), strict=True)
        if not answer.is_left_out(place)
    )
    items = {
        place.path
        for place, line in zip(places, lines, strict=True)
        if line.get("ctx", {}).get("on_fault") == "drop"
    }
    done: set[Loc] = set()
    for place, line in zip(places, lines, strict=True):
        if place.path not in done and not answer.leave_out(place, item=place.path in items):
            where = clip(".".join(map(str, place.loc)) or "the answer", 200)
            # Its last fault as it was given, not the one of being absent.
            inside = [fault for fault in faults if fault.path[: len(place.path)] == place.path]
            reason = inside[-1].verdict.message if inside else line["msg"]
            return f"{where} cannot be left out. {clip(str(reason), 200)}"
        done.add(place.path)
    return None


def _parts(answer: TrimmedAnswer, faults: Iterable[_Fault]) -> Iterator[LeftOut]:
    """Yield the parts that were left out, each with the faults in it."""
    of_part: dict[Loc, list[Verdict]] = {path: [] for path in answer.left_out}
    for path, verdict in faults:
        for depth in range(1, len(path) + 1):
            if path[:depth] in of_part:
                of_part[path[:depth]].append(verdict)
                break
    for path, verdicts in of_part.items():
        value = answer.given
        for step in path:
            value = value[step]
        yield LeftOut(path, value, tuple(verdicts))
