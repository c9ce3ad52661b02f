"""The linear model that tells refusals from answers: its table, and what it says of a head.

The table is one file: a line of JSON, the groups of words one a line, then the weights as signed
bytes, in one run for each output. `training/refusals.py` writes it; it is read without numpy.
"""

import hashlib
import json
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["KINDS", "Table", "packed", "table"]

#: The outputs: whether a head declines at all, and then in which way.
KINDS: Final = ("refusal", "abstention", "partial")
_OUTPUTS: Final = 1 + len(KINDS)
_NAME: Final = "refusals.bin"

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The weights of each group of words, and what is added to their sum."""

    weights: dict[Group, tuple[int, ...]]
    steps: tuple[float, ...]
    biases: tuple[float, ...]

    def known(self, groups: Iterable[Group]) -> list[tuple[int, ...]]:
        """Return the weights of the groups that the table knows, each group once."""
        weights = self.weights
        return [weights[group] for group in weights.keys() & set(groups)]

    def declines(self, known: Sequence[tuple[int, ...]]) -> float:
        """Return the probability that a head with these groups is no plain answer."""
        return 1.0 / (1.0 + math.exp(-self._output(known, 0)))

    def kind(self, known: Sequence[tuple[int, ...]]) -> str:
        """Return the most probable way in which a head that declines does so."""
        outputs = [self._output(known, number) for number in range(1, _OUTPUTS)]
        return KINDS[outputs.index(max(outputs))]

    def _output(self, known: Sequence[tuple[int, ...]], number: int) -> float:
        # Divided by the root, so that a long head is not surer than a short one.
        total = sum([weights[number] for weights in known])
        return self.biases[number] + self.steps[number] * total / math.sqrt(len(known) or 1)


def packed(table: Table) -> bytes:
    """Return the table as the bytes of its file."""
    groups = sorted(table.weights)
    head = {"groups": len(groups), "steps": table.steps, "biases": table.biases}
    names = "\n".join(" ".join(group) for group in groups)
    runs = [
        array("b", [table.weights[group][number] for group in groups]).tobytes()
        for number in range(_OUTPUTS)
    ]
    return b"\n".join((json.dumps(head).encode(), names.encode(), b"".join(runs)))


def unpacked(data: bytes) -> Table:
    """Return the table that a file holds."""
    head_line, _, rest = data.partition(b"\n")
    head = json.loads(head_line)
    count = head["groups"]
    split = len(rest) - _OUTPUTS * count
    names = rest[: split - 1].decode().split("\n")
    runs = []
    for number in range(_OUTPUTS):
        run = array("b")
        run.frombytes(rest[split + number * count : split + (number + 1) * count])
        runs.append(run)
    if len(names) != count:
        raise ValueError(f"{_NAME} names {len(names)} groups, not {count}")
    groups = [tuple(name.split(" ")) for name in names]
    return Table(
        dict(zip(groups, zip(*runs, strict=True), strict=True)),
        tuple(head["steps"]),
        tuple(head["biases"]),
    )


@cache
def table() -> Table:
    """Return the table that comes with the package.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    folder = files("groundtypes.text") / "data"
    data = (folder / _NAME).read_bytes()
    wanted = (folder / f"{_NAME}.sha256").read_text(encoding="ascii").split()[0]
    if hashlib.sha256(data).hexdigest() != wanted:
        raise ValueError(f"{_NAME} is damaged: its SHA-256 is not {wanted}")
    return unpacked(data)
