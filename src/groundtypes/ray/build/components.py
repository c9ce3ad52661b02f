"""Which examples share keys, directly or through others: connected components, in tasks.

Vertices are numbers of lines. Within a shard, keys join lines by union and find, so that only one
line of each joined set, its root, is a vertex of the graph between shards; roots of two shards that
have a key in common are an edge.

That graph is contracted in rounds: each vertex is replaced by the one of least hash among itself
and its neighbours. With a new hash in each round at most three quarters of the vertices are
expected to remain, whatever the graph is (Bögeholz, Brand and Todor, "In-database connected
component analysis", 2020), so that the number of rounds grows with the logarithm of their number.
When few edges are left, one task finishes. The rounds are then traced back, the last one first.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from groundtypes.ray.build.stages import Stages
from groundtypes.ray.build.tables import (
    Columns,
    Files,
    Part,
    concatenated,
    divide,
    partition_of,
    read_part,
    read_section,
    read_sections,
    row_numbers,
    write_sections,
)

__all__ = [
    "Plan",
    "answer",
    "answered",
    "connect",
    "joined_lines",
    "labels_of",
    "write_links",
    "write_wanted",
]

_Lines = npt.NDArray[np.int64]

#: The edges that one task joins in its memory, some 16 bytes each.
_FEW_EDGES: Final = 1_000_000


class Plan(NamedTuple):
    """Into how many partitions tables are divided, and how many edges one task takes."""

    partitions: int
    few: int = _FEW_EDGES


# --- within a shard -------------------------------------------------------------------------------


def joined_lines(lines: _Lines, keys: Columns) -> _Lines:
    """Return for each of these lines, in ascending order, the first that it is joined with.

    `keys` has the columns `high`, `low` and `line`: lines with an equal key are joined.
    """
    first, second = _neighbours(keys, "line")
    return lines[_union(len(lines), np.searchsorted(lines, first), np.searchsorted(lines, second))]


def write_links(folder: Path, lines: _Lines, roots: _Lines, keys: Columns, plan: Plan) -> None:
    """Write what a shard adds to the graph: its roots with their keys, by partition of the key.

    Raises:
        OSError: A file cannot be written.
    """
    order = np.lexsort((keys["low"], keys["high"]))
    high, low = keys["high"][order], keys["low"][order]
    new = np.ones(len(order), bool)
    new[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    owners = roots[np.searchsorted(lines, keys["line"][order][new])]
    links = {"high": high[new], "low": low[new], "root": owners}
    places = partition_of(links["high"], plan.partitions)
    write_sections(folder / "keys.arrow", divide(links, places, plan.partitions))
    write_wanted(folder, owners, plan)


def _neighbours(keys: Columns, vertex: str) -> tuple[_Lines, _Lines]:
    """Return pairs of vertices that join all vertices with equal keys, as chains."""
    order = np.lexsort((keys[vertex], keys["low"], keys["high"]))
    high, low, vertices = keys["high"][order], keys["low"][order], keys[vertex][order]
    pairs = (high[1:] == high[:-1]) & (low[1:] == low[:-1]) & (vertices[1:] != vertices[:-1])
    return vertices[:-1][pairs], vertices[1:][pairs]


def _union(count: int, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the least number that each of `count` numbers is joined with by pairs."""
    parents = list(range(count))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        low, high = sorted((root(one), root(other)))
        parents[high] = low
    return np.array([root(number) for number in range(count)], np.int64)


def write_wanted(folder: Path, vertices: _Lines, plan: Plan) -> None:
    """Write for which vertices a task wants the rows of a table, by partition.

    Raises:
        OSError: The file cannot be written.
    """
    wanted = np.unique(vertices)
    places = partition_of(wanted, plan.partitions)
    sections = divide({"vertex": wanted}, places, plan.partitions)
    write_sections(folder / "wanted.arrow", sections)


# --- between shards -------------------------------------------------------------------------------


