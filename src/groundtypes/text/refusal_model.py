"""The linear model that tells refusals from answers: its table, and what it says of a head.

The table is one file: a line of JSON, the groups of words one a line, then the weights as signed
bytes, in one run for each output. `training/refusals.py` writes it; it is read without numpy.
"""

import hashlib
import json
import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["KINDS", "LONGEST", "Table", "packed", "table"]

#: The outputs: whether a head declines at all, and then in which way.
KINDS: Final = ("refusal", "abstention", "partial")
_OUTPUTS: Final = 1 + len(KINDS)
_NAME: Final = "refusals.bin"

Group = tuple[str, ...]
#: One for each output.
Weights = tuple[int, ...]
#: So many words has the longest group.
LONGEST: Final = 4


@dataclass(frozen=True, slots=True)
class Table:
    """The weights of each group of words, and what is added to their sum.

    `tree` leads from each word to what may follow it; under `None` stand the weights of the group
    so far.
    """

    tree: dict[Any, Any]
    steps: tuple[float, ...]
    biases: tuple[float, ...]

    @classmethod
    def of(
        cls, weights: Mapping[Group, Weights], steps: tuple[float, ...], biases: tuple[float, ...]
    ) -> "Table":
        """Return the table of the groups with these weights."""
        return cls(_tree(weights.items()), steps, biases)

    @property
    def weights(self) -> dict[Group, Weights]:
        """The weights of each group."""
        return dict(_walked(self.tree))

    def known(self, row: Sequence[str], alone: Iterable[str] = ()) -> list[Weights]:
        """Return the weights of the groups of a row that the table knows, each group once.

        A group is a run of one to four words; those of `alone` have no neighbours.
        """
        tree, found = self.tree, {}
        for start, first in enumerate(row, 1):
            node = tree.get(first)
            if node is None:
                continue
            if None in node:
                found[id(node)] = node[None]
            for word in row[start : start + LONGEST - 1]:
                node = node.get(word)
                if node is None:
                    break
                if None in node:
                    found[id(node)] = node[None]
        apart = (tree[word][None] for word in alone if None in tree.get(word, ()))
        return [*found.values(), *apart]

    def declines(self, known: Sequence[Weights]) -> float:
        """Return the probability that a head with these groups is no plain answer."""
        return 1.0 / (1.0 + math.exp(-self._output(known, 0)))

    def kind(self, known: Sequence[Weights]) -> str:
        """Return the most probable way in which a head that declines does so."""
        outputs = [self._output(known, number) for number in range(1, _OUTPUTS)]
        return KINDS[outputs.index(max(outputs))]

    def _output(self, known: Sequence[Weights], number: int) -> float:
        # Divided by the root, so that a long head is not surer than a short one.
        total = sum([weights[number] for weights in known])
        return self.biases[number] + self.steps[number] * total / math.sqrt(len(known) or 1)


def packed(table: Table) -> bytes:
    """Return the table as the bytes of its file."""
    weights = table.weights
    groups = sorted(weights)
    head = {"groups": len(groups), "steps": table.steps, "biases": table.biases}
    names = "\n".join(" ".join(group) for group in groups)
    runs = [
        array("b", [weights[group][number] for group in groups]).tobytes()
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
    groups = (name.split(" ") for name in names)
    tree = _tree(zip(groups, zip(*runs, strict=True), strict=True))
    return Table(tree, tuple(head["steps"]), tuple(head["biases"]))


def _tree(weights: Iterable[tuple[Sequence[str], Weights]]) -> dict[Any, Any]:
    tree: dict[Any, Any] = {}
    for group, numbers in weights:
        node = tree
        for word in group:
            following = node.get(word)
            if following is None:
                following = node[word] = {}
            node = following
        node[None] = numbers
    return tree


def _walked(tree: dict[Any, Any], group: Group = ()) -> Iterator[tuple[Group, Weights]]:
    for word, node in tree.items():
        if word is None:
            yield group, node
        else:
            yield from _walked(node, (*group, word))


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
