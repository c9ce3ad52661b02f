"""`keep_valid` for one answer: the model without the parts that are at fault.

Which part may be left out is not read from the model, whose fields may have validators of any kind.
A part is left out, the answer is validated again, and a fault that remains says that it may not:
then the part around it is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json, to_json, to_jsonable_python

from groundtypes.errors import ContextError
from groundtypes.integrations.recordings.calls import faults_of
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.answer_runs import JSONText, run_answers
from groundtypes.validation.audits import Audit, AuditSource
from groundtypes.verdicts import Loc, Verdict

_T_co = TypeVar("_T_co", covariant=True)
#: Required parts in required parts take two rounds each; nobody nests more of them.
_MAX_ROUNDS: Final = 64
_MAX_LINES: Final = 20
#: What becomes of a part: it is absent, or `None` is in its place.
_ABSENT: Final = "absent"
_NONE: Final = "none"


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


class FaultPlace(NamedTuple):
    """Where a fault is in the answer as it was given.

    `path` are the keys and positions that lead to the part at fault, `loc` is Pydantic's location
    of the fault. `union_depth` is how many steps lead to the value of a plain union on the way, if
    any.
    """

    path: Loc
    loc: Loc
    union_depth: int | None = None


class TrimmedAnswer:
    """Plain data and the parts of it that are left out."""

    def __init__(self, given: Any) -> None:
        """Take dicts, lists and tuples; any other value is left out as a whole or not at all."""
        self.given = given
        #: What becomes of the parts at these paths; one within another has no effect.
        self._changes: dict[Loc, str] = {}
        #: The paths of all that is around them.
        self._around: set[Loc] = set()

    @property
    def data(self) -> Any:
        """The answer without the parts that are left out; what is unchanged is shared."""
        return self._trimmed(self.given, ())

    @property
    def left_out(self) -> list[Loc]:
        """The paths of the parts that are left out, in order; none of them contains another."""
        return list(self._left_out_of(self.given, ()))

    def places(self, locs: list[Loc]) -> list[FaultPlace]:
        """Return where faults of `data` are in the answer as it was given."""
        positions: dict[Loc, list[int]] = {}
        return [self._place(loc, positions) for loc in locs]

    def _place(self, loc: Loc, positions: dict[Loc, list[int]]) -> FaultPlace:
        value = self.given
        path: Loc = ()
        given_loc: Loc = ()
        union_depth: int | None = None
        for number, step in enumerate(loc):
            child: str | int | None = None
            if isinstance(value, dict) and step in value:
                child = step
            elif isinstance(value, list | tuple) and isinstance(step, int):
                if path not in positions:
                    positions[path] = [at for at in range(len(value)) if self._has((*path, at))]
                if 0 <= step < len(positions[path]):
                    child = positions[path][step]
            if child is None:
                # Pydantic adds the branch of a union. If it is not a tag that the data themselves
                # carry, then without one part of it the value might pass as another branch.
                if union_depth is None and not _has_tag(value, step):
                    union_depth = len(path)
                given_loc = (*given_loc, step)
                continue
            path, given_loc, value = (*path, child), (*given_loc, child), value[child]
            if path in self._changes:
                # The fault is that the part is left out.
                return FaultPlace(path, (*given_loc, *loc[number + 1 :]), union_depth)
        return FaultPlace(path, given_loc, union_depth)

    def is_left_out(self, place: FaultPlace) -> bool:
        """Return whether a place is in a part that is left out."""
        return self._depth_left_out(place.path) is not None

    def leave_out(self, place: FaultPlace, *, item: bool = False) -> bool:
        """Leave out the smallest part with the fault that has not been tried, if there is one.

        A field becomes absent; if it is absent already, it becomes `None`; if it is `None` already,
        the part around it is left out. An item of a list is removed; with `item` it is the
        innermost.
        """
        path = place.path
        limit = len(path) if place.union_depth is None else place.union_depth
        if item:
            limit = self._innermost_item(path[:limit]) or limit
        if (left_out := self._depth_left_out(path)) is not None:
            if left_out < len(path):
                return True  # with a part around it, which another fault is in
            is_field = isinstance(path[-1], str) and limit == len(path)
            if is_field and self._changes[path] == _ABSENT:
                self._changes[path] = _NONE
                return True
            limit = min(limit, len(path) - 1)
        if limit == 0:
            return False
        self._changes[path[:limit]] = _ABSENT
        self._around.update(path[:depth] for depth in range(limit))
        return True

    def _has(self, path: Loc) -> bool:
        return self._changes.get(path) != _ABSENT

    def _innermost_item(self, path: Loc) -> int | None:
        innermost = None
        value = self.given
        for depth, step in enumerate(path, 1):
            if isinstance(value, list | tuple):
                innermost = depth
            value = value[step]
        return innermost

    def _depth_left_out(self, path: Loc) -> int | None:
        """Return how many steps lead to the part on this path that is left out already."""
        depths = range(1, len(path) + 1)
        return next((depth for depth in depths if path[:depth] in self._changes), None)

    def _trimmed(self, value: Any, path: Loc) -> Any:
        if self._changes.get(path) == _NONE:
            return None
        if path not in self._around:
            return value
        kept = [
            (step, self._trimmed(child, (*path, step)))
            for step, child in _children(value)
            if self._has((*path, step))
        ]
        if isinstance(value, dict):
            return dict(kept)
        items = [child for _, child in kept]
        return tuple(items) if isinstance(value, tuple) else items

    def _left_out_of(self, value: Any, path: Loc) -> Iterator[Loc]:
        if path in self._changes:
            yield path
        elif path in self._around:
            for step, child in _children(value):
                yield from self._left_out_of(child, (*path, step))


def _children(value: Any) -> Any:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _has_tag(value: Any, step: str | int) -> bool:
    return isinstance(value, dict) and any(
        isinstance(tag, str | int) and str(tag) == str(step) for tag in value.values()
    )


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
