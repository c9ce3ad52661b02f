"""The input of a validation without the list items that are dropped."""

from collections.abc import Iterable
from typing import Any

from groundtypes.verdicts import Loc


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
