"""Core schemas as Pydantic builds them: their parts, their definitions, and the checks in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from groundtypes.validators.check import Check, checks_of_validator

#: What a core schema says of serialization, and notes of Pydantic's own; no value is validated so.
_NOT_VALIDATED: Final = frozenset({"serialization", "metadata", "config"})

#: Schemas without parts.
_LEAVES: Final = frozenset(
    {"any", "bool", "bytes", "date", "datetime", "decimal", "float", "int", "literal", "none"}
    | {"str", "time", "timedelta", "url", "uuid"}
)
#: The alternatives of these schemas have the same checks.
BRANCHES: Final = {
    "lax-or-strict": ("lax_schema", "strict_schema"),
    "json-or-python": ("python_schema", "json_schema"),
}


def parts_of(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings directly in a part of a schema: schemas, or mappings of schemas."""
    # A mapping of fields has no type, but perhaps a field of that name, which is a mapping.
    is_schema = type(part.get("type")) is str
    for key, value in part.items():
        kind = type(value)
        if kind is dict:
            if not (is_schema and key in _NOT_VALIDATED):
                yield value
        elif kind is list or kind is tuple:
            yield from _mappings(value)


def _mappings(items: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings among some items, and in the lists and tuples among them."""
    for item in items:
        if type(item) is dict:
            yield item
        elif type(item) is list or type(item) is tuple:
            yield from _mappings(item)


def schema_parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a schema and every schema in it; no reference is followed."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if type(part.get("type")) is str:
            yield part
        stack.extend(parts_of(part))


def definitions_of(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the parts of a schema that others refer to, by their names."""
    return {part["ref"]: part for part in schema_parts(schema) if "ref" in part}


def reachable_parts(
    schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield every schema in a schema and in the definitions that it refers to."""
    todo, visited = [schema], set[str]()
    while todo:
        for part in schema_parts(todo.pop()):
            yield part
            ref = part.get("schema_ref")
            if ref is not None and ref not in visited and ref in definitions:
                visited.add(ref)
                todo.append(definitions[ref])


def function_of(part: Mapping[str, Any]) -> Any:
    """Return the validator function of a part of a schema, if it has one."""
    function = part.get("function")
    return function.get("function") if isinstance(function, dict) else None


def checks_in(
    schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]
) -> Iterator[Check]:
    """Yield the checks in a schema, or in a definition that it refers to."""
    for part in reachable_parts(schema, definitions):
        yield from checks_of_validator(function_of(part))


def contains_check(schema: Mapping[str, Any], definitions: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a schema, or a definition that it refers to, contains a check."""
    return next(checks_in(schema, definitions), None) is not None


def survey(
    schema: Mapping[str, Any],
    resolve: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    without_checks: Callable[[type], bool],
) -> tuple[bool, list[type]]:
    """Return whether a schema leads to a check, and the classes whose instances it makes.

    It is `contains_check` for a schema that is being generated. Nothing is looked for behind a
    check, nor in a class `without_checks`. `resolve` returns the schema that a reference leads to;
    it raises `LookupError` for that of a class which is still being generated.
    """
    stack = [schema]
    classes: list[type] = []
    visited = set[str]()
    while stack:
        part = stack.pop()
        kind = part.get("type")
        if type(kind) is str:
            if kind in _LEAVES:
                continue
            if "cls" in part and isinstance(cls := part["cls"], type):
                if without_checks(cls):
                    continue
                classes.append(cls)
            if "function" in part and checks_of_validator(function_of(part)):
                return True, classes
            if "schema_ref" in part and (ref := part["schema_ref"]) not in visited:
                visited.add(ref)
                try:
                    stack.append(resolve(part))
                except LookupError:
                    continue
        stack.extend(parts_of(part))
    return False, classes


def class_of(part: Mapping[str, Any]) -> type | None:
    """Return the class whose instances a part of a schema makes, if it makes any."""
    # Before Pydantic 2.14 the schema of a named tuple is a call of its class.
    cls = part.get("cls", part.get("function"))
    return cls if isinstance(cls, type) and part["type"] != "is-instance" else None


def fields_schema(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schemas of the fields of a class, if the part is that of one."""
    inner: Any = part
    while isinstance(inner, Mapping):
        if inner.get("root_model"):
            return {"root": {"type": "model-field", "schema": inner["schema"]}}
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
    fields = _fields_of(model, parts)
    if any(_judges(part, model) for part in parts):
        return frozenset(fields)
    checks = {name: list(checks_in(field, definitions)) for name, field in fields.items()}
    judged = {name for name, own in checks.items() if own}
    read = {sibling for own in checks.values() for check in own for sibling in check.siblings}
    return frozenset((judged | read) & fields.keys())


def _fields_of(model: type, parts: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the schemas of the fields of a model."""
    return next((fields_schema(part) for part in parts if part.get("cls") is model), None) or {}


def _judges(part: Mapping[str, Any], model: type) -> bool:
    """Return whether a part of a schema is a check of a whole model."""
    if not checks_of_validator(function_of(part)):
        return False
    inner = part.get("schema")
    while isinstance(inner, Mapping) and "fields" not in inner:
        if inner.get("cls") is model:
            return True
        inner = inner.get("schema")
    return False


def made_class(
    schema: Mapping[str, Any] | None, definitions: Mapping[str, Mapping[str, Any]]
) -> type | None:
    """Return the class of the values that a schema makes, if it is known."""
    while isinstance(schema, Mapping):
        if isinstance(schema.get("cls"), type):
            return None if schema["type"] == "typed-dict" else schema["cls"]
        if "schema_ref" in schema:
            schema = definitions.get(schema["schema_ref"])
        elif schema["type"] == "chain":
            schema = schema["steps"][-1]
        else:
            schema = schema.get("schema") or schema.get("lax_schema") or schema.get("python_schema")
    return None
