"""The linear model that tells refusals from answers: its table, and what it says of a head.

The table is one file: a line of JSON, the groups of words one a line, then the weights as signed
bytes, in one run for each output. `training/refusals.py` writes it; it is read without numpy.
"""

import hashlib
import json
import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["KINDS", "Table", "packed", "table"]

#: The outputs: whether a head declines at all, and then in which way.
KINDS: Final = ("refusal", "abstention", "partial")
_OUTPUTS: Final = 1 + len(KINDS)
_NAME: Final = "refusals.bin"

Group = tuple[str, ...]
#: One for each output.
Weights = tuple[int, ...]
#: The number of the group that ends here, or `_NO_GROUP`, and what may follow it.
Node = tuple[int, dict[str, Any]]

#: What begins a group and is none.
_NO_GROUP: Final = -1
#: Stands behind the last word of a row, and in no group.
_END: Final = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The groups of words, their weights for each output, and what is added to the sums.

    `tree` leads from each word to what may follow it. `runs` holds for each output the weight of
    each group, by its number: from -127 to 127, in units of the output's step.
    """

    tree: dict[str, Node]
    runs: tuple[tuple[int, ...], ...]
    steps: tuple[float, ...]
    biases: tuple[float, ...]

    @classmethod
    def of(
        cls, weights: Mapping[Group, Weights], steps: tuple[float, ...], biases: tuple[float, ...]
    ) -> "Table":
        """Return the table of the groups with these weights."""
        groups = sorted(weights)
        runs = tuple(tuple(weights[group][at] for group in groups) for at in range(_OUTPUTS))
        return cls(_tree(groups), runs, steps, biases)

    @property
    def groups(self) -> list[Group]:
        """The groups, each at its number."""
        return [group for _, group in sorted(_walked(self.tree))]

    def known(self, row: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the groups of a row that the table knows, by their numbers, in order.

        A group is a run of one to four words; what only begins one has the number -1. The second
        list says for each word how many groups begin before it, and last how many there are.
        """
        tree = self.tree
        found: list[int] = []
        begins: list[int] = []
        closed = [*row, _END]
        for at, word in enumerate(row, 1):
            begins.append(len(found))
            node = tree.get(word)
            while node is not None:
                found.append(node[0])
                node = node[1].get(closed[at])
                at += 1  # noqa: PLW2901 # the next word of the group
        begins.append(len(found))
        return found, begins

    def declines(self, known: Iterable[int]) -> float:
        """Return the probability that a head with these groups is no plain answer."""
        return 1.0 / (1.0 + math.exp(-self._output(_each_once(known), 0)))

    def kind(self, known: Iterable[int]) -> str:
        """Return the most probable way in which a head that declines does so."""
        groups = _each_once(known)
        outputs = [self._output(groups, number) for number in range(1, _OUTPUTS)]
        return KINDS[outputs.index(max(outputs))]

    def _output(self, groups: Collection[int], number: int) -> float:
        # Divided by the root, so that a long head is not surer than a short one.
        total = sum(map(self.runs[number].__getitem__, groups))
        return self.biases[number] + self.steps[number] * total / math.sqrt(len(groups) or 1)


def _each_once(numbers: Iterable[int]) -> Collection[int]:
    groups = dict.fromkeys(numbers)  # faster to go through than a set
    groups.pop(_NO_GROUP, None)
    return groups


def packed(table: Table) -> bytes:
    """Return the table as the bytes of its file."""
    groups = table.groups
    head = {"groups": len(groups), "steps": table.steps, "biases": table.biases}
    names = "\n".join(" ".join(group) for group in groups)
    runs = b"".join(array("b", run).tobytes() for run in table.runs)
    return b"\n".join((json.dumps(head).encode(), names.encode(), runs))


def unpacked(data: bytes) -> Table:
    """Return the table that a file holds."""
    head_line, _, rest = data.partition(b"\n")
    head = json.loads(head_line)
    count = head["groups"]
    split = len(rest) - _OUTPUTS * count
    names = rest[: split - 1].decode().split("\n")
    if len(names) != count:
        raise ValueError(f"{_NAME} names {len(names)} groups, not {count}")
    runs = tuple(tuple(array("b", rest[split + at * count :][:count])) for at in range(_OUTPUTS))
    tree = _tree(name.split(" ") for name in names)
    return Table(tree, runs, tuple(head["steps"]), tuple(head["biases"]))


def _tree(groups: Iterable[Sequence[str]]) -> dict[str, Node]:
    """Return the tree of groups in their order: what begins another comes before it."""
    tree: dict[str, Node] = {}
    for number, group in enumerate(groups):
        level = tree
        for word in group[:-1]:
            if word not in level:
                level[word] = (_NO_GROUP, {})
            level = level[word][1]
        level[group[-1]] = (number, {})
    return tree


def _walked(tree: dict[str, Node], before: Group = ()) -> Iterator[tuple[int, Group]]:
    for word, (number, following) in tree.items():
        if number != _NO_GROUP:
            yield number, (*before, word)
        yield from _walked(following, (*before, word))


@cache
def table() -> Table:
    """Return the table that comes with the package.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    folder = files("groundtypes.refusals") / "data"
    data = (folder / _NAME).read_bytes()
    wanted = (folder / f"{_NAME}.sha256").read_text(encoding="ascii").split()[0]
    if hashlib.sha256(data).hexdigest() != wanted:
        raise ValueError(f"{_NAME} is damaged: its SHA-256 is not {wanted}")
    return unpacked(data)
