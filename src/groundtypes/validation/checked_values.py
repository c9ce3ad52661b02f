"""The values of a validated answer that have checks, found along its core schema.

At the end of the rounds each of them must have a passing call of its checks. Pydantic does not
promise that: it takes an instance as validated, and a validator of the model may catch a fault or
return a value that no check has seen. The core schema says where a check is, so the answer is
walked along it, and what stands there is compared with the recorded calls
(`ValidationState.require_verdicts`).

A schema is compiled once into steps. Each step takes a value, notes it if it has checks, and puts
the parts of it that may have checks on a stack, so that deep answers need no deep recursion.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.rounds.inputs import InputItem
from groundtypes.rounds.state import CheckedValue
from groundtypes.validation.core_schemas import (
    BRANCHES,
    contains_check,
    definitions_of,
    made_class,
    reachable_parts,
)
from groundtypes.validation.instances import has_more_fields
from groundtypes.validation.list_items import ListItems
from groundtypes.validation.reusable_input import reusable_input
from groundtypes.validation.subclass_data import with_subclasses
from groundtypes.validators.check import Check
from groundtypes.validators.check_group import CheckGroup
from groundtypes.validators.marked_field import MarkedField
from groundtypes.verdicts import Loc

_MISSING: Final = object()


class _Walk:
    """One walk over an answer: the values still to be visited, and the checked ones found."""

    __slots__ = ("found", "stack", "visited")

    def __init__(self) -> None:
        #: A step, the value that it takes, and whether that is the default of a field.
        self.stack: list[tuple[_Step, Any, bool]] = []
        self.found: list[CheckedValue] = []
        self.visited: set[tuple[str, int]] = set()


#: Visits a value: notes it, or puts its parts on the stack.
_Step = Callable[[_Walk, Any, bool], None]


class CheckedSchema:
    """What a core schema says of the checks in it.

    Attributes:
        first: The step that takes an answer; `None` without checks.
        classes: The models and dataclasses that have checks.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        definitions = definitions_of(schema)
        self.first = _Compiler(definitions).step(schema)
        self.classes = tuple(
            {
                part["cls"]: None
                for part in reachable_parts(schema, definitions)
                if part["type"] in ("model", "dataclass") and contains_check(part, definitions)
            }
        )
        self._list_items = ListItems(schema, definitions)

    def prepared(
        self, data: Any, validate: Callable[[Any], Any], context: Any
    ) -> tuple[Any, Callable[[Any], Any]]:
        """Return an input as data that several rounds can read, and what validates these.

        `validate` validates data in which there are no instances of subclasses.
        """
        reusable = reusable_input(data, self.classes)
        if reusable.has_subclasses:
            validate = with_subclasses(validate, context)
        return reusable.data, validate

    def item(self, data: Any, loc: Loc) -> InputItem | None:
        """Return the innermost list item of the input that contains a location."""
        return self._list_items.item(data, loc)

    def values_in(self, answer: Any) -> list[CheckedValue]:
        """Return the values of a validated answer that have checks."""
        walk = _Walk()
        if self.first is None:
            return walk.found
        stack = walk.stack
        stack.append((self.first, answer, False))
        while stack:
            step, value, is_default = stack.pop()
            if value is not None:  # no check judges `None`
                step(walk, value, is_default)
        return walk.found


