"""The fields that Pydantic's own errors are about, by names that the program has declared.

The location of an error may have words of the answer: an unknown key, or the key of a mapping. They
would be text of the user, and a metric would get a new series for each. So only declared names are
used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.integrations.telemetry.texts import code_text
from groundtypes.validation.core_schemas import schema_parts

#: Where the schema of a class has its name, by its type.
_NAMES: Final = {
    "model-fields": "model_name",
    "dataclass-args": "dataclass_name",
    "typed-dict": "cls_name",
}

#: The fields of the models used last.
_known: Final[BoundedCache[Any, Mapping[Any, str]]] = BoundedCache(256)

#: The field and the error code of a fault.
SchemaFault = tuple[str, str]


def schema_faults(
    lines: Iterable[Mapping[str, Any]], model: Any, schema: Any, name: str
) -> Iterator[SchemaFault]:
    """Yield those lines of a `ValidationError` that no check has raised.

    Args:
        lines: The lines, with their contexts.
        model: What was validated.
        schema: Its core schema; `None` if it is not known.
        name: The name of the model, which stands for fields that are not known.
    """
    for line in lines:
        if "check" not in line.get("ctx", ()):
            fields = _fields(model, schema)
            names = (fields[step] for step in reversed(line["loc"]) if step in fields)
            yield next(names, name), code_text(line["type"])


def _fields(model: Any, schema: Any) -> Mapping[Any, str]:
    try:
        return _known.get_or_create(model, lambda: _declared_in(schema))
    except TypeError:  # such as an Annotated with a list among its metadata: not hashable
        return _declared_in(schema)


def _declared_in(schema: Any) -> Mapping[Any, str]:
    """Return the names and aliases of all fields in a schema, each with its label.

    That is `Fact.quote`, or only `quote` if several classes have such a field.
    """
    labels: dict[Any, str] = {}
    for part in schema_parts(schema):
        key = _NAMES.get(str(part.get("type")))
        if key is None:
            continue
        owner = part.get(key)
        if owner is None and "cls" in part:
            owner = part["cls"].__name__
        for name, field in _named(part.get("fields")):
            label = code_text(f"{owner}.{name}" if owner else name)
            for alias in (name, *_aliases(field)):
                known = labels.setdefault(alias, label)
                if known != label:
                    labels[alias] = code_text(name)
    return labels


def _named(fields: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(fields, Mapping):
        yield from fields.items()
    elif isinstance(fields, Sequence):
        yield from ((field["name"], field) for field in fields)


def _aliases(field: Mapping[str, Any]) -> Iterator[str]:
    alias = field.get("validation_alias")
    if isinstance(alias, str):
        yield alias
    elif isinstance(alias, list):  # paths
        stack = [alias]
        while stack:
            for step in stack.pop():
                if isinstance(step, str):
                    yield step
                elif isinstance(step, list):
                    stack.append(step)
