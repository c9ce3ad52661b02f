"""Rejects types that declare a check which Pydantic never runs.

A plain validator, `SkipValidation` or `InstanceOf` takes the place of everything inside it, and the
items of an `Iterable` are validated only when they are read, after the answer has passed. The
annotation then names a check that the core schema lacks.
"""

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, InstanceOf

from groundtypes.errors import MarkerError
from groundtypes.validators.check import Check
from groundtypes.validators.core_schemas import (
    checks_in,
    contains_check,
    definitions_of,
    fields_schema,
    reachable_parts,
)

__all__ = ["annotation_parts", "declares_check", "field_annotations", "reject_lost_checks"]

#: Types whose arguments are not values of the type.
_WITHOUT_VALUES: Final = (Callable, type, Literal)
#: Common types without fields.
_PLAIN: Final = frozenset({bool, bytes, float, int, str})


def reject_lost_checks(name: str, annotation: Any, schema: Mapping[str, Any]) -> None:
    """Reject a type whose annotations declare a check that its core schema does not run.

    Args:
        name: The name of the type, for the message.
        annotation: The type.
        schema: The core schema of the type.

    Raises:
        MarkerError: There is such a check; the message names its field.
    """
    definitions = definitions_of(schema)
    parts = list(reachable_parts(schema, definitions))
    for part in parts:
        if part.get("type") == "generator" and contains_check(part, definitions):
            raise MarkerError(
                f"{name} has a check on the items of an Iterable, which Pydantic validates only "
                "when they are read, after the answer has passed. Use list or Sequence."
            )
    _reject_lost(name, annotation, schema, definitions)
    for part in parts:
        fields = fields_schema(part)
        cls = _class_of(part)
        if fields is None or cls is None:
            continue
        for field, hint in field_annotations(cls).items():
            if field in fields:
                label = f"{cls.__name__}.{field}"
                _reject_lost(label, hint, fields[field], definitions)


def _reject_lost(
    label: str,
    annotation: Any,
    schema: Mapping[str, Any],
    definitions: Mapping[str, Mapping[str, Any]],
) -> None:
    declared = list(annotation_parts(annotation))
    if not declared:
        return
    checks = [part for part in declared if isinstance(part, Check)]
    classes = [part for part in declared if isinstance(part, type) and declares_check(part)]
    takes_instances = any(type(part).__name__ == InstanceOf.__name__ for part in declared)
    if takes_instances and (checks or classes):
        raise MarkerError(
            f"{label} is InstanceOf a type with checks, which takes instances without validating "
            "them. Use the type itself."
        )
    if not checks and not classes:
        return
    run = list(checks_in(schema, definitions))
    made = [_class_of(part) for part in reachable_parts(schema, definitions)]
    lost = next((check.name for check in checks if checks.count(check) > run.count(check)), None)
    missing = next((cls.__name__ for cls in classes if cls not in made), None)
    if lost is not None or missing is not None:
        raise MarkerError(
            f"{label} declares {lost or f'the checks of {missing}'}, but they would never run: a "
            "plain validator or SkipValidation takes their place. Use a validator with "
            'mode="after" or "before".'
        )


def _class_of(part: Mapping[str, Any]) -> type | None:
    """Return the class whose instances a part of a schema makes, if it makes any."""
    # Before Pydantic 2.14 the schema of a named tuple is a call of its class.
    cls = part.get("cls", part.get("function"))
    return cls if isinstance(cls, type) else None


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """Yield the classes and the metadata in an annotation; classes are not looked into."""
    stack, seen = [annotation], set[int]()
    while stack:
        part = stack.pop()
        origin = get_origin(part)
        if origin is Annotated:
            yield from part.__metadata__
            stack.append(part.__origin__)
        elif origin in _WITHOUT_VALUES:
            continue
        elif hasattr(part, "__value__"):  # an alias, which may refer to itself
            if id(part) not in seen:
                seen.add(id(part))
                stack.append(part.__value__)
        elif origin is not None and not isinstance(part, type):
            stack += [origin, *get_args(part)]
        elif isinstance(part, types.UnionType):
            stack += get_args(part)
        elif hasattr(part, "__supertype__"):
            stack.append(part.__supertype__)
        elif isinstance(part, type):
            yield part


def declares_check(*classes: type, without_checks: Callable[[type], bool] | None = None) -> bool:
    """Return whether a field of the classes, or of one that their fields hold, has a check.

    Args:
        classes: The classes.
        without_checks: Whether a class is known to have no checks.
    """
    todo, seen = list(classes), set[type]()
    while todo:
        known = todo.pop()
        if known in seen or (without_checks is not None and without_checks(known)):
            continue
        seen.add(known)
        for hint in field_annotations(known).values():
            if type(hint) is type and hint in _PLAIN:
                continue
            for part in annotation_parts(hint):
                if isinstance(part, Check):
                    return True
                if isinstance(part, type):
                    todo.append(part)
    return False


def field_annotations(cls: Any) -> Mapping[str, Any]:
    """Return the annotations of the fields of a class; none where it has no fields."""
    infos = getattr(cls, "__pydantic_fields__", None)
    if isinstance(infos, dict):
        return {
            name: Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
            for name, info in infos.items()
        }
    has_fields = hasattr(cls, "__total__") or hasattr(cls, "_fields")
    if not (has_fields or dataclasses.is_dataclass(cls)) or cls is BaseModel:
        return {}
    try:
        return get_type_hints(cls, include_extras=True)
    except Exception:  # noqa: BLE001 # names that are not defined here, and the like
        return {}
