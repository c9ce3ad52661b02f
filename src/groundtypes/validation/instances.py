"""Instances of models and dataclasses as the plain data from which they are validated anew."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_type_hints

from pydantic import AliasChoices, AliasPath, BaseModel, RootModel
from pydantic.fields import FieldInfo

from groundtypes.errors import ContextError

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


def has_more_fields(model: type, base: type) -> bool:
    """Return whether a class is a model that is derived from another one and adds fields."""
    return (
        issubclass(model, BaseModel)
        and issubclass(base, BaseModel)
        and issubclass(model, base)
        and not issubclass(model, RootModel)
        and model.model_fields.keys() != base.model_fields.keys()
    )


def fields_of(instance: Any) -> Any:
    """Return the fields of an instance under the keys by which its class reads them.

    Of a root model this is its root.

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
    """Return the values that the instance holds beside its fields."""
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
    """Return where in the input the field is read."""
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
    """Put a value where its path leads.

    Raises:
        ContextError: Another field is read from a part of the same value.
    """
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
