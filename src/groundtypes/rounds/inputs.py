"""The input of a validation: data that several rounds can read, and data without dropped items."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from groundtypes.verdicts import Loc

__all__ = ["is_in_list", "remove_items", "reusable_input"]

#: Pydantic itself reports deeper nesting.
_MAX_DEPTH = 200


def reusable_input(data: Any, *, unpack_models: bool = True) -> Any:
    """Return the data with iterators read into lists and model instances turned into dicts.

    An iterator would be empty in the second round. An instance of a model would not be validated
    at all, so that a stored answer could not be audited.

    Args:
        data: What is to be validated. If nothing in it changes, `data` itself is returned.
        unpack_models: Turn instances of models and Pydantic dataclasses into dicts.
    """
    return _reusable(data, (), unpack_models=unpack_models)


def _reusable(data: Any, ancestors: tuple[int, ...], *, unpack_models: bool) -> Any:
    if data is None or isinstance(data, str | bytes | int | float):
        return data
    if id(data) in ancestors or len(ancestors) > _MAX_DEPTH:
        return data  # Pydantic reports cycles itself
    ancestors = (*ancestors, id(data))
    if isinstance(data, BaseModel):
        return _fields_of(data, type(data).model_fields, ancestors) if unpack_models else data
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        infos = getattr(data, "__pydantic_fields__", None)
        if infos is None or not unpack_models:
            return data
        return _fields_of(data, infos, ancestors)
    if isinstance(data, Iterator):
        return [_reusable(item, ancestors, unpack_models=unpack_models) for item in data]
    if type(data) is dict:
        pairs = {
            key: _reusable(value, ancestors, unpack_models=unpack_models)
            for key, value in data.items()
        }
        return pairs if any(pairs[key] is not data[key] for key in data) else data
    if type(data) in (list, tuple):
        items = [_reusable(item, ancestors, unpack_models=unpack_models) for item in data]
        if all(new is old for new, old in zip(items, data, strict=True)):
            return data
        return type(data)(items)
    return data


def _fields_of(
    instance: Any, infos: dict[str, FieldInfo], ancestors: tuple[int, ...]
) -> dict[str, Any]:
    """Return the fields of an instance under the keys by which they are validated."""
    config = getattr(type(instance), "model_config", {})
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    fields: dict[str, Any] = {}
    for name, info in infos.items():
        if name in instance.__dict__ or hasattr(instance, name):
            key = name if by_name else _input_key(name, info)
            fields[key] = _reusable(getattr(instance, name), ancestors, unpack_models=True)
    fields.update(getattr(instance, "__pydantic_extra__", None) or {})
    return fields


def _input_key(name: str, info: FieldInfo) -> str:
    alias = info.validation_alias if info.validation_alias is not None else info.alias
    if isinstance(alias, AliasChoices):
        alias = next((choice for choice in alias.choices if isinstance(choice, str)), None)
    return alias if isinstance(alias, str) else name


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
