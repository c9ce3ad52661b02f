"""Rejects types that declare a check which Pydantic never runs.

A plain validator, `SkipValidation` or `InstanceOf` takes the place of everything inside it, the
items of an `Iterable` are validated only when they are read, after the answer has passed, and what
a computed field returns is never validated. The annotation then names a check that the core schema
lacks, or has less often.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pydantic import InstanceOf
from pydantic_core import PydanticUndefined

from groundtypes.errors import MarkerError
from groundtypes.validation.core_schemas import (
    BRANCHES,
    class_of,
    contains_check,
    definitions_of,
    fields_schema,
    function_of,
    parts_of,
    reachable_parts,
)
from groundtypes.validators.annotations import annotation_parts, field_annotations
from groundtypes.validators.check import Check, checks_of_validator, wrap_mode_error

#: Common types without fields.
_PLAIN: Final = frozenset({bool, bytes, float, int, str})
_Definitions = Mapping[str, Mapping[str, Any]]


def reject_unjudged_checks(name: str, annotation: Any, schema: Mapping[str, Any]) -> None:
    """Raise a `MarkerError` for a type that declares a check which its core schema does not run."""
    definitions = definitions_of(schema)
    parts = list(reachable_parts(schema, definitions))
    for part in parts:
        if part["type"] == "function-wrap" and isinstance(check := function_of(part), Check):
            raise wrap_mode_error(check.name)
        if part["type"] == "generator" and contains_check(part, definitions):
            raise MarkerError(
                f"{name} has a check on the items of an Iterable, which Pydantic validates only "
                "when they are read, after the answer has passed. Use list or Sequence."
            )
    _reject_unjudged(name, annotation, schema, definitions)
    for part in parts:
        fields = fields_schema(part)
        cls = class_of(part)
        if fields is None or cls is None:
            continue
        for field, hint in field_annotations(cls).items():
            if field in fields:
                label = f"{cls.__name__}.{field}"
                _reject_unjudged(label, hint, fields[field], definitions)
        _reject_computed(cls)


def declares_check(*classes: type, without_checks: Callable[[type], bool] | None = None) -> bool:
    """Return whether a field of the classes, or of one that their fields hold, has a check.

    A class `without_checks` is known to have none.
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


def _reject_unjudged(
    label: str, annotation: Any, schema: Mapping[str, Any], definitions: _Definitions
) -> None:
    parts = list(annotation_parts(annotation))
    declared = Counter(
        part
        for part in parts
        if isinstance(part, Check) or (isinstance(part, type) and declares_check(part))
    )
    if not declared:
        return
    if any(type(part).__name__ == InstanceOf.__name__ for part in parts):
        raise MarkerError(
            f"{label} is InstanceOf a type with checks, which takes instances without validating "
            "them. Use the type itself."
        )
    for part in declared - _run(schema, definitions, ()):
        name = part.name if isinstance(part, Check) else f"the checks of {part.__name__}"
        raise MarkerError(
            f"{label} declares {name}, but they would never run: a plain validator or "
            'SkipValidation takes their place. Use a validator with mode="after" or "before".'
        )


def _run(
    schema: Mapping[str, Any], definitions: _Definitions, ancestors: tuple[str, ...]
) -> Counter[Any]:
    """Count the checks that a schema runs and the classes that it makes; of these, nothing in them.

    Generic dataclasses and the like are looked into, because their checks are those of arguments.
    """
    found: Counter[Any] = Counter()
    if isinstance(schema.get("type"), str):
        if schema["type"] == "definitions":
            return _run(schema["schema"], definitions, ancestors)
        if schema["type"] in BRANCHES:
            for branch in BRANCHES[schema["type"]]:
                found |= _run(schema[branch], definitions, ancestors)
            return found
        found.update(checks_of_validator(function_of(schema)))
        ref = str(schema.get("schema_ref"))
        if ref in definitions and ref not in ancestors:
            found += _run(definitions[ref], definitions, (*ancestors, ref))
        if (cls := class_of(schema)) is not None:
            found[cls] += 1
            if hasattr(cls, "model_fields") or not getattr(cls, "__parameters__", ()):
                return found
    for part in parts_of(schema):
        found += _run(part, definitions, ancestors)
    return found


def _reject_computed(cls: type) -> None:
    decorators = getattr(cls, "__pydantic_decorators__", None)
    for name, decorator in getattr(decorators, "computed_fields", {}).items():
        hint = decorator.info.return_type
        if hint is not PydanticUndefined and any(_checks(hint)):
            raise MarkerError(
                f"{cls.__name__}.{name} is a computed field, which Pydantic never validates, so "
                "that its check would never run. Take the check out of its annotation, or make it "
                "a field."
            )


def _checks(annotation: Any) -> Iterator[bool]:
    return (isinstance(part, Check) for part in annotation_parts(annotation))
