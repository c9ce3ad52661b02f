"""The multilingual model: logistic regressions over hashed features, and their file.

The file `data/multilingual.bin` contains a line of JSON and then the weights as signed bytes: for
each output those of the surface features, then those of the class features.
`research/training/multilingual_refusals.py` writes it; it is read without numpy.
"""

import json
import math
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import Final, Generic, TypeVar

from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.model_file import read_model_file
from groundtypes.refusals.multilingual import (
    CLASS_PLACES,
    SURFACE_PLACES,
    class_places,
    class_units,
    split_opening,
    surface_places,
    surface_units,
)
from groundtypes.refusals.word_classes import load_word_classes

_FILE: Final = "multilingual.bin"
_OUTPUTS: Final = 1 + len(KINDS)
_BYTES: Final = _OUTPUTS * (SURFACE_PLACES + CLASS_PLACES)
_MAX_UNITS: Final = 40_000
_MAX_UNIT: Final = 40

_Unit = TypeVar("_Unit", bound=Hashable)
#: For each output, the weight at each place, from -127 to 127, in units of the output's step.
Table = tuple["array[int]", ...]


class _Group(Generic[_Unit]):
    """The weights of one group of features, and the sums of units that were computed before."""

    def __init__(
        self, table: Table, steps: Sequence[float], places: Callable[[_Unit], list[int]]
    ) -> None:
        self.table = table
        self.steps = tuple(steps)
        self._places = places
        self._sums: dict[_Unit, tuple[int, ...]] = {}

    def outputs(self, units: Iterable[_Unit]) -> list[float]:
        """Return for each output the sum of the weights, divided by the root of their number."""
        sums = [self._sums.get(unit) or self._add(unit) for unit in units]
        count, *totals = map(sum, zip(*sums, strict=True)) if sums else [0] * (1 + _OUTPUTS)
        scale = 1 / math.sqrt(count or 1)
        return [step * total * scale for step, total in zip(self.steps, totals, strict=True)]

    def _add(self, unit: _Unit) -> tuple[int, ...]:
        places = self._places(unit)
        sums = (len(places), *(sum(map(weights.__getitem__, places)) for weights in self.table))
        if len(self._sums) < _MAX_UNITS and not (isinstance(unit, str) and len(unit) > _MAX_UNIT):
            self._sums[unit] = sums
        return sums


class HashedModel:
    """A logistic regression for each output over the two groups of features.

    The first output says whether a text declines at all, the others are `KINDS`.
    """

    def __init__(
        self,
        surface: tuple[Table, Sequence[float]],
        classes: tuple[Table, Sequence[float]],
        biases: Sequence[float],
    ) -> None:
        """Take for each group its weights and steps, and the bias of each output."""
        self._surface = _Group(*surface, surface_places)
        self._classes = _Group(*classes, class_places)
        self._biases = tuple(biases)

    @classmethod
    def from_bytes(cls, data: bytes) -> "HashedModel":
        """Return the model in the bytes of a file.

        Raises:
            ValueError: The bytes are not those that `to_bytes` returns.
        """
        header_line, _, body = data.partition(b"\n")
        header = json.loads(header_line)
        if len(body) != _BYTES:
            raise ValueError(f"{_FILE} has {len(body)} bytes of weights, not {_BYTES}")
        weights = array("b", body)
        size = SURFACE_PLACES + CLASS_PLACES
        rows = [weights[start : start + size] for start in range(0, _BYTES, size)]
        return cls(
            (tuple(row[:SURFACE_PLACES] for row in rows), header["surface_steps"]),
            (tuple(row[SURFACE_PLACES:] for row in rows), header["class_steps"]),
            header["biases"],
        )

    def to_bytes(self) -> bytes:
        """Return the bytes of the model's file."""
        header = {
            "surface_steps": self._surface.steps,
            "class_steps": self._classes.steps,
            "biases": self._biases,
        }
        pairs = zip(self._surface.table, self._classes.table, strict=True)
        weights = b"".join(table.tobytes() for pair in pairs for table in pair)
        return json.dumps(header).encode() + b"\n" + weights

    def outputs(self, opening: str) -> list[float]:
        """Return the outputs for an opening, before the logistic function."""
        tokens = split_opening(opening)
        surface = self._surface.outputs(surface_units(opening, tokens))
        classes = self._classes.outputs(class_units(tokens, load_word_classes()))
        return list(map(sum, zip(self._biases, surface, classes, strict=True)))


@cache
def load_hashed_model() -> HashedModel:
    """Return the model that is shipped with the package.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    return HashedModel.from_bytes(read_model_file(_FILE))
