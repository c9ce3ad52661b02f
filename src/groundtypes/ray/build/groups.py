"""Groups of examples that share references, and their split, as the index makes them.

A group is a component of the examples that are no duplicates, joined by their references. Its rank
is a hash of its least reference. In the order of rank, groups go into the test split until it holds
its share; only this walk over ranks and sizes is sequential, one partition after the other.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from groundtypes.dataset.build.formats import ID_BYTES
from groundtypes.dataset.build.index import group_rank
from groundtypes.ray.build.components import (
    Plan,
    answer,
    answered,
    connect,
    joined_lines,
    labels_of,
    write_links,
    write_wanted,
)
from groundtypes.ray.build.duplicates import duplicates_of
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
    row_numbers,
    write_sections,
)

__all__ = ["GroupedShards", "group_examples", "places_of"]


class GroupedShards(NamedTuple):
    """The groups of all examples: their counts, and where `places_of` reads those of a shard."""

    counts: dict[str, int]
    members: Sequence[Path]
    places: Sequence[Path]


def group_examples(
    stages: Stages,
    keys: Sequence[Path],
    duplicates: Sequence[Path],
    test: float,
    seed: int,
    plan: Plan,
) -> GroupedShards:
    """Group and split the examples that are no duplicates; `keys` are the folders of the shards.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    given = [(shard, number, duplicates, plan) for number, shard in enumerate(keys)]
    links = stages.run("references", _link, given)
    labels = connect(stages, "references", links, plan)
    shards = [(shard, number, labels, plan) for number, shard in enumerate(links)]
    members = stages.run("members", _members, shards)
    parts = range(plan.partitions)
    files = Files(members, "groups.arrow")
    groups = stages.run("groups", _groups, [(Part(files, part), seed, plan) for part in parts])
    counts = stages.results["groups"]
    wanted = round(test * sum(count["members"] for count in counts))
    files = Files(groups, "ranks.arrow")
    ranked: list[Path] = []
    taken = 0
    for part in parts:
        name = f"split-{part}"
        ranked += stages.run(name, _split, [(Part(files, part), wanted - taken, plan)])
        taken += stages.results[name][0]
    tables = [Part(Files(ranked, "splits.arrow"), part) for part in parts]
    places = answer(stages, "places", Files(members, "wanted.arrow"), tables, "vertex")
    summary = {
        "groups": sum(count["groups"] for count in counts),
        "largest": max(count["largest"] for count in counts),
        "test": taken,
    }
    return GroupedShards(summary, members, places)


def places_of(groups: GroupedShards, shard: int) -> dict[int, tuple[str, str]]:
    """Return the split and the group of each example of a shard that is no duplicate, by line.

    Raises:
        DatasetError: A file cannot be read.
    """
    lines = read_section(groups.members[shard] / "lines.arrow", 0)
    table = answered(groups.places, shard)
    rows = row_numbers(table["vertex"], lines["label"])
    tests, ranks = table["test"][rows].tolist(), table["rank"][rows].tolist()
    return {
        line: ("test" if test else "train", rank.to_bytes(8).hex())
        for line, test, rank in zip(lines["line"].tolist(), tests, ranks, strict=True)
    }


# --- tasks ----------------------------------------------------------------------------------------


def _link(folder: Path, keys: Path, number: int, duplicates: Sequence[Path], plan: Plan) -> None:
    """Join the examples of a shard that are no duplicates by their references."""
    known = read_section(keys / "lines.arrow", 0)["line"]
    left_out = np.array(sorted(duplicates_of(duplicates, number)), np.int64)
    lines = np.setdiff1d(known, left_out, assume_unique=True)
    references, ids = (
        _of_lines(read_section(keys / "references.arrow", section), lines) for section in (0, 1)
    )
    roots = joined_lines(lines, references)
    write_sections(folder / "lines.arrow", [{"line": lines, "root": roots}])
    write_links(folder, lines, roots, references, plan)
    write_sections(folder / "digests.arrow", [references, ids])


