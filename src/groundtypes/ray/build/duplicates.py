"""Duplicates among the examples of all shards, as the index of one machine finds them.

An example is a duplicate by its name, by its id, or because it resembles one with which it has a
band key in common. So examples without a common key, directly or through others, do not influence
each other. All examples of one component are given to one task, in the order of the input, which
adds them to the same index as on one machine; it is a file, so that a component may be large.
"""

import hashlib
import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from groundtypes.dataset.build.duplicates import band_keys, shingles
from groundtypes.dataset.build.index import Duplicate, ExampleIndex
from groundtypes.dataset.build.writing import compared_text, index_example
from groundtypes.ray.build.components import (
    Plan,
    connect,
    joined_lines,
    labels_of,
    write_links,
)
from groundtypes.ray.build.stages import Stages
from groundtypes.ray.build.tables import (
    Columns,
    Files,
    Part,
    partition_of,
    read_part,
    read_section,
    write_sections,
)
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.json_lines import json_line

__all__ = ["duplicates_of", "find_duplicates", "read_rows"]

_REASONS: Final = ("id", "equal", "near")


class _KeyColumns:
    """Keys of up to 16 bytes with their lines, as columns of numbers."""

    def __init__(self) -> None:
        self._high = array("Q")
        self._low = array("Q")
        self._line = array("q")

    def add(self, line: int, key: bytes) -> None:
        """Append a key; a shorter one is filled up with zeros."""
        filled = key.ljust(16, b"\0")
        self._high.append(int.from_bytes(filled[:8]))
        self._low.append(int.from_bytes(filled[8:]))
        self._line.append(line)

    def columns(self) -> Columns:
        """Return the columns `high`, `low` and `line`."""
        return {
            "high": np.array(self._high, np.uint64),
            "low": np.array(self._low, np.uint64),
            "line": np.array(self._line, np.int64),
        }


def find_duplicates(
    stages: Stages, shards: Sequence[Sequence[Path]], near: float | None, plan: Plan
) -> tuple[Sequence[Path], Sequence[Path]]:
    """Find the duplicates among the examples of shards, in the order of the input.

    A shard is the files of its examples. Returns folders of two kinds: one for each shard with its
    references, and one for each partition with its duplicates, which `duplicates_of` reads.

    Raises:
        DatasetError: A file cannot be read or written.
    """
    keys = stages.run("keys", _keys, [(shard, near, plan) for shard in shards])
    labels = connect(stages, "keys", keys, plan)
    given = [(shard, number, keys[number], labels, plan) for number, shard in enumerate(shards)]
    texts = stages.run("texts", _texts, given)
    parts = range(plan.partitions)
    return keys, stages.run("duplicates", _judge, [(texts, part, near) for part in parts])


def duplicates_of(judged: Sequence[Path], shard: int) -> dict[int, Duplicate]:
    """Return the duplicates of a shard, by their lines.

    Raises:
        DatasetError: A file cannot be read.
    """
    found = read_part(Part(Files(judged, "duplicates.arrow"), shard))
    rows = zip(*(found[name].tolist() for name in _COLUMNS), strict=True)
    return {
        line: Duplicate(of_line, _REASONS[reason], resemblance)
        for line, of_line, reason, resemblance in rows
    }


