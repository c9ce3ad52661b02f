"""Instances of subclasses in the input, which are judged anew and keep their further fields.

Pydantic would validate the plain data of such an instance as that of the base class, and drop the
rest. So the subclass validates them, and Pydantic takes the new instance, as it takes any.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails

from groundtypes.rounds.error_lines import lines_of
from groundtypes.verdicts import Loc

_MAX_DEPTH: Final = 200


class SubclassData(dict[str, Any]):
    """The plain data of an instance of a subclass of the model that is validated."""

    def __init__(self, instance: BaseModel, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.instance = instance

    def copy(self) -> Self:
        """Return a copy, as the removal of items makes it."""
        return type(self)(self.instance, self)


def with_subclasses(validate: Callable[[Any], Any], context: Any) -> Callable[[Any], Any]:
    """Return a function that validates data in which there are instances of subclasses.

    Args:
        validate: Validates data in which there are none.
        context: The validation context.
    """

    def validate_all(data: Any) -> Any:
        lines: list[InitErrorDetails] = []
        instances = _with_instances(data, (), context, lines)
        title = "answer"
        value = None
        try:
            value = validate(instances)
        except ValidationError as error:
            title = error.title
            lines = [*lines_of(error, tuple), *lines]
        if lines:
            raise ValidationError.from_exception_data(title, lines)
        return value

    return validate_all


def _with_instances(data: Any, path: Loc, context: Any, lines: list[InitErrorDetails]) -> Any:
    """Return the data with new instances of subclasses; their faults are added to `lines`."""
    if len(path) > _MAX_DEPTH:  # Pydantic itself reports cycles
        return data
    if isinstance(data, dict):
        plain = {
            key: _with_instances(part, (*path, key), context, lines) for key, part in data.items()
        }
        if not isinstance(data, SubclassData):
            return plain
        try:
            return type(data.instance).__pydantic_validator__.validate_python(
                plain, context=context
            )
        except ValidationError as error:
            lines += lines_of(error, lambda loc: (*path, *loc))
            return data.instance
    if isinstance(data, list | tuple):
        parts = [_with_instances(part, (*path, at), context, lines) for at, part in enumerate(data)]
        return tuple(parts) if isinstance(data, tuple) else parts
    return data
