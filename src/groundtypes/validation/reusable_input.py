"""The input of a validation as data that several rounds can read."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from groundtypes.errors import ContextError
from groundtypes.validation.instances import (
    fields_of,
    has_more_fields,
    is_instance,
    is_model,
)
from groundtypes.validation.subclass_data import SubclassData

#: Pydantic itself reports deeper nesting.
_MAX_DEPTH: Final = 200
#: Sequences and other values that hold no instances.
_FLAT: Final = (str, bytes, bytearray, int, float, range, memoryview)


class ReusableInput(NamedTuple):
    """Data that several rounds can read, and whether `SubclassData` are among it."""

    data: Any
    has_subclasses: bool


def reusable_input(data: Any, classes: tuple[type, ...] = ()) -> ReusableInput:
    """Return the data with iterators read into lists, and instances turned into plain data.

    An iterator would be empty in the second round. An instance of a model or a dataclass would not
    be validated at all, so that a stored answer could not be audited.

    Args:
        data: What is to be validated. If nothing in it changes, `data` itself is returned.
        classes: The models and dataclasses with checks, whose instances are turned into plain data.
            If `data` is an instance of yet another model, all instances of models are.
    """
    is_other = bool(classes) and is_model(data) and not is_instance(data, classes)
    reading = _Reading(classes, all_models=is_other)
    return ReusableInput(reading.read(data, ()), reading.has_subclasses)


class _Reading:
    """Reads the input of one validation."""

    def __init__(self, classes: tuple[type, ...], *, all_models: bool) -> None:
        self._classes = classes
        self._all_models = all_models
        self.has_subclasses = False

    def read(self, data: Any, ancestors: tuple[int, ...]) -> Any:
        if data is None or isinstance(data, _FLAT):
            return data
        is_judged = is_instance(data, self._classes) or (self._all_models and is_model(data))
        if id(data) in ancestors or len(ancestors) > _MAX_DEPTH:
            if is_judged:
                raise ContextError(
                    f"An instance of {type(data).__name__} cannot be judged anew, because it "
                    f"contains itself or is nested more than {_MAX_DEPTH} deep. Pass plain data."
                )
            return data  # Pydantic reports cycles itself
        ancestors = (*ancestors, id(data))
        if is_judged:
            fields = fields_of(data)
            if self._is_subclass(type(data)):
                self.has_subclasses = True
                return SubclassData(data, self._mapping(fields, ancestors))
            if type(fields) is dict:
                return self._mapping(fields, ancestors)
            return self.read(fields, ancestors)
        if is_instance(data, (BaseModel,)):
            return data
        if isinstance(data, Mapping):
            return self._mapping(data, ancestors)
        if isinstance(data, Iterator):
            return [self.read(item, ancestors) for item in data]
        if isinstance(data, Sequence | AbstractSet | KeysView | ValuesView | ItemsView | deque):
            given = list(data)
            items = [self.read(item, ancestors) for item in given]
            if all(new is old for new, old in zip(items, given, strict=True)):
                return data
            if isinstance(data, tuple):
                return tuple(items)
            return deque(items, data.maxlen) if isinstance(data, deque) else items
        return data

    def _mapping(self, data: Mapping[Any, Any], ancestors: tuple[int, ...]) -> Any:
        given = list(data.items())
        pairs = {key: self.read(value, ancestors) for key, value in given}
        if all(pairs[key] is value for key, value in given):
            return data
        if type(data) is OrderedDict:  # what a strict field accepts
            return OrderedDict(pairs)
        return defaultdict(data.default_factory, pairs) if type(data) is defaultdict else pairs

    def _is_subclass(self, model: type) -> bool:
        """Whether a model has more fields than the class with checks that it is derived from."""
        bases = [cls for cls in self._classes if issubclass(model, cls)]
        return bool(bases) and all(has_more_fields(model, base) for base in bases)