def read_rows(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Yield the rows of files that an earlier pass has written, one file after the other.

    Raises:
        DatasetError: A file cannot be read.
    """
    for path in paths:
        with file_errors(f"read {path}"), path.open("rb") as file:
            yield from map(json.loads, file)


_COLUMNS: Final = {
    "line": np.int64,
    "of_line": np.int64,
    "reason": np.int8,
    "resemblance": np.float64,
}


# --- tasks ----------------------------------------------------------------------------------------


def _keys(folder: Path, shard: Sequence[Path], near: float | None, plan: Plan) -> None:
    """Write what each example of a shard is compared by, and its references.

    In place of references, an example that has none has its id, in a section of their own.
    """
    lines: list[int] = []
    keys, references, ids = _KeyColumns(), _KeyColumns(), _KeyColumns()
    for example in read_rows(shard):
        line = example["line"]
        lines.append(line)
        for key in _keys_of(example, near):
            keys.add(line, key)
        for digest in example["references"]:
            references.add(line, bytes.fromhex(digest))
        if not example["references"]:
            ids.add(line, bytes.fromhex(example["id"]))
    columns = keys.columns()
    numbers = np.array(lines, np.int64)
    roots = joined_lines(numbers, columns)
    write_sections(folder / "lines.arrow", [{"line": numbers, "root": roots}])
    write_sections(folder / "references.arrow", [references.columns(), ids.columns()])
    write_links(folder, numbers, roots, columns, plan)


def _keys_of(example: Mapping[str, Any], near: float | None) -> Iterator[bytes]:
    """Yield a key for everything in which an example can be the duplicate of another."""
    if example["name"] is not None:
        name = example["name"].encode("utf-8", "surrogatepass")
        yield hashlib.blake2b(name, digest_size=16).digest()
    yield bytes.fromhex(example["id"])
    if near is not None:
        for key in band_keys(shingles(compared_text(example))):
            yield key.to_bytes(8, signed=True)


def _texts(
    folder: Path, shard: Sequence[Path], number: int, keys: Path, labels: Sequence[Path], plan: Plan
) -> None:
    """Write the examples of a shard that share a key with another one, by partition."""
    known = read_section(keys / "lines.arrow", 0)
    owners = _owners(known, labels_of(labels, number, known["root"]), plan)
    texts: list[list[bytes]] = [[] for _ in range(plan.partitions)]
    copied = ("line", "id", "name", "question", "answer")
    for example, owner in zip(read_rows(shard), owners.tolist(), strict=True):
        if owner >= 0:
            text = {**{key: example[key] for key in copied}, "references": []}
            texts[owner].append(json_line(text))
    with (folder / "texts.jsonl").open("wb") as file:
        lengths = []
        for part in texts:
            file.writelines(part)
            lengths.append(sum(map(len, part)))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    write_sections(folder / "starts.arrow", [{"start": starts}])


def _owners(known: Columns, labels: npt.NDArray[np.int64], plan: Plan) -> npt.NDArray[np.int64]:
    """Return which partition judges each example; -1 for those that share no key."""
    roots, members = np.unique(known["root"], return_counts=True)
    alone = (labels < 0) & (members[np.searchsorted(roots, known["root"])] == 1)
    owners = partition_of(np.where(labels < 0, known["root"], labels), plan.partitions)
    return np.where(alone, -1, owners)


def _judge(folder: Path, texts: Sequence[Path], part: int, near: float | None) -> None:
    """Find the duplicates among the examples of a partition, shard by shard."""
    with (
        # The index is read and written all the time, so it belongs on a disk of this machine.
        tempfile.TemporaryDirectory(prefix="groundtypes-") as local,
        ExampleIndex(Path(local) / "index.sqlite", near) as index,
    ):
        sections = [_judged(index, shard, part) for shard in texts]
    write_sections(folder / "duplicates.arrow", sections)


def _judged(index: ExampleIndex, shard: Path, part: int) -> Columns:
    """Return the duplicates among the examples that a shard has for a partition."""
    found: list[tuple[Any, ...]] = []
    for example in _part_of(shard, part):
        earlier = index_example(index, example)
        if earlier is not None:
            reason = _REASONS.index(earlier.reason)
            found.append((example["line"], earlier.line, reason, earlier.resemblance))
    columns = zip(*found, strict=True) if found else [()] * len(_COLUMNS)
    return {
        name: np.array(column, kind)
        for (name, kind), column in zip(_COLUMNS.items(), columns, strict=True)
    }


def _part_of(shard: Path, part: int) -> Iterator[dict[str, Any]]:
    start, stop = read_section(shard / "starts.arrow", 0)["start"][part : part + 2].tolist()
    path = shard / "texts.jsonl"
    with file_errors(f"read {path}"), path.open("rb") as file:
        file.seek(start)
        while file.tell() < stop:
            yield json.loads(file.readline())
