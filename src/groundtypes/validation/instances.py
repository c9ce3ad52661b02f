"""Instances of models and dataclasses as the plain data from which they are validated anew."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_type_hints

from pydantic import AliasChoices, BaseModel, RootModel
from pydantic.fields import FieldInfo

from groundtypes.errors import ContextError

_MISSING: Final = object()


def is_instance(data: Any, classes: tuple[type, ...]) -> bool:
    """Return whether data is an instance of one of the classes."""
    try:
        return isinstance(data, classes)
    except Exception:  # noqa: BLE001 - Pydantic 2.10 asks the object for an attribute
        return False


def is_model(data: Any) -> bool:
    """Return whether data is an instance of a model or of a dataclass of Pydantic."""
    cls = type(data)
    is_dataclass = dataclasses.is_dataclass(cls) and hasattr(cls, "__pydantic_fields__")
    return is_dataclass or is_instance(data, (BaseModel,))


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
    """
    if isinstance(instance, RootModel):
        return instance.root
    fields: dict[str, Any] = {}
    for name, info, config in _fields(instance):
        value = getattr(instance, name, _MISSING)
        if value is not _MISSING:
            fields[key_of_field(name, info, config)] = value
    return fields | _extra(instance)


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


def _extra(instance: Any) -> dict[str, Any]:
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


def key_of_field(name: str, info: FieldInfo | None, config: Mapping[str, Any]) -> str:
    """Return the key under which a field is read."""
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    if info is None or by_name or config.get("validate_by_alias") is False:
        return name
    alias = info.validation_alias if info.validation_alias is not None else info.alias
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias or name]
    key = next((choice for choice in choices if isinstance(choice, str)), None)
    if key is None:
        raise ContextError(
            f"An instance cannot be judged anew, because its field {name!r} is read from a part of "
            "a value of the input. Pass the data that it was made of."
        )
    return key
