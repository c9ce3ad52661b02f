"""The input of a validation: data that several rounds can read, and data without dropped items."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from groundtypes.errors import ContextError
from groundtypes.rounds.instances import MODELS, fields_of, is_instance_of
from groundtypes.verdicts import Loc

#: Pydantic itself reports deeper nesting.
_MAX_DEPTH: Final = 200
#: Sequences and other values that hold no instances.
_FLAT: Final = (str, bytes, bytearray, int, float, range, memoryview)


def reusable_input(
    data: Any,
    *,
    unpack_models: bool = True,
    dataclasses: tuple[type, ...] = (),
    kept: tuple[type, ...] = (),
) -> Any:
    """Return the data with iterators read into lists and instances turned into plain data.

    An iterator would be empty in the second round. An instance of a model or a dataclass would
    not be validated at all, so that a stored answer could not be audited.

    Args:
        data: What is to be validated. If nothing in it changes, `data` itself is returned.
        unpack_models: Turn instances of models and Pydantic dataclasses into plain data.
        dataclasses: Standard dataclasses whose instances are turned into plain data too.
        kept: Classes whose instances stay, because a field asks for an instance.

    Raises:
        ContextError: An instance cannot be turned into plain data.
    """
    unpacked = _Unpacked((*MODELS, *dataclasses) if unpack_models else (), kept)
    return _reusable(data, (), unpacked)


class _Unpacked(NamedTuple):
    """The classes whose instances are turned into plain data, and those whose instances stay."""

    classes: tuple[type, ...]
    kept: tuple[type, ...]


def _reusable(data: Any, ancestors: tuple[int, ...], unpacked: _Unpacked) -> Any:
    if data is None or isinstance(data, _FLAT):
        return data
    is_instance = is_instance_of(data, unpacked.classes)
    if is_instance and isinstance(data, unpacked.kept):
        return data
    if id(data) in ancestors or len(ancestors) > _MAX_DEPTH:
        if is_instance:
            raise ContextError(
                f"An instance of {type(data).__name__} cannot be judged anew, because it contains "
                f"itself or is nested more than {_MAX_DEPTH} deep. Pass plain data."
            )
        return data  # Pydantic reports cycles itself
    ancestors = (*ancestors, id(data))
    if is_instance:
        fields = fields_of(data)
        if type(fields) is dict:
            return _reusable_mapping(fields, ancestors, unpacked)
        return _reusable(fields, ancestors, unpacked)
    if is_instance_of(data, (BaseModel,)):
        return data
    if isinstance(data, Mapping):
        return _reusable_mapping(data, ancestors, unpacked)
    if isinstance(data, Iterator):
        return [_reusable(item, ancestors, unpacked) for item in data]
    if isinstance(data, Sequence | AbstractSet | KeysView | ValuesView | ItemsView | deque):
        return _reusable_items(data, ancestors, unpacked)
    return data


def _reusable_mapping(
    data: Mapping[Any, Any], ancestors: tuple[int, ...], unpacked: _Unpacked
) -> Any:
    given = list(data.items())
    pairs = {key: _reusable(value, ancestors, unpacked) for key, value in given}
    if all(pairs[key] is value for key, value in given):
        return data
    if type(data) is OrderedDict:  # what a strict field accepts
        return OrderedDict(pairs)
    return defaultdict(data.default_factory, pairs) if type(data) is defaultdict else pairs


def _reusable_items(data: Iterable[Any], ancestors: tuple[int, ...], unpacked: _Unpacked) -> Any:
    given = list(data)
    items = [_reusable(item, ancestors, unpacked) for item in given]
    if all(new is old for new, old in zip(items, given, strict=True)):
        return data
    if isinstance(data, tuple):
        return tuple(items)
    return deque(items, data.maxlen) if isinstance(data, deque) else items


def remove_items(data: Any, locs: list[Loc]) -> Any:
    """Return the data without the list items that the locations are in.

    For each location the item of its innermost list is removed. Containers along the path are
    copied, others are shared. If nothing is removed, `data` itself is returned.
    """
    removed: dict[Loc, set[int]] = {}
    for loc in locs:
        if (path := _item_path(data, loc)) is not None:
            removed.setdefault(path[:-1], set()).add(int(path[-1]))
    # Deeper lists first: removing an item above them would move the positions on their path.
    for path in sorted(removed, key=len, reverse=True):
        data = _without_items(data, path, removed[path])
    return data


def is_in_list(data: Any, loc: Loc) -> bool:
    """Return whether a location of the data is a list item, or inside one."""
    return _item_path(data, loc) is not None


def _item_path(data: Any, loc: Loc) -> Loc | None:
    """Return the path of the innermost list item that contains a location of the data."""
    path: Loc = ()
    item_path: Loc | None = None
    for step in loc:
        if isinstance(data, dict) and step in data:
            path, data = (*path, step), data[step]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            path, data = (*path, step), data[step]
            item_path = path
        # else: a step that Pydantic added, such as the tag of a union
    return item_path


def _without_items(data: Any, path: Loc, positions: set[int]) -> Any:
    if not path:
        return [item for position, item in enumerate(data) if position not in positions]
    copy = data.copy()
    copy[path[0]] = _without_items(data[path[0]], path[1:], positions)
    return copy
