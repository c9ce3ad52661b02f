"""The input of a validation: data that several rounds can read, and data without dropped items."""

import dataclasses
from collections import OrderedDict, defaultdict, deque
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple, get_type_hints

from pydantic import AliasChoices, AliasPath, BaseModel, RootModel
from pydantic.fields import FieldInfo

from groundtypes.errors import ContextError
from groundtypes.verdicts import Loc

_MISSING: Final = object()


class PydanticDataclass:
    """Stands for every dataclass of Pydantic, which have no base in common."""


#: The classes whose instances Pydantic takes as validated.
MODELS: Final[tuple[type, ...]] = (BaseModel, PydanticDataclass)


def is_instance_of(data: Any, classes: tuple[type, ...]) -> bool:
    """Return whether data is an instance of these classes, or with `MODELS` of any model's."""
    try:
        if isinstance(data, classes):
            return True
    except Exception:  # noqa: BLE001 - Pydantic 2.10 asks the object for an attribute
        return False
    return (
        PydanticDataclass in classes
        and dataclasses.is_dataclass(type(data))
        and hasattr(type(data), "__pydantic_fields__")
    )


def fields_of(instance: Any) -> Any:
    """Return the fields of an instance by the keys that its class reads; of a root model its root.

    Raises:
        ContextError: The instance does not keep everything that it was made of.
    """
    if isinstance(instance, RootModel):
        return instance.root
    fields: dict[str, Any] = {}
    for name, info, config in _fields(instance):
        value = getattr(instance, name, _MISSING)
        if value is not _MISSING:
            _store(fields, _path(name, info, config), value)
    fields.update(_extra(instance))
    return {key: _without_positions(value) for key, value in fields.items()}


def _fields(instance: Any) -> Iterator[tuple[str, FieldInfo | None, Mapping[str, Any]]]:
    """Yield the name, the description and the configuration of each field that is validated."""
    cls = type(instance)
    if isinstance(instance, BaseModel):
        for name, info in cls.model_fields.items():
            yield name, info, cls.model_config
        return
    made_of = [name for name, field in cls.__dataclass_fields__.items() if _is_init_var(field)]
    if made_of:
        raise ContextError(
            f"An instance of {cls.__name__} cannot be judged anew, because it does not keep "
            f"{', '.join(map(repr, made_of))} (InitVar). Pass the data that it was made of."
        )
    infos = getattr(cls, "__pydantic_fields__", None) or _annotated_fields(cls)
    config = getattr(cls, "__pydantic_config__", {})
    for field in dataclasses.fields(instance):
        if field.init:
            yield field.name, infos.get(field.name), config


def _extra(instance: Any) -> Mapping[str, Any]:
    if isinstance(instance, BaseModel):
        return instance.__pydantic_extra__ or {}
    if getattr(type(instance), "__pydantic_config__", {}).get("extra") != "allow":
        return {}
    names = type(instance).__dataclass_fields__
    return {name: value for name, value in vars(instance).items() if name not in names}


def _is_init_var(field: dataclasses.Field[Any]) -> bool:
    return getattr(field, "_field_type", None) is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined] # noqa: SLF001 # nothing public tells


def _annotated_fields(cls: type) -> dict[str, FieldInfo]:
    """Return what `Annotated` says of the fields of a standard dataclass."""
    try:
        hints = get_type_hints(cls, include_extras=True)
    except Exception:  # noqa: BLE001 # names that are not defined here, and the like
        return {}
    return {name: FieldInfo.from_annotation(hint) for name, hint in hints.items()}


def _path(name: str, info: FieldInfo | None, config: Mapping[str, Any]) -> tuple[str | int, ...]:
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    if info is None or by_name or config.get("validate_by_alias") is False:
        return (name,)
    alias: Any = info.validation_alias if info.validation_alias is not None else info.alias
    if isinstance(alias, AliasChoices):
        texts = [choice for choice in alias.choices if isinstance(choice, str)]
        alias = texts[0] if texts else next(iter(alias.choices), None)
    if isinstance(alias, AliasPath):
        return tuple(alias.path)
    return (alias if isinstance(alias, str) else name,)


class _Nested(dict[str | int, Any]):
    """A container that is built from the paths of several fields."""


def _store(fields: dict[str, Any], path: Iterable[str | int], value: Any) -> None:
    """Put a value where its path leads, which no other field may read."""
    *parents, last = path
    container: Any = fields
    for step in parents:
        container = container.setdefault(step, _Nested())
        if not isinstance(container, _Nested):
            break
    else:
        if last not in container:
            container[last] = value
            return
    raise ContextError(
        f"An instance cannot be judged anew, because two of its fields are read from "
        f"{parents[0] if parents else last!r} of the input. Pass the data that it was made of."
    )


def _without_positions(value: Any) -> Any:
    """Return a container as the list that its positions make, where they are those of a list."""
    if not isinstance(value, _Nested):
        return value
    parts = {step: _without_positions(part) for step, part in value.items()}
    positions = [step for step in parts if isinstance(step, int)]
    if positions and len(positions) == len(parts) and min(positions) >= 0:
        return [parts.get(position) for position in range(max(positions) + 1)]
    return parts


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

    An iterator would be empty in the second round. An instance of a model or a dataclass would not
    be validated at all, so that a stored answer could not be audited.

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
    """Return the data without the innermost list item that each location is in.

    Containers along the path are copied. If nothing is removed, `data` itself is returned.
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
