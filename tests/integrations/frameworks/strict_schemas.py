"""OpenAI's documented rules for the schemas of structured outputs in strict mode.

From "Structured model outputs: Supported schemas", as of February 2026.
"""

from collections.abc import Iterator
from typing import Any, Final

__all__ = ["violations"]

_TYPES: Final = {"string", "number", "boolean", "integer", "object", "array", "null"}
#: The keywords that a schema may have, by the type of its values.
_COMMON: Final = {"$defs", "$ref", "anyOf", "const", "description", "enum", "title", "type"}
_KEYWORDS: Final = {
    "string": {"pattern", "format"},
    "number": {"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties"},
}
_KEYWORDS["integer"] = _KEYWORDS["number"]
_FORMATS: Final = {
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
}
_MAX_PROPERTIES: Final = 5_000
_MAX_DEPTH: Final = 10
_MAX_CHARACTERS: Final = 120_000
_MAX_ENUM_VALUES: Final = 1_000
_LONG_ENUM: Final = 250
_MAX_LONG_ENUM_CHARACTERS: Final = 15_000


def violations(schema: dict[str, Any]) -> list[str]:
    """Return every rule that a schema breaks, with the place where it does."""
    found = []
    if schema.get("type") != "object" or "anyOf" in schema:
        found.append("(root): is no object, or is a union")
    parts = list(_parts(schema, "(root)"))
    for where, part in parts:
        found += [f"{where}: {text}" for text in _rules_broken(part, schema)]
    return found + list(_limits_exceeded(schema, [part for _, part in parts]))


def _parts(schema: dict[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield where, schema
    for group in ("properties", "$defs"):
        for name, part in schema.get(group, {}).items():
            yield from _parts(part, f"{where}.{name}")
    for number, part in enumerate(schema.get("anyOf", ())):
        yield from _parts(part, f"{where}.anyOf[{number}]")
    if isinstance(schema.get("items"), dict):
        yield from _parts(schema["items"], f"{where}[]")


def _rules_broken(part: dict[str, Any], root: dict[str, Any]) -> Iterator[str]:
    if "$ref" in part:
        if len(part) > 1:
            yield f"$ref beside {sorted(part.keys() - {'$ref'})}"
        if part["$ref"] != "#" and _resolve(part["$ref"], root) is None:
            yield f"{part['$ref']} does not exist"
        return
    types = part.get("type", [])
    types = [types] if isinstance(types, str) else types
    if not types and not part.keys() & {"anyOf", "enum", "const"}:
        yield "has no type"
    if unknown := set(types) - _TYPES:
        yield f"type {sorted(unknown)}"
    allowed = _COMMON.union(*(_KEYWORDS.get(name, ()) for name in types))
    if refused := part.keys() - allowed:
        yield f"keywords {sorted(refused)}"
    if "format" in part and part["format"] not in _FORMATS:
        yield f"format {part['format']}"
    if "object" in types:
        if part.get("additionalProperties") is not False:
            yield "additionalProperties is not false"
        if set(part.get("required", ())) != part.get("properties", {}).keys():
            yield "not all properties are required"
    if "array" in types and not isinstance(part.get("items"), dict):
        yield "an array without items"
    enum = [value for value in part.get("enum", ()) if isinstance(value, str)]
    if len(enum) > _LONG_ENUM and sum(map(len, enum)) > _MAX_LONG_ENUM_CHARACTERS:
        yield "a long enum with long values"


def _resolve(ref: str, root: dict[str, Any]) -> dict[str, Any] | None:
    part: Any = root
    for key in ref.removeprefix("#/").split("/"):
        part = part.get(key) if isinstance(part, dict) else None
    return part if isinstance(part, dict) else None


def _limits_exceeded(root: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[str]:
    names = [name for part in parts for name in part.get("properties", {})]
    values = [str(value) for part in parts for value in part.get("enum", ())]
    constants = [str(part["const"]) for part in parts if "const" in part]
    if len(names) > _MAX_PROPERTIES:
        yield f"{len(names)} properties"
    if len(values) > _MAX_ENUM_VALUES:
        yield f"{len(values)} enum values"
    characters = sum(map(len, [*names, *values, *constants, *root.get("$defs", {})]))
    if characters > _MAX_CHARACTERS:
        yield f"{characters} characters of names and values"
    depth = _depth(root, root, ())
    if depth > _MAX_DEPTH:
        yield f"{depth} levels of nesting"


def _depth(part: dict[str, Any], root: dict[str, Any], path: tuple[str, ...]) -> int:
    """Return how many objects are inside of each other; a recursion counts once."""
    if ref := part.get("$ref"):
        if ref in path or ref == "#":
            return 0
        target = _resolve(ref, root)
        return 0 if target is None else _depth(target, root, (*path, ref))
    inner = [*part.get("properties", {}).values(), *part.get("anyOf", ())]
    if isinstance(part.get("items"), dict):
        inner.append(part["items"])
    deepest = max((_depth(other, root, path) for other in inner), default=0)
    return deepest + ("properties" in part)