class _Compiler:
    """Compiles the parts of one schema."""

    def __init__(self, definitions: Mapping[str, Mapping[str, Any]]) -> None:
        self._definitions = definitions
        self._references: dict[tuple[str, bool], _Step | None] = {}

    def step(self, schema: Any, field: str | None = None, *, changes: bool = False) -> _Step | None:
        """Return the step of a schema, or `None` where it has no checks.

        `field` is the field that it belongs to. It `changes` if a validator of the user's follows,
        which may change a judged value.
        """
        kind = str(schema["type"])
        if kind.startswith("function-"):
            return self._function(schema, kind, field, changes=changes)
        if kind == "definition-ref":
            return self._reference(schema["schema_ref"], changes=changes)
        if kind in BRANCHES:
            branches = (schema[name] for name in BRANCHES[kind])
            found = (self.step(branch, field, changes=changes) for branch in branches)
            return next(filter(None, found), None)
        if kind == "tagged-union":
            return self._tagged_union(schema)
        if kind == "chain":
            *earlier, last = schema["steps"]
            steps = [self.step(part, field, changes=True) for part in earlier]
            return _together([*steps, self.step(last, field, changes=changes)])
        if kind == "default":
            return self._default(schema, field, changes=changes)
        if "fields" in schema and kind != "dataclass":  # which lists the names of its fields
            return self._fields(schema, schema["fields"])
        if kind.startswith("arguments"):
            return self._fields(schema, schema["arguments_schema"])
        if "arguments_schema" in schema:  # a call, such as that of a named tuple's class
            return self.step(schema["arguments_schema"])
        if kind == "model":
            return self._model(schema, field, changes=changes)
        if {"items_schema", "keys_schema", "values_schema"} & schema.keys():
            return self._container(schema)
        inner_schema = schema.get("schema")
        if isinstance(inner_schema, Mapping):
            return self.step(inner_schema, field, changes=changes)
        return None

    def _function(
        self, schema: Mapping[str, Any], kind: str, field: str | None, *, changes: bool
    ) -> _Step | None:
        function = schema["function"].get("function")
        group: CheckGroup | None = None
        if isinstance(function, CheckGroup):
            group = function
        elif isinstance(function, Check):  # a marker as `field_validator("name")(marker)`
            group = CheckGroup((function,), MarkedField(None, field))
        if "schema" not in schema:  # a plain validator
            return None if group is None else _checked(group, changes=changes)
        is_users = group is None and kind == "function-after"
        inner = self.step(schema["schema"], field, changes=changes or is_users)
        if group is None:
            return inner
        return _together([_checked(group, changes=changes or kind != "function-after"), inner])

    def _model(
        self, schema: Mapping[str, Any], field: str | None, *, changes: bool
    ) -> _Step | None:
        if schema.get("root_model"):
            return self._fields({}, [{"name": "root", "schema": schema["schema"]}])
        inner = self.step(schema["schema"], field, changes=changes)
        model = schema["cls"]
        if inner is None or not isinstance(model, type):
            return inner

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            step: _Step | None = inner
            cls: Any = type(value)
            if cls is not model and has_more_fields(cls, model):
                # Its own class has validated it.
                step = _step_of(cls, id(cls.__pydantic_core_schema__))
            if step is not None:
                step(walk, value, is_default)

        return visit

    def _reference(self, ref: str, *, changes: bool) -> _Step | None:
        key = (ref, changes)
        if key in self._references:
            return self._references[key]
        self._references[key] = self._later(key)  # it may refer to itself
        step = self.step(self._definitions[ref], changes=changes)
        self._references[key] = step
        return step

    def _later(self, key: tuple[str, bool]) -> _Step:
        """Return the step of a reference that is in the middle of being compiled."""

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            step = self._references[key]
            visited = (key[0], id(value))
            if step is not None and visited not in walk.visited:
                walk.visited.add(visited)  # an answer may contain itself
                step(walk, value, is_default)

        return visit

    def _fields(self, schema: Mapping[str, Any], parts: Any) -> _Step | None:
        named = isinstance(parts, Mapping)
        fields = parts if named else {part["name"]: part for part in parts}
        steps: list[tuple[str, _Step, bool, Any]] = []
        for name, part in fields.items():
            inner = part["schema"]
            has_default = inner["type"] == "default"
            if (step := self.step(inner["schema"] if has_default else inner, name)) is not None:
                default = inner.get("default", _MISSING) if has_default else _MISSING
                steps.append((name, step, has_default, default))
        extras = schema.get("extras_schema")
        extra = self.step(extras) if isinstance(extras, Mapping) else None
        if not steps and extra is None:
            return None

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            stack, values = walk.stack, _parts_of(value)
            given = value.__pydantic_fields_set__ if isinstance(value, BaseModel) else None
            for name, step, has_default, default in steps:
                part = values.get(name, _MISSING)
                if part is _MISSING:
                    part = getattr(value, name, None)  # a slot, or an item of a named tuple
                unset = has_default and (
                    _equals(part, default) if given is None else name not in given
                )
                stack.append((step, part, is_default or unset))
            if extra is not None:
                for part in _extras_of(value, values, fields):
                    stack.append((extra, part, is_default))

        return visit

    def _default(
        self, schema: Mapping[str, Any], field: str | None, *, changes: bool
    ) -> _Step | None:
        inner = self.step(schema["schema"], field, changes=changes)
        if inner is None or "default" not in schema:
            return inner
        default = schema["default"]

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            inner(walk, value, is_default or _equals(value, default))

        return visit

    def _container(self, schema: Mapping[str, Any]) -> _Step | None:
        items = schema.get("items_schema")
        if isinstance(items, list | tuple):
            return self._tuple(schema, items)
        item_schema = items or schema.get("values_schema")
        key = self.step(schema["keys_schema"]) if "keys_schema" in schema else None
        item = self.step(item_schema) if item_schema is not None else None
        if key is None and item is None:
            return None

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            if key is not None and isinstance(value, Mapping):
                walk.stack.extend((key, part, is_default) for part in value)
            if item is not None:
                walk.stack.extend([(item, part, is_default) for part in _items(value)])

        return visit

    def _tuple(self, schema: Mapping[str, Any], items: Iterable[Any]) -> _Step | None:
        steps = [self.step(item) for item in items]
        if not any(steps):
            return None
        variadic = schema.get("variadic_item_index")

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            parts = list(_items(value))
            taking = list(steps)
            if variadic is not None:
                repeated = max(0, len(parts) - len(steps) + 1)
                taking[variadic : variadic + 1] = [steps[variadic]] * repeated
            for step, part in zip(taking, parts, strict=False):
                if step is not None:
                    walk.stack.append((step, part, is_default))

        return visit

    def _tagged_union(self, schema: Mapping[str, Any]) -> _Step | None:
        discriminator = schema["discriminator"]
        choices = schema["choices"]
        steps = {
            tag: self.step(choice) for tag, choice in choices.items() if isinstance(choice, Mapping)
        }
        if not any(steps.values()):
            return None
        classes = {tag: made_class(choice, self._definitions) for tag, choice in choices.items()}

        def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
            by_class = (tag for tag, cls in classes.items() if type(value) is cls)
            tag = next(by_class, None) or _tag_of(value, discriminator, steps)
            step = None if tag is None else steps[tag]
            if step is not None:
                step(walk, value, is_default)

        return visit


