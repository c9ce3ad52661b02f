"""Rejects plain unions in which a value that fails its check could pass as another type.

Pydantic tries the next branch of a plain union when one raises, so a value that fails the check
could be accepted by another branch. A discriminated union selects one branch by its tag and
tries no other.
"""

from collections.abc import Mapping
from typing import Any

from groundtypes.errors import MarkerError
from groundtypes.validation.core_schemas import contains_check, definitions_of, schema_parts


def reject_plain_unions(name: str, schema: Mapping[str, Any]) -> None:
    """Raise a `MarkerError` for a core schema with a check inside a plain union."""
    definitions = definitions_of(schema)
    for part in schema_parts(schema):
        if part.get("type") == "union" and contains_check(part, definitions):
            branches = " | ".join(_branch_name(choice, definitions) for choice in part["choices"])
            raise MarkerError(
                f"{name} has a check inside the plain union {branches}: a value that fails the "
                "check could be accepted by another branch. Give the branches a literal tag field "
                "and use Field(discriminator=...), or take the check out of the union."
            )


def _branch_name(choice: object, definitions: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a short name of a branch."""
    schema = choice[0] if isinstance(choice, tuple) else choice
    while isinstance(schema, Mapping):
        if isinstance(schema.get("cls"), type):
            return str(schema["cls"].__name__)
        if "schema_ref" in schema:
            schema = definitions.get(schema["schema_ref"])
        elif "schema" in schema and str(schema["type"]).startswith(("function", "default")):
            schema = schema["schema"]
        elif "lax_schema" in schema:  # a model whose checks run in rounds
            schema = schema["lax_schema"]
        else:
            return str(schema["type"])
    return "?"
