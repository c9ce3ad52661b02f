"""List items of the input of a validation, found along its core schema, as Pydantic itself goes.

Where a fault has its location, the schema says which list item that is in.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from groundtypes.rounds.inputs import InputItem
from groundtypes.validation.core_schemas import BRANCHES, fields_schema
from groundtypes.verdicts import Loc

_Schema = Mapping[str, Any]
#: The schemas of containers whose items may be left out: the others keep their meaning.
_LISTS: Final = frozenset({"list", "set", "frozenset", "deque"})
#: The schemas of fields that may be given by their position.
_POSITIONAL: Final = frozenset({"arguments", "named-tuple"})
#: Stands for a part that the input does not have in this form, such as JSON within a text.
_UNKNOWN: Final = object()


class ListItems:
    """Finds the list items of the input of one core schema."""

    def __init__(self, schema: _Schema, definitions: Mapping[str, _Schema]) -> None:
        self._schema = schema
        self._definitions = definitions

    def item(self, data: Any, loc: Loc) -> InputItem | None:
        """Return the innermost list item of the input that contains a location.

        `None` if no list contains it, or if the input does not have that list. Elements of a tuple
        and what an alias path selects are no items: each has a meaning of its own.
        """
        found = next(self._items(self._schema, data, loc, (), None), None)
        return found and InputItem(found.path, loc[: len(loc) - len(found.loc)])

    def _items(
        self, schema: _Schema, data: Any, loc: Loc, path: Loc, item: InputItem | None
    ) -> Iterator[InputItem | None]:
        """Yield the items that it may be, each with what follows it in the location."""
        if not loc:
            yield item
            return
        step, rest = loc[0], loc[1:]
        for shape in self._shapes(schema):
            if shape["type"] == "json":
                yield from self._items(shape["schema"], _UNKNOWN, loc, path, item)
            elif shape["type"] == "tagged-union":
                for tag, choice in shape["choices"].items():
                    if str(getattr(tag, "value", tag)) == str(step):
                        yield from self._items(choice, data, rest, path, item)
            else:
                key, part = _part_of(data, step)
                at, around = (*path, key), item
                if shape["type"] in _LISTS:
                    is_item = isinstance(data, list) and part is not _UNKNOWN
                    around = InputItem(at, rest) if is_item else None
                for inner in _inner_schemas(shape, step):
                    yield from self._items(inner, part, rest, at, around)

    def _shapes(self, schema: _Schema) -> Iterator[_Schema]:
        """Yield the schemas behind functions, references, branches and classes."""
        kind = schema["type"]
        inner: Iterable[_Schema]
        if kind == "definition-ref":
            inner = [self._definitions[schema["schema_ref"]]]
        elif kind in BRANCHES:
            inner = [schema[branch] for branch in BRANCHES[kind]]
        elif kind == "chain":
            inner = schema["steps"]
        elif kind == "call":
            inner = [schema["arguments_schema"]]
        elif kind != "json" and isinstance(schema.get("schema"), Mapping):
            inner = [schema["schema"]]
        else:
            yield schema
            return
        for part in inner:
            yield from self._shapes(part)


def _inner_schemas(shape: _Schema, step: Any) -> Iterator[_Schema]:
    """Yield the schemas of the part of a value that one step of a location leads to."""
    fields = fields_schema(shape)
    if fields is None:
        yield from _item_schemas(shape, step)
        return
    is_field = False
    for position, (name, field) in enumerate(fields.items()):
        if step in _keys(name, field) or (shape["type"] in _POSITIONAL and step == position):
            is_field = True
            yield field["schema"]
    if not is_field and isinstance(shape.get("extras_schema"), Mapping):
        yield shape["extras_schema"]


def _keys(name: str, field: _Schema) -> set[str]:
    """Return the keys under which a field is read, apart from paths of several steps."""
    alias: Any = field.get("validation_alias", field.get("alias", name))
    if isinstance(alias, str):
        return {name, alias}
    paths = alias if isinstance(alias[0], list) else [alias]
    return {name, *(path[0] for path in paths if len(path) == 1)}


def _item_schemas(shape: _Schema, step: Any) -> Iterator[_Schema]:
    items = shape.get("items_schema")
    if not isinstance(items, list | tuple):
        inner = items if items is not None else shape.get("values_schema")
        if isinstance(inner, Mapping):
            yield inner
    elif isinstance(step, int):
        variadic = shape.get("variadic_item_index")
        if variadic is not None and step >= variadic:
            yield from items[variadic:]  # the repeated element, or one behind it
        else:
            yield from items[step : step + 1]


def _part_of(data: Any, step: Any) -> tuple[Any, Any]:
    """Return the key of a part of the input, given its step in a location, and the part."""
    if isinstance(data, dict):
        # A location has the text of a key that is neither a text nor an integer.
        key = step if step in data else next((key for key in data if str(key) == step), step)
    elif isinstance(data, list | tuple) and isinstance(step, int):
        key = step
    else:
        return step, _UNKNOWN
    try:
        return key, data[key]
    except LookupError:
        return step, _UNKNOWN
