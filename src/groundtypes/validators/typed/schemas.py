"""The schemas of fields: of what kind their values are, and where the values of a list are."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from groundtypes.errors import FAULTS

#: Schemas that wrap the schema of a value without changing what kind of value it is.
_WRAPPERS: Final = frozenset(
    {"function-after", "function-before", "function-wrap", "nullable", "default", "json-or-python"}
)
#: The schemas of containers, and where they hold the schema of their items.
_ITEMS: Final = {
    "list": "items_schema",
    "set": "items_schema",
    "frozenset": "items_schema",
    "tuple": "items_schema",
    "dict": "values_schema",
}
#: The schemas of numbers, and of dates, times and lengths of time.
MEASURED_SCHEMAS: Final = frozenset(
    ("int", "float", "decimal", "fraction", "date", "datetime", "time", "timedelta")
)
#: Those that take a truth value for 0 or 1. A validator in front of the others would keep strict
#: models from reading them from JSON.
BUILT_IN_NUMBERS: Final = frozenset(("int", "float"))
CLAIMED_SCHEMAS: Final = MEASURED_SCHEMAS | {"bool", "literal", "enum"}
#: Types that have no schema of their own in every version of Pydantic.
_BY_CLASS: Final = {Fraction: "fraction", Decimal: "decimal"}


def kinds_of_values(
    schema: Mapping[str, Any], source: Any, handler: GetCoreSchemaHandler
) -> Iterator[str]:
    """Yield the kinds of schemas of the values of a field: several of a union."""
    known = next((name for cls, name in _BY_CLASS.items() if source is cls), None)
    for inner in _schemas_of_values(schema, handler):
        if inner["type"] == "is-instance":
            yield _BY_CLASS.get(inner["cls"], "is-instance")
        else:
            yield known or inner["type"]


def choices_of_values(schema: Mapping[str, Any], handler: GetCoreSchemaHandler) -> Iterator[Any]:
    """Yield the values of the `Literal` or the enumeration of a field: of several in a union."""
    for inner in _schemas_of_values(schema, handler):
        yield from inner.get("expected", inner.get("members", ()))


def _schemas_of_values(
    schema: Mapping[str, Any], handler: GetCoreSchemaHandler
) -> Iterator[Mapping[str, Any]]:
    inner: Any = schema
    while True:
        if inner["type"] == "definition-ref":
            inner = handler.resolve_ref_schema(inner)
        elif inner["type"] == "json-or-python":
            inner = inner["python_schema"]
        elif inner["type"] in _WRAPPERS:
            inner = inner["schema"]
        elif inner["type"] == "union":
            for choice in inner["choices"]:
                part = choice[0] if isinstance(choice, tuple) else choice
                if part["type"] != "none":
                    yield from _schemas_of_values(part, handler)
            return
        elif inner["type"] == "lax-or-strict":
            inner = inner["strict_schema"]
        else:
            break
    yield inner


def kinds_of_items(schema: Mapping[str, Any], handler: GetCoreSchemaHandler) -> Iterator[str]:
    """Yield the kinds of schemas of the items of a container; `none` if it is no container."""
    inner: Any = schema
    while inner["type"] in ("nullable", "default"):
        inner = inner["schema"]
    items = inner.get(_ITEMS.get(inner["type"], ""))
    if items is None:
        yield "none"
    for item in items if isinstance(items, list) else [items] * (items is not None):
        yield from kinds_of_values(item, None, handler)


def on_items(schema: CoreSchema, mark: Callable[[CoreSchema], CoreSchema]) -> CoreSchema | None:
    """Return the schema of a container with marked items, or `None` if it is no container."""
    copy: dict[str, Any] = {**schema}
    if copy["type"] in ("nullable", "default"):
        inner = on_items(copy["schema"], mark)
        return None if inner is None else {**copy, "schema": inner}
    key = _ITEMS.get(copy["type"])
    if key is None or key not in copy:
        return None
    if copy["type"] == "tuple":
        copy[key] = [mark(item) for item in copy[key]]
    else:
        copy[key] = mark(copy[key])
    return copy


def without_bools(schema: CoreSchema) -> CoreSchema:
    """Return the schema of a number that takes no truth value, which Pydantic reads as 0 or 1."""
    return core_schema.no_info_before_validator_function(_reject_bool, schema)


def _reject_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError(
            "value_is_bool", "{message}", {"message": FAULTS["value_is_bool"]}
        )
    return value
