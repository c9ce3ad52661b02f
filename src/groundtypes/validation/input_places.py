"""Places of the input of a validation, found along its core schema, as Pydantic itself goes.

An instance of a model is turned into plain data where the schema leads to a check, so that it is
judged anew, and stays as it is elsewhere. And where a fault has its location, the schema says which
list item that is in.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from groundtypes.validation.core_schemas import BRANCHES, contains_check, fields_schema, made_class
from groundtypes.verdicts import Loc

_Schema = Mapping[str, Any]
#: The schemas of containers whose items may be left out: the others keep their meaning.
_LISTS: Final = frozenset({"list", "set", "frozenset", "deque"})
#: The schemas of fields that may be given by their position.
_POSITIONAL: Final = frozenset({"arguments", "named-tuple"})
#: Stands for a part that the input does not have in this form, such as JSON within a text.
_UNKNOWN: Final = object()


class SchemaPlaces:
    """Finds the places of the input of one core schema."""

    def __init__(self, schema: _Schema, definitions: Mapping[str, _Schema]) -> None:
        self._schema = schema
        self._definitions = definitions
        self._checked: dict[int, bool] = {}

    @property
    def first(self) -> "InputPlace | None":
        """The place of the whole input; `None` without checks."""
        return self.place_of([self._schema])

    def place_of(self, schemas: Iterable[_Schema]) -> "InputPlace | None":
        """Return the place of a value that one of some schemas reads; `None` without checks."""
        shapes: list[_Schema] = []
        checked: list[type | None] = []
        unchecked: list[type | None] = []
        todo = [schema for schema in schemas if self._has_checks(schema)]
        for schema in todo:
            checked.append(made_class(schema, self._definitions))
            for shape in self._shapes(schema):
                if shape["type"] != "tagged-union":
                    shapes.append(shape)
                    continue
                for choice in shape["choices"].values():
                    if self._has_checks(choice):
                        todo.append(choice)
                    else:
                        unchecked.append(made_class(choice, self._definitions))
        return InputPlace(self, shapes, _known(checked), _known(unchecked)) if todo else None

    def item_path(self, data: Any, loc: Loc) -> Loc | None:
        """Return the path in the input of the innermost list item that contains a location.

        `None` if no list contains it, or if the input does not have that list. Elements of a tuple
        and what an alias path selects are no items: each has a meaning of its own.
        """
        return next(self._item_paths(self._schema, data, loc, (), None), None)

    def _item_paths(
        self, schema: _Schema, data: Any, loc: Loc, path: Loc, item: Loc | None
    ) -> Iterator[Loc | None]:
        if not loc:
            yield item
            return
        step, rest = loc[0], loc[1:]
        for shape in self._shapes(schema):
            if shape["type"] == "json":
                yield from self._item_paths(shape["schema"], _UNKNOWN, loc, path, item)
            elif shape["type"] == "tagged-union":
                for tag, choice in shape["choices"].items():
                    if str(getattr(tag, "value", tag)) == str(step):
                        yield from self._item_paths(choice, data, rest, path, item)
            else:
                key, part = _part_of(data, step)
                at, around = (*path, key), item
                if shape["type"] in _LISTS:
                    around = at if isinstance(data, list) and part is not _UNKNOWN else None
                for inner in inner_schemas(shape, step):
                    yield from self._item_paths(inner, part, rest, at, around)

    def _has_checks(self, schema: _Schema) -> bool:
        known = self._checked.get(id(schema))
        if known is None:
            known = self._checked[id(schema)] = contains_check(schema, self._definitions)
        return known

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
        elif kind not in ("alias", "json") and isinstance(schema.get("schema"), Mapping):
            inner = [schema["schema"]]
        else:
            yield schema
            return
        for part in inner:
            yield from self._shapes(part)


def _known(classes: Iterable[type | None]) -> tuple[type, ...]:
    return tuple(cls for cls in classes if cls is not None)


class InputPlace:
    """A place of the input that leads to a check.

    Attributes:
        classes: The classes of values at this place that have checks.
        unchecked: Classes of values at this place that have no checks.
    """

    __slots__ = ("_beyond", "_inner", "_names", "_places", "_shapes", "classes", "unchecked")

    def __init__(
        self,
        places: SchemaPlaces,
        shapes: list[_Schema],
        classes: tuple[type, ...],
        unchecked: tuple[type, ...],
    ) -> None:
        self.classes = classes
        self.unchecked = unchecked
        self._places = places
        self._shapes = shapes
        self._inner: dict[Any, InputPlace | None] = {}
        self._names = frozenset(name for shape in shapes for name in _first_steps(shape))
        #: A position that stands for all that no shape tells from others.
        self._beyond = 1 + max((name for name in self._names if isinstance(name, int)), default=-1)

    def inner(self, step: Any) -> "InputPlace | None":
        """Return the place of a part: of the value of a key, or of the item at a position."""
        if step not in self._names:  # answers have many other keys, which are not to be stored
            step = self._beyond if isinstance(step, int) else ""
        if step not in self._inner:
            schemas = [inner for shape in self._shapes for inner in inner_schemas(shape, step)]
            self._inner[step] = self._places.place_of(schemas)
        return self._inner[step]


def _first_steps(shape: _Schema) -> Iterator[Any]:
    """Yield the keys and positions whose parts a shape tells from others."""
    if shape["type"] == "alias":
        yield shape["path"][0]
    elif (fields := fields_schema(shape)) is not None:
        for name, field in fields.items():
            yield name
            yield from (path[0] for path in _aliases(field))
        if shape["type"] in _POSITIONAL:
            yield from range(len(fields))
    elif isinstance(items := shape.get("items_schema"), list | tuple):
        yield from range(len(items))


def inner_schemas(shape: _Schema, step: Any) -> Iterator[_Schema]:
    """Yield the schemas of the part of a value that one step of a path leads to."""
    if shape["type"] == "alias":
        if shape["path"][0] == step:
            yield _behind(shape["path"], shape["schema"])
        return
    fields = fields_schema(shape)
    if fields is None:
        yield from _item_schemas(shape, step)
        return
    is_field = False
    for position, (name, field) in enumerate(fields.items()):
        paths = [*_aliases(field), (name,)]
        if shape["type"] in _POSITIONAL:
            paths.append((position,))
        if path := next((path for path in paths if path[0] == step), None):
            is_field = True
            yield _behind(path, field["schema"])
    if not is_field and isinstance(shape.get("extras_schema"), Mapping):
        yield shape["extras_schema"]


def _behind(path: Loc, schema: _Schema) -> _Schema:
    """Return the schema of a value behind the first step of an alias path."""
    return {"type": "alias", "path": path[1:], "schema": schema} if len(path) > 1 else schema


def _aliases(field: _Schema) -> list[Loc]:
    alias = field.get("validation_alias", field.get("alias"))
    if alias is None:
        return []
    if isinstance(alias, str):
        return [(alias,)]
    return [tuple(path) for path in (alias if isinstance(alias[0], list) else [alias])]


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
