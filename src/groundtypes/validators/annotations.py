"""What the annotations of a class declare: classes, and the metadata of values."""

import dataclasses
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel

#: Types whose arguments are not values of the type.
_WITHOUT_VALUES: Final = (Callable, type, Literal)
_UNIONS: Final = (Union, types.UnionType)


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """Yield the classes and the metadata in an annotation; classes are not looked into.

    What stands there twice is yielded twice. An alias, and a generic dataclass, TypedDict or named
    tuple, are looked into with the arguments that they are given.
    """
    for part, _ in _parts(annotation, None, {}, ()):
        yield part


def is_on_list_item(annotation: Any, marker: object) -> bool:
    """Return whether a marker in an annotation is on the items of lists or sets alone."""
    containers = [
        container
        for part, container in _parts(annotation, None, {}, ())
        if part is marker or (type(part) is type(marker) and part == marker)
    ]
    return bool(containers) and all(
        isinstance(container, type)
        and issubclass(container, Collection)
        and not issubclass(container, tuple | Mapping)
        for container in containers
    )


def _parts(
    part: Any, container: Any, bound: Mapping[Any, Any], ancestors: tuple[Any, ...]
) -> Iterator[tuple[Any, Any]]:
    """Yield the classes and the metadata in an annotation, with the innermost generic around each.

    Args:
        part: The annotation.
        container: The generic around it.
        bound: What the type variables stand for.
        ancestors: The aliases and classes that the annotation is within.
    """
    origin = get_origin(part)
    if origin is Annotated:
        for metadata in part.__metadata__:
            yield metadata, container
        yield from _parts(part.__origin__, container, bound, ancestors)
    elif isinstance(part, TypeVar):
        if part in bound:
            yield from _parts(bound[part], container, {}, ancestors)
    elif origin in _WITHOUT_VALUES:
        return
    elif hasattr(part, "__value__"):
        alias = part if origin is None else origin
        if alias not in ancestors:  # an alias may refer to itself
            inner = _bound(alias.__type_params__, get_args(part), bound)
            yield from _parts(alias.__value__, container, inner, (*ancestors, alias))
    elif origin is not None and not isinstance(part, type):
        yield from _parts(origin, container, bound, ancestors)
        fields = field_annotations(origin)
        if fields and origin not in ancestors:
            inner = _bound(getattr(origin, "__parameters__", ()), get_args(part), bound)
            for hint in fields.values():
                yield from _parts(hint, origin, inner, (*ancestors, origin))
        elif not fields:
            around = container if origin in _UNIONS else origin
            for argument in get_args(part):
                yield from _parts(argument, around, bound, ancestors)
    elif isinstance(part, types.UnionType):
        for argument in get_args(part):
            yield from _parts(argument, container, bound, ancestors)
    elif hasattr(part, "__supertype__"):
        yield from _parts(part.__supertype__, container, bound, ancestors)
    elif isinstance(part, type):
        yield part, container


def _bound(
    names: Iterable[Any], arguments: Iterable[Any], bound: Mapping[Any, Any]
) -> dict[Any, Any]:
    """Return what type variables stand for, given arguments that may be variables themselves."""
    pairs = zip(names, arguments, strict=False)
    return {
        name: bound.get(argument)
        if isinstance(argument, TypeVar)
        else _substituted(argument, bound)
        for name, argument in pairs
    }


def _substituted(argument: Any, bound: Mapping[Any, Any]) -> Any:
    """Return a generic argument such as `list[T]` with what its type variables stand for."""
    names = getattr(argument, "__parameters__", ())
    if not names or isinstance(argument, type) or not all(name in bound for name in names):
        return argument
    return argument[tuple(bound[name] for name in names)]


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