@lru_cache(maxsize=256)
def _step_of(model: Any, _: int) -> _Step | None:
    return CheckedSchema(model.__pydantic_core_schema__).first


def _checked(group: CheckGroup, *, changes: bool) -> _Step:
    kind, label = group.kind, group.label

    def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
        walk.found.append(CheckedValue(kind, label, value, changes, is_default))

    return visit


def _equals(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def _together(steps: Iterable[_Step | None]) -> _Step | None:
    """Return a step that runs several steps on the same value."""
    found = [step for step in steps if step is not None]
    if len(found) < 2:  # none or one
        return found[0] if found else None

    def visit(walk: _Walk, value: Any, is_default: bool) -> None:  # noqa: FBT001 # a step
        for step in found:
            step(walk, value, is_default)

    return visit


def _parts_of(value: Any) -> Mapping[Any, Any]:
    """Return the fields of a model, a dataclass or a TypedDict that are not in slots."""
    if not isinstance(value, dict):
        parts = getattr(value, "__dict__", None)
        if type(parts) is dict and (isinstance(value, BaseModel) or not isinstance(value, Mapping)):
            return parts
    return value if isinstance(value, Mapping) else {}


def _extras_of(value: Any, values: Mapping[Any, Any], fields: Mapping[str, Any]) -> Iterable[Any]:
    """Return the values that belong to no field."""
    if isinstance(value, Mapping):
        return [part for name, part in values.items() if name not in fields]
    extra = getattr(value, "__pydantic_extra__", None)
    return list(extra.values()) if isinstance(extra, dict) else ()


def _items(value: Any) -> Iterable[Any]:
    """Return the items of a container, or the values of a mapping."""
    if type(value) is list:
        return value
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, str | bytes | Iterator) or not isinstance(value, Iterable):
        return ()
    return value


def _tag_of(value: Any, discriminator: Any, tags: Mapping[Any, object]) -> Any:
    """Return the tag of a value, or `None` if it has none of these."""
    if callable(discriminator):
        try:
            candidates = [discriminator(value)]
        except Exception:  # noqa: BLE001 # the user's function, on a value that it may not expect
            return None
    else:
        paths = discriminator if isinstance(discriminator, list) else [discriminator]
        names = [path[0] if isinstance(path, list) else path for path in paths]
        parts = _parts_of(value)
        candidates = [parts.get(name, getattr(value, str(name), None)) for name in names]
    candidates += [getattr(tag, "value", None) for tag in candidates]
    known = (tag for tag in candidates if isinstance(tag, Hashable) and tag in tags)
    return next(known, None)
