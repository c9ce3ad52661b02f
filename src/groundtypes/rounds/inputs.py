"""The input of a validation, made so that several rounds read the same thing."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

__all__ = ["in_list", "prune", "repeatable"]


def repeatable(data: Any, *, open_models: bool = True) -> Any:
    """Return the data with one-shot iterators read into lists and model instances opened up.

    An iterator would be empty in the second round, and an instance of a model would not be
    validated at all, which is no way to audit a stored answer. Anything else comes back as it
    is, the same object where nothing in it had to change. Without `open_models`, instances stay
    as they are.
    """
    return _repeatable(data, (), open_models=open_models)


def _repeatable(data: Any, above: tuple[int, ...], *, open_models: bool) -> Any:
    if data is None or isinstance(data, str | bytes | int | float):
        return data
    if id(data) in above or len(above) > 200:
        return data  # Pydantic reports cycles and overlong nesting itself
    above = (*above, id(data))
    if isinstance(data, BaseModel):
        return _opened(data, type(data).model_fields, above) if open_models else data
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        infos = getattr(data, "__pydantic_fields__", None)
        return _opened(data, infos, above) if infos is not None and open_models else data
    if isinstance(data, Iterator):
        return [_repeatable(item, above, open_models=open_models) for item in data]
    if type(data) is dict:
        pairs = {
            key: _repeatable(value, above, open_models=open_models) for key, value in data.items()
        }
        return pairs if any(pairs[key] is not data[key] for key in data) else data
    if type(data) in (list, tuple):
        items = [_repeatable(item, above, open_models=open_models) for item in data]
        if all(new is old for new, old in zip(items, data, strict=True)):
            return data
        return type(data)(items)
    return data


def _opened(instance: Any, infos: dict[str, FieldInfo], above: tuple[int, ...]) -> dict[str, Any]:
    config = getattr(type(instance), "model_config", {})
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    opened: dict[str, Any] = {}
    for name, info in infos.items():
        if name in instance.__dict__ or hasattr(instance, name):
            key = name if by_name else _key(name, info)
            opened[key] = _repeatable(getattr(instance, name), above, open_models=True)
    opened.update(getattr(instance, "__pydantic_extra__", None) or {})
    return opened


def _key(name: str, info: FieldInfo) -> str:
    alias = info.validation_alias if info.validation_alias is not None else info.alias
    if isinstance(alias, AliasChoices):
        alias = next((choice for choice in alias.choices if isinstance(choice, str)), None)
    return alias if isinstance(alias, str) else name


def prune(data: Any, places: list[tuple[str | int, ...]]) -> Any:
    """Return the data without the innermost list item above each place.

    The containers on the way are copied, the rest is shared. A place under no list changes
    nothing; the same object comes back when none does.
    """
    doomed: dict[tuple[str | int, ...], set[int]] = {}
    for place in places:
        if (path := _item(data, place)) is not None:
            doomed.setdefault(path[:-1], set()).add(int(path[-1]))
    # Deeper lists first: removing an item above them would move the positions on their path.
    for path in sorted(doomed, key=len, reverse=True):
        data = _without(data, path, doomed[path])
    return data


def in_list(data: Any, place: tuple[str | int, ...]) -> bool:
    """Say whether a place of the data is a list item, or stands in one."""
    return _item(data, place) is not None


def _item(data: Any, place: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    """Return the path in the data of the innermost list item on the way to a place."""
    path: tuple[str | int, ...] = ()
    item: tuple[str | int, ...] | None = None
    for step in place:
        if isinstance(data, dict) and step in data:
            path, data = (*path, step), data[step]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            path, data = (*path, step), data[step]
            item = path
        # else: a step that Pydantic added, such as the tag of a union
    return item


def _without(data: Any, path: tuple[str | int, ...], positions: set[int]) -> Any:
    if not path:
        return [item for position, item in enumerate(data) if position not in positions]
    copy = data.copy()
    copy[path[0]] = _without(data[path[0]], path[1:], positions)
    return copy
