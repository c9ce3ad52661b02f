"""Core schemas as Pydantic builds them: their parts, their definitions, and the checks in them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from groundtypes.validators.check import Check, checks_of_validator

__all__ = [
    "checks_in",
    "contains_check",
    "definitions_of",
    "fields_schema",
    "judged_fields",
    "reachable_parts",
    "schema_parts",
]


#: What a core schema says of serialization, and notes of Pydantic's own; no value is validated so.
_NOT_VALIDATED: Final = frozenset({"serialization", "metadata"})


def schema_parts(schema: object) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping in a schema; references to definitions are not followed."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            yield part
            # The value of either key is a mapping; a field may have the name, too.
            is_schema = isinstance(part.get("type"), str)
            stack.extend(
                value for key, value in part.items() if not (is_schema and key in _NOT_VALIDATED)
            )
        elif isinstance(part, list | tuple):
            stack.extend(part)


def definitions_of(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the parts of a schema that others refer to, by their names."""
    return {part["ref"]: part for part in schema_parts(schema) if isinstance(part.get("ref"), str)}


def reachable_parts(
    schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping in a schema and in the definitions that it refers to."""
    todo, visited = [schema], set[str]()
    while todo:
        for part in schema_parts(todo.pop()):
            yield part
            ref = part.get("schema_ref")
            if isinstance(ref, str) and ref not in visited and ref in definitions:
                visited.add(ref)
                todo.append(definitions[ref])


def checks_in(
    schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]
) -> Iterator[Check]:
    """Yield the checks in a schema, or in a definition that it refers to."""
    for part in reachable_parts(schema, definitions):
        function = part.get("function")
        if isinstance(function, Mapping):
            yield from checks_of_validator(function.get("function"))


def contains_check(schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a schema, or a definition that it refers to, contains a check."""
    return next(checks_in(schema, definitions), None) is not None


def fields_schema(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schemas of the fields of a class, if the part is that of one."""
    inner: Any = part
    while isinstance(inner, Mapping):
        fields = inner.get("fields")
        if isinstance(fields, Mapping):
            return fields
        if isinstance(fields, list) and inner["type"] != "dataclass":
            return {field["name"]: field for field in fields}
        arguments = inner.get("arguments_schema")
        if isinstance(arguments, list):
            return {field["name"]: field for field in arguments}
        inner = inner.get("schema") or arguments
    return None


def judged_fields(model: type, schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the fields of a model that one of its checks judges or reads."""
    definitions = definitions_of(schema)
    parts = list(reachable_parts(schema, definitions))
    fields = next((fields_schema(part) for part in parts if part.get("cls") is model), None) or {}
    if any(_judges(part, model) for part in parts):
        return frozenset(fields)
    names = [name for name, field in fields.items() if contains_check(field, definitions)]
    checks = (check for name in names for check in checks_in(fields[name], definitions))
    siblings = (sibling for check in checks for sibling in check.siblings)
    return frozenset((*names, *siblings)) & fields.keys()


def _judges(part: Mapping[str, Any], model: type) -> bool:
    """Return whether a part of a schema is a check of a whole model."""
    function = part.get("function")
    if not isinstance(function, Mapping) or not checks_of_validator(function.get("function")):
        return False
    inner = part.get("schema")
    while isinstance(inner, Mapping) and "fields" not in inner:
        if inner.get("cls") is model:
            return True
        inner = inner.get("schema")
    return False
