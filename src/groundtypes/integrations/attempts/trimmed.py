"""An answer from which parts are left out: list items, and fields that may be absent.

Which part may be left out is not read from the model, whose fields may have validators of any kind.
A part is left out, the answer is validated again, and a fault that remains says that it may not:
then the part around it is left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from groundtypes.verdicts import Loc

_Step = str | int
_Tree = dict[_Step, Any]
#: Leaves of the tree of changes: the part is absent, or `None` is in its place.
_ABSENT: Final = "absent"
_NONE: Final = "none"


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
        self._changes: _Tree = {}

    @property
    def data(self) -> Any:
        """The answer without the parts that are left out; what is unchanged is shared."""
        return _changed(self.given, self._changes) if self._changes else self.given

    @property
    def left_out(self) -> list[Loc]:
        """The paths of the parts that are left out, in order; none of them contains another."""
        return list(_leaves(self.given, self._changes, ()))

    def places(self, locs: list[Loc]) -> list[FaultPlace]:
        """Return where faults of `data` are in the answer as it was given."""
        positions: dict[Loc, list[int]] = {}
        return [self._place(loc, positions) for loc in locs]

    def _place(self, loc: Loc, positions: dict[Loc, list[int]]) -> FaultPlace:
        value, changes = self.given, self._changes
        path: Loc = ()
        given_loc: Loc = ()
        union_depth: int | None = None
        for number, step in enumerate(loc):
            child: _Step | None = None
            if isinstance(value, dict) and step in value:
                child = step
            elif isinstance(value, list | tuple) and isinstance(step, int):
                if path not in positions:
                    positions[path] = _remaining(value, changes)
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
            change = changes.get(child)
            if not isinstance(change, dict) and change is not None:
                # The fault is that the part is left out.
                return FaultPlace(path, (*given_loc, *loc[number + 1 :]), union_depth)
            changes = change or {}
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
            if (
                self._change_at(path) == _ABSENT
                and isinstance(path[-1], str)
                and limit == len(path)
            ):
                self._set(path, _NONE)
                return True
            limit = min(limit, len(path) - 1)
        if limit == 0:
            return False
        self._set(path[:limit], _ABSENT)
        return True

    def _innermost_item(self, path: Loc) -> int | None:
        depths = []
        value = self.given
        for depth, step in enumerate(path, 1):
            if isinstance(value, list | tuple):
                depths.append(depth)
            value = value[step]
        return depths[-1] if depths else None

    def _depth_left_out(self, path: Loc) -> int | None:
        """Return how many steps lead to the part on this path that is left out already."""
        changes = self._changes
        for depth, step in enumerate(path, 1):
            change = changes.get(step)
            if change is None:
                return None
            if not isinstance(change, dict):
                return depth
            changes = change
        return None

    def _change_at(self, path: Loc) -> Any:
        change: Any = self._changes
        for step in path:
            change = change[step]
        return change

    def _set(self, path: Loc, change: str) -> None:
        changes = self._changes
        for step in path[:-1]:
            changes = changes.setdefault(step, {})
        changes[path[-1]] = change


def _changed(value: Any, changes: Mapping[_Step, Any]) -> Any:
    if isinstance(value, list | tuple):
        items = [
            _changed(item, change) if (change := changes.get(number)) else item
            for number, item in enumerate(value)
            if changes.get(number) != _ABSENT
        ]
        return tuple(items) if isinstance(value, tuple) else items
    copy = dict(value)
    for key, change in changes.items():
        if change == _ABSENT:
            del copy[key]
        else:
            copy[key] = None if change == _NONE else _changed(copy[key], change)
    return copy


def _remaining(items: list[Any] | tuple[Any, ...], changes: Mapping[_Step, Any]) -> list[int]:
    return [number for number in range(len(items)) if changes.get(number) != _ABSENT]


def _has_tag(value: Any, step: _Step) -> bool:
    return isinstance(value, dict) and any(
        isinstance(tag, str | int) and str(tag) == str(step) for tag in value.values()
    )


def _leaves(value: Any, changes: _Tree, path: Loc) -> Iterator[Loc]:
    steps = value if isinstance(value, dict) else range(len(value))
    for step in steps:
        change = changes.get(step)
        if isinstance(change, dict):
            yield from _leaves(value[step], change, (*path, step))
        elif change is not None:
            yield (*path, step)
