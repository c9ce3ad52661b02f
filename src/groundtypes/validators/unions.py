"""Unions in which a refuted value could pass as another type.

Pydantic tries the next branch of a plain union when one raises, so that a claim which its check
refutes may slip through as something that is not checked. A discriminated union picks one branch
by a tag and stays with it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from groundtypes.errors import MarkerError

__all__ = ["refuse_plain_unions"]


def refuse_plain_unions(
    name: str, schema: Mapping[str, Any], is_check: Callable[[object], bool]
) -> None:
    """Refuse a core schema with a check inside a plain union.

    Raises:
        MarkerError: There is one; the message names the model and the branches.
    """
    definitions = {part["ref"]: part for part in _parts(schema) if isinstance(part.get("ref"), str)}
    for part in _parts(schema):
        if part.get("type") == "union" and _reaches_check(part, definitions, is_check):
            branches = " | ".join(_branch(choice, definitions) for choice in part["choices"])
            raise MarkerError(
                f"{name} has a check inside the plain union {branches}: a value that the check "
                "refutes could pass as another branch. Give the branches a literal tag field and "
                "use Field(discriminator=...), or take the check out of the union."
            )


def _parts(schema: object) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping in a schema; references to definitions are not followed."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            yield part
            stack.extend(part.values())
        elif isinstance(part, list | tuple):
            stack.extend(part)


def _reaches_check(
    schema: Mapping[str, Any],
    definitions: Mapping[str, Mapping[str, Any]],
    is_check: Callable[[object], bool],
) -> bool:
    todo, seen = [schema], set[str]()
    while todo:
        for part in _parts(todo.pop()):
            function = part.get("function")
            if isinstance(function, Mapping) and is_check(function.get("function")):
                return True
            ref = part.get("schema_ref")
            if isinstance(ref, str) and ref not in seen and ref in definitions:
                seen.add(ref)
                todo.append(definitions[ref])
    return False


def _branch(choice: object, definitions: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a short name of a branch."""
    schema = choice[0] if isinstance(choice, tuple) else choice
    while isinstance(schema, Mapping):
        if isinstance(schema.get("cls"), type):
            return str(schema["cls"].__name__)
        if "schema_ref" in schema:
            schema = definitions.get(schema["schema_ref"])
        elif "schema" in schema and str(schema["type"]).startswith(("function", "default")):
            schema = schema["schema"]
        else:
            return str(schema["type"])
    return "?"
