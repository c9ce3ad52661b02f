"""What the annotations of a class declare: the checks in them, and the classes of the values."""

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from groundtypes.validators.check import Check

#: Types whose arguments are not values of the type.
_WITHOUT_VALUES: Final = (Callable, type, Literal)
#: Common types without fields.
_PLAIN: Final = frozenset({bool, bytes, float, int, str})


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
