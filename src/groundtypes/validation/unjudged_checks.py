"""Rejects types that declare a check which Pydantic never runs.

A plain validator, `SkipValidation` or `InstanceOf` takes the place of everything inside it, and the
items of an `Iterable` are validated only when they are read, after the answer has passed. The
annotation then names a check that the core schema lacks.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import InstanceOf

from groundtypes.errors import MarkerError
from groundtypes.validation.core_schemas import (
    checks_in,
    contains_check,
    definitions_of,
    fields_schema,
    reachable_parts,
)
from groundtypes.validators.annotations import annotation_parts, declares_check, field_annotations
from groundtypes.validators.check import Check


def reject_unjudged_checks(name: str, annotation: Any, schema: Mapping[str, Any]) -> None:
    """Reject a type whose annotations declare a check that its core schema does not run.

    Args:
        name: The name of the type, for the message.
        annotation: The type.
        schema: The core schema of the type.

    Raises:
        MarkerError: There is such a check; the message names its field.
    """
    definitions = definitions_of(schema)
    parts = list(reachable_parts(schema, definitions))
    for part in parts:
        if part.get("type") == "generator" and contains_check(part, definitions):
            raise MarkerError(
                f"{name} has a check on the items of an Iterable, which Pydantic validates only "
                "when they are read, after the answer has passed. Use list or Sequence."
            )
    _reject_unjudged(name, annotation, schema, definitions)
    for part in parts:
        fields = fields_schema(part)
        cls = _class_of(part)
        if fields is None or cls is None:
            continue
        for field, hint in field_annotations(cls).items():
            if field in fields:
                label = f"{cls.__name__}.{field}"
                _reject_unjudged(label, hint, fields[field], definitions)


def _reject_unjudged(
    label: str,
    annotation: Any,
    schema: Mapping[str, Any],
    definitions: Mapping[str, Mapping[str, Any]],
) -> None:
    declared = list(annotation_parts(annotation))
    if not declared:
        return
    checks = [part for part in declared if isinstance(part, Check)]
    classes = [part for part in declared if isinstance(part, type) and declares_check(part)]
    takes_instances = any(type(part).__name__ == InstanceOf.__name__ for part in declared)
    if takes_instances and (checks or classes):
        raise MarkerError(
            f"{label} is InstanceOf a type with checks, which takes instances without validating "
            "them. Use the type itself."
        )
    if not checks and not classes:
        return
    run = list(checks_in(schema, definitions))
    made = [_class_of(part) for part in reachable_parts(schema, definitions)]
    unjudged = next(
        (check.name for check in checks if checks.count(check) > run.count(check)), None
    )
    missing = next((cls.__name__ for cls in classes if cls not in made), None)
    if unjudged is not None or missing is not None:
        raise MarkerError(
            f"{label} declares {unjudged or f'the checks of {missing}'}, but they would never run: "
            "a plain validator or SkipValidation takes their place. Use a validator with "
            'mode="after" or "before".'
        )


def _class_of(part: Mapping[str, Any]) -> type | None:
    """Return the class whose instances a part of a schema makes, if it makes any."""
    # Before Pydantic 2.14 the schema of a named tuple is a call of its class.
    cls = part.get("cls", part.get("function"))
    return cls if isinstance(cls, type) else None
