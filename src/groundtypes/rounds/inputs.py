"""The input of a validation without the list items that are dropped, and its locations."""

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groundtypes.verdicts import Loc


class InputItem(NamedTuple):
    """A list item: its path in the input, and the location that Pydantic gives it.

    They differ where a part is read under another name, or where a location has the tag of a union.
    """

    path: Loc
    loc: Loc


@dataclass(slots=True)
class LeftOut:
    """The items that were left out of an answer, by their locations in the answer as it was."""

    _items: set[Loc] = field(default_factory=set)
    _positions: dict[Loc, list[int]] = field(default_factory=dict)

    def add(self, locs: Iterable[Loc]) -> None:
        """Add items by their locations in what is left of the answer."""
        for loc in [self.original(loc) for loc in locs]:
            self._items.add(loc)
            insort(self._positions.setdefault(loc[:-1], []), int(loc[-1]))

    def original(self, loc: Loc) -> Loc:
        """Return a location in what is left of the answer as one in the answer as it was."""
        path: Loc = ()
        for step in loc:
            left_out = self._positions.get(path, [])
            path = (*path, _before(left_out, step) if isinstance(step, int) else step)
        return path

    def contain(self, loc: Loc) -> bool:
        """Return whether a location in the answer as it was is inside of such an item."""
        return any(loc[: depth + 1] in self._items for depth in range(len(loc)))


def _before(left_out: list[int], position: int) -> int:
    """Return where an item was before those at some positions, in their order, were left out."""
    return position + bisect_right(
        range(len(left_out)), position, key=lambda number: left_out[number] - number
    )


def without_items(data: Any, paths: Iterable[Loc]) -> Any:
    """Return the data without the list items at some paths; other containers are shared."""
    removed: dict[Loc, set[int]] = {}
    for path in paths:
        removed.setdefault(path[:-1], set()).add(int(path[-1]))
    # Deeper lists first: removing an item above them would move the positions on their path.
    for path in sorted(removed, key=len, reverse=True):
        data = _without(data, path, removed[path])
    return data


def _without(data: Any, path: Loc, positions: set[int]) -> Any:
    if not path:
        return [item for position, item in enumerate(data) if position not in positions]
    part = _without(data[path[0]], path[1:], positions)
    if isinstance(data, tuple):
        index = int(path[0]) % len(data)
        return (*data[:index], part, *data[index + 1 :])
    copy = data.copy()
    copy[path[0]] = part
    return copy