def _of_lines(columns: Columns, lines: npt.NDArray[np.int64]) -> Columns:
    kept = np.isin(columns["line"], lines)
    return {name: column[kept] for name, column in columns.items()}


def _members(folder: Path, links: Path, number: int, labels: Sequence[Path], plan: Plan) -> None:
    """Write what each component of a shard adds to its group, by partition of the group."""
    known = read_section(links / "lines.arrow", 0)
    found = labels_of(labels, number, known["root"])
    groups = np.where(found < 0, known["root"], found)
    write_sections(folder / "lines.arrow", [{"line": known["line"], "label": groups}])
    digests = []
    for section in (0, 1):
        columns = read_section(links / "digests.arrow", section)
        rows = np.searchsorted(known["line"], columns["line"])
        short = np.full(len(rows), section, np.int64)
        digests.append({**columns, "label": groups[rows], "short": short})
    least = _least(concatenated(digests))
    names, first, size = np.unique(groups, return_index=True, return_counts=True)
    parts = {**least, "first": known["line"][first], "size": size.astype(np.int64)}
    places = partition_of(names, plan.partitions)
    write_sections(folder / "groups.arrow", divide(parts, places, plan.partitions))
    write_wanted(folder, names, plan)


def _least(digests: Columns) -> Columns:
    """Return the least digest of each group, in the order of the labels."""
    order = np.lexsort((digests["low"], digests["high"], digests["label"]))
    labels = digests["label"][order]
    new = np.ones(len(order), bool)
    new[1:] = labels[1:] != labels[:-1]
    return {name: digests[name][order][new] for name in ("label", "high", "low", "short")}


def _groups(folder: Path, members: Part, seed: int, plan: Plan) -> dict[str, int]:
    """Write the groups of a partition, by the range of their ranks; return counts of them."""
    found = read_part(members)
    groups = _least(found)
    names, places = np.unique(found["label"], return_inverse=True)
    first = np.full(len(names), np.iinfo(np.int64).max)
    np.minimum.at(first, places, found["first"])
    sizes = np.zeros(len(names), np.int64)
    np.add.at(sizes, places, found["size"])
    digests = zip(*(groups[name].tolist() for name in ("high", "low", "short")), strict=True)
    ranks = np.array([_rank(high, low, short, seed) for high, low, short in digests], np.uint64)
    ranges = (ranks >> np.uint64(32)) * np.uint64(plan.partitions) >> np.uint64(32)
    ranked = {"vertex": names, "rank": ranks, "first": first, "size": sizes}
    sections = divide(ranked, ranges.astype(np.int64), plan.partitions)
    write_sections(folder / "ranks.arrow", sections)
    largest = int(sizes.max(initial=0))
    return {"groups": len(names), "largest": largest, "members": int(sizes.sum())}


def _rank(high: int, low: int, short: int, seed: int) -> int:
    digest = high.to_bytes(8) + low.to_bytes(8)
    return int.from_bytes(group_rank(digest[:ID_BYTES] if short else digest, seed))


def _split(folder: Path, ranks: Part, wanted: int, plan: Plan) -> int:
    """Take groups into the test split in the order of rank; return how many examples they have.

    Groups of equal rank are in the order of their first examples.
    """
    groups = read_part(ranks)
    order = np.lexsort((groups["first"], groups["rank"]))
    test = np.zeros(len(order), np.int64)
    left = wanted
    for row, size in zip(order.tolist(), groups["size"][order].tolist(), strict=True):
        if size <= left:
            left -= size
            test[row] = 1
        if not left:
            break
    splits = {"vertex": groups["vertex"], "rank": groups["rank"], "test": test}
    places = partition_of(groups["vertex"], plan.partitions)
    write_sections(folder / "splits.arrow", divide(splits, places, plan.partitions))
    return wanted - left