def connect(stages: Stages, name: str, links: Sequence[Path], plan: Plan) -> Sequence[Path]:
    """Return folders with the labels of the roots that `write_links` has written into `links`.

    They are read with `labels_of`. Vertices of one component have the same label, which is one of
    them; -1 is the label of a vertex that shares no key with another shard.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    parts = range(plan.partitions)
    files = Files(links, "keys.arrow")
    edges = stages.run(f"{name}-edges-0", _edges, [(Part(files, part), plan) for part in parts])
    rounds: list[Sequence[Path]] = []
    chosen: Sequence[Path]
    while sum(stages.results[f"{name}-edges-{len(rounds)}"]) > plan.few:
        seed = len(rounds)
        files = Files(edges, "edges.arrow")
        given = [(Part(files, part), seed, plan) for part in parts]
        chosen = stages.run(f"{name}-chosen-{seed}", _choose, given)
        rounds.append(chosen)
        files = Files(chosen, "halves.arrow")
        pairs = [(Part(files, part), chosen[part] / "chosen.arrow", plan) for part in parts]
        edges = stages.run(f"{name}-edges-{seed + 1}", _contract, pairs)
    last = stages.run(f"{name}-last", _finish, [(Files(edges, "edges.arrow"), plan)])
    labels = [Part(Files(last, "labels.arrow"), part) for part in parts]
    for seed, chosen in reversed(list(enumerate(rounds))):
        wanted = Files(chosen, "wanted.arrow")
        given_back = answer(stages, f"{name}-traced-{seed}", wanted, labels, "vertex")
        traced = [(chosen[part] / "chosen.arrow", given_back, part) for part in parts]
        folders = stages.run(f"{name}-labels-{seed}", _trace_back, traced)
        labels = [Part(Files([folder], "labels.arrow"), 0) for folder in folders]
    return answer(stages, f"{name}-labels", Files(links, "wanted.arrow"), labels, "vertex")


def _edges(folder: Path, keys: Part, plan: Plan) -> int:
    """Write the edges between roots that have a key of this partition in common."""
    return _write_edges(folder, *_neighbours(read_part(keys), "root"), plan)


def _write_edges(folder: Path, first: _Lines, second: _Lines, plan: Plan) -> int:
    """Write each edge once in each direction, by partition of its start; return their number."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    new = low != high
    new[1:] &= (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high = low[new], high[new]
    edges = {"start": np.concatenate([low, high]), "end": np.concatenate([high, low])}
    places = partition_of(edges["start"], plan.partitions)
    write_sections(folder / "edges.arrow", divide(edges, places, plan.partitions))
    return len(low)


def _choose(folder: Path, edges: Part, seed: int, plan: Plan) -> None:
    """Choose the vertex that takes the place of each vertex of this partition.

    Writes `chosen`, and in `halves` each edge once, with its start replaced.
    """
    found = read_part(edges)
    hashes = _hashes(found["end"], seed)
    order = np.lexsort((hashes, found["start"]))
    start, end, hashes = found["start"][order], found["end"][order], hashes[order]
    new = np.ones(len(start), bool)
    new[1:] = start[1:] != start[:-1]
    vertices = start[new]
    chosen = np.where(_hashes(vertices, seed) < hashes[new], vertices, end[new])
    write_sections(folder / "chosen.arrow", [{"vertex": vertices, "chosen": chosen}])
    write_wanted(folder, chosen, plan)
    once = start < end
    replaced = chosen[np.cumsum(new) - 1]
    halves = {"chosen": replaced[once], "end": end[once]}
    places = partition_of(halves["end"], plan.partitions)
    write_sections(folder / "halves.arrow", divide(halves, places, plan.partitions))


def _contract(folder: Path, halves: Part, chosen: Path, plan: Plan) -> int:
    """Replace the other end of edges, too, and write those that are left."""
    pairs = read_part(halves)
    table = read_section(chosen, 0)
    other = table["chosen"][row_numbers(table["vertex"], pairs["end"])]
    return _write_edges(folder, pairs["chosen"], other, plan)


def _finish(folder: Path, edges: Files, plan: Plan) -> None:
    """Label the vertices of all edges, few as they are, each with the least of its component."""
    found = concatenated([read_sections(path) for path in edges.paths])
    vertices, ends = np.unique(np.stack([found["start"], found["end"]]), return_inverse=True)
    first, second = ends.reshape(2, -1)
    labels = vertices[_union(len(vertices), first, second)]
    table = {"vertex": vertices, "label": labels}
    places = partition_of(vertices, plan.partitions)
    write_sections(folder / "labels.arrow", divide(table, places, plan.partitions))


def _trace_back(folder: Path, chosen: Path, answers: Sequence[Path], part: int) -> None:
    """Label the vertices of a round as those that were chosen in their place."""
    table = read_section(chosen, 0)
    labels = labels_of(answers, part, table["chosen"])
    labels = np.where(labels < 0, table["chosen"], labels)
    write_sections(folder / "labels.arrow", [{"vertex": table["vertex"], "label": labels}])


def _hashes(vertices: _Lines, seed: int) -> npt.NDArray[np.uint64]:
    """Return another permutation of the integers of 64 bits for each seed (SplitMix64)."""
    mixed = vertices.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


# --- questions and answers ------------------------------------------------------------------------


def answer(
    stages: Stages, name: str, wanted: Files, tables: Sequence[Part], key: str
) -> Sequence[Path]:
    """Look up the rows of a divided table that tasks want; `answered` reads them for each task.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    given = [(wanted, part, table, key) for part, table in enumerate(tables)]
    return stages.run(name, _answer, given)


def _answer(folder: Path, wanted: Files, part: int, table: Part, key: str) -> None:
    rows = read_part(table)
    sections = []
    for path in wanted.paths:
        keys = read_section(path, part)["vertex"]
        numbers = row_numbers(rows[key], keys)
        missing = numbers < 0
        section = {key: keys}
        for name in rows.keys() - {key}:
            # A row is taken for keys that do not occur, too, where there is one.
            padded = rows[name] if len(rows[name]) else np.zeros(1, rows[name].dtype)
            section[name] = np.where(missing, np.array(-1).astype(padded.dtype), padded[numbers])
        sections.append({name: section[name] for name in rows})
    write_sections(folder / "answers.arrow", sections)


def answered(answers: Sequence[Path], asker: int) -> Columns:
    """Return the rows that the task with this number wanted.

    Raises:
        DatasetError: A file cannot be read.
    """
    return read_part(Part(Files(answers, "answers.arrow"), asker))


def labels_of(answers: Sequence[Path], asker: int, vertices: _Lines) -> _Lines:
    """Return the labels of vertices that a task wanted; -1 where a vertex has none.

    Raises:
        DatasetError: A file cannot be read.
    """
    found = answered(answers, asker)
    rows = row_numbers(found["vertex"], vertices)
    return np.where(rows < 0, -1, np.append(found["label"], -1)[rows])
