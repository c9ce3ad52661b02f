"""What the class under construction knows about the field that a marker stands on.

Pydantic hands a marker the schema of its value, not the model around it. Two things need the
model: a marker that names a sibling field must know that there is one and whether it is declared
before (a typo is a mistake when the class is built), and a description given with `Field(...)`
replaces the one that a marker adds. Both are read here, and only here, from a private attribute
of Pydantic's schema handler; where a release of Pydantic lacks it, the sibling is looked up when
an answer arrives, and the description stays the user's.
"""

import dataclasses
import inspect
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic.fields import FieldInfo

__all__ = ["Place", "place_of"]


@dataclass(frozen=True, slots=True)
class Place:
    """The field that a marker stands on; `owner` is `None` where it is not known."""

    owner: type | None
    field: str | None

    @property
    def names(self) -> tuple[str, ...] | None:
        """The owner's fields in the order in which they are validated."""
        if self.owner is None:
            return None
        infos = self._infos()
        if infos:
            return tuple(infos)
        if dataclasses.is_dataclass(self.owner):
            return tuple(item.name for item in dataclasses.fields(self.owner))
        names: dict[str, None] = {}
        for base in reversed(self.owner.__mro__):
            names.update(dict.fromkeys(inspect.get_annotations(base)))
        return tuple(names) or None

    def declared_later(self, sibling: str) -> bool | None:
        """Say whether the sibling is validated after this field; `None` if that is not known."""
        names = self.names
        if names is None or self.field not in names or sibling not in names:
            return None
        return names.index(sibling) > names.index(self.field)

    def describe(self, marker: object, sentence: str) -> bool:
        """Add the sentence to a description that the user gave the field; say whether done.

        Only where the marker stands on the field itself, not on the items of a list in it.
        """
        info = self._infos().get(self.field or "")
        if info is None or not info.description or not any(m is marker for m in info.metadata):
            return False
        if sentence not in info.description:
            info.description = f"{info.description.rstrip()} {sentence}"
        return True

    def holds_directly(self, marker: object) -> bool | None:
        """Say whether the marker stands on the field itself; `None` if that is not known."""
        info = self._infos().get(self.field or "")
        return None if info is None else any(m is marker for m in info.metadata)

    def _infos(self) -> dict[str, FieldInfo]:
        infos: Any = getattr(self.owner, "__pydantic_fields__", None)
        return infos if isinstance(infos, dict) else {}


def place_of(handler: GetCoreSchemaHandler) -> Place:
    """Return the place of the marker whose schema is being made."""
    generator = getattr(handler, "_generate_schema", None)
    stack = getattr(generator, "model_type_stack", None)
    owner = stack.get() if stack is not None else None
    return Place(owner if isinstance(owner, type) else None, getattr(handler, "field_name", None))
