"""The field that a marker is on, as far as it is known while the class is built.

Pydantic gives a marker the schema of its value, but not the model around it. Two things need the
model. A marker that names a sibling field must know whether that field exists, so that a misspelt
name raises `MarkerError` when the class is built, and whether it is declared earlier. And a
description given with `Field(...)` replaces the one that a marker adds. Only this module reads the
model, from a private attribute of Pydantic's schema handler. If a release of Pydantic lacks it, the
sibling is looked up when an answer arrives, and the description stays as the user wrote it.
"""

import dataclasses
import inspect
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic.fields import FieldInfo


@dataclass(frozen=True, slots=True)
class MarkedField:
    """The field that a marker is on; `model` and `name` are `None` where they are not known.

    `values` are those of its `Literal` or enumeration.
    """

    model: type | None
    name: str | None
    values: tuple[Any, ...] = ()

    @property
    def label(self) -> str:
        """The name for people, such as `Answer.quote`."""
        return ".".join(filter(None, (getattr(self.model, "__name__", ""), self.name)))

    @property
    def field_names(self) -> tuple[str, ...] | None:
        """The model's fields in the order in which they are validated."""
        if self.model is None:
            return None
        infos = self._infos()
        if infos:
            return tuple(infos)
        if dataclasses.is_dataclass(self.model):
            return tuple(field.name for field in dataclasses.fields(self.model))
        names: dict[str, None] = {}
        for base in reversed(self.model.__mro__):
            names.update(dict.fromkeys(inspect.get_annotations(base)))
        return tuple(names) or None

    def precedes(self, sibling: str) -> bool | None:
        """Return whether the sibling is validated after this field; `None` if not known."""
        names = self.field_names
        if names is None or self.name not in names or sibling not in names:
            return None
        return names.index(sibling) > names.index(self.name)

    def may_lack(self, sibling: str) -> bool:
        """Return whether the sibling is an optional key of a TypedDict, which may be left out."""
        return sibling in getattr(self.model, "__optional_keys__", ())

    @property
    def is_positive(self) -> bool:
        """Whether the field takes no negative numbers, as with `Field(ge=0)`."""
        info = self._infos().get(self.name or "")
        bounds = (
            getattr(item, name, None)
            for item in (info.metadata if info else ())
            for name in ("ge", "gt")
        )
        return any(isinstance(bound, int | float | Decimal) and bound >= 0 for bound in bounds)

    def choices(self, value: Any) -> tuple[Any, ...]:
        """Return the values of the enumeration or `Literal` that a value is of, itself included."""
        plain = tuple(getattr(each, "value", each) for each in self.values)  # `use_enum_values`
        return next((known for known in (self.values, plain) if value in known), ())

    def extend_description(self, marker: object, sentence: str) -> None:
        """Add a sentence to the description that the user gave the field.

        Nothing happens where the marker is on the items of a list in the field.
        """
        info = self._infos().get(self.name or "")
        if info is None or not info.description or not any(m is marker for m in info.metadata):
            return
        if sentence not in info.description:
            info.description = f"{info.description.rstrip()} {sentence}"

    def annotation(self, marker: object) -> Any:
        """Return the annotation of the field, unless the marker is on the field itself."""
        info = self._infos().get(self.name or "")
        if info is None or any(m is marker for m in info.metadata):
            return None
        return info.annotation

    def _infos(self) -> dict[str, FieldInfo]:
        infos: Any = getattr(self.model, "__pydantic_fields__", None)
        return infos if isinstance(infos, dict) else {}


def marked_field(handler: GetCoreSchemaHandler) -> MarkedField:
    """Return the field whose marker is asked for its schema."""
    generator = getattr(handler, "_generate_schema", None)
    stack = getattr(generator, "model_type_stack", None)
    model = stack.get() if stack is not None else None
    return MarkedField(
        model if isinstance(model, type) else None, getattr(handler, "field_name", None)
    )
