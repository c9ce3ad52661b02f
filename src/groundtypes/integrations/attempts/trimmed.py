"""An answer from which parts are left out: list items, and fields that may be absent.

Which part may be left out is not read from the model, whose fields may have validators of any kind.
A part is left out, the answer is validated again, and a fault that remains says that it may not:
then the part around it is left out.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from groundtypes.verdicts import Loc

#: What becomes of a part: it is absent, or `None` is in its place.
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
