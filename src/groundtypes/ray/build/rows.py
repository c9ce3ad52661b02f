"""Files of a data set: the rows of each shard, joined in the order of the shards."""

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from groundtypes.dataset.build.formats import ExampleFormatter
from groundtypes.dataset.build.outputs import DatasetWriter, file_digest
from groundtypes.dataset.build.writing import (
    ExampleRows,
    Format,
    OutputOptions,
    WrittenRows,
    file_names,
    link_or_copy,
    write_card,
)
from groundtypes.ray.build.components import Plan
from groundtypes.ray.build.duplicates import duplicates_of, find_duplicates, read_rows
from groundtypes.ray.build.groups import GroupedShards, group_examples, places_of
from groundtypes.ray.build.stages import Stages
from groundtypes.row_files.files import file_errors
from groundtypes.row_files.progress import Progress

__all__ = ["ShardFiles", "ShardedFiles"]


class ShardFiles(NamedTuple):
    """What judging has made of a shard: files of its examples, and files of its rejected rows."""

    examples: tuple[Path, ...]
    rejected: tuple[Path, ...]


class ShardedFiles:
    """Makes the files of a data set of the examples of many shards."""

    def __init__(
        self,
        work: Path,
        shards: Sequence[ShardFiles],
        formatter: ExampleFormatter,
        options: OutputOptions,
        stages: Stages,
        plan: Plan,
        progress: Progress,
    ) -> None:
        """Store the work folder; the files are made in the folder `out` of it."""
        self._out = work / "out"
        self._shards = shards
        self._formatter = formatter
        self._options = options
        self._stages = stages
        self._plan = plan
        self._progress = progress
        self._digests: dict[str, dict[str, Any]] = {}

    def write(self) -> dict[str, dict[str, int]]:
        """Write the rows, and return the parts of the manifest that count them.

        Raises:
            DatasetError: A file cannot be read or written.
        """
        stages, options = self._stages, self._options
        examples = [shard.examples for shard in self._shards]
        self._progress.noted("Ray: looking for duplicates")
        keys, duplicates = find_duplicates(stages, examples, options.near_duplicates, self._plan)
        self._progress.noted("Ray: grouping and splitting the examples")
        groups = group_examples(stages, keys, duplicates, options.test, options.seed, self._plan)
        self._progress.noted("Ray: writing the rows")
        given = [
            (shard, number, duplicates, groups, self._formatter, options)
            for number, shard in enumerate(examples)
        ]
        rows = stages.run("rows", _rows, given)
        written = WrittenRows()
        for counts in stages.results["rows"]:
            written.merge(WrittenRows(*map(Counter, counts)))
        self._join(rows)
        return written.to_dict(groups.counts)

    def finish(self, manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Write the card, and return the size and the hash of each file."""
        write_card(self._out, self._options.formats, manifest)
        paths = [path for path in sorted(self._out.rglob("*")) if path.is_file()]
        names = [path.relative_to(self._out).as_posix() for path in paths]
        return {
            name: self._digests[name] if name in self._digests else file_digest(path)
            for name, path in zip(names, paths, strict=True)
        }

    def _join(self, rows: Sequence[Path]) -> None:
        """Join the files of the shards in `out`, one task for a file."""
        given: list[tuple[str, list[Path], bool]] = []
        for name in file_names(self._options.formats):
            if name == "rejected.jsonl":
                parts = [path for shard in self._shards for path in shard.rejected]
            else:
                parts = [folder / Path(name).with_suffix(".jsonl") for folder in rows]
            parts = [part for part in parts if part.exists() and part.stat().st_size]
            if parts:
                given.append((name, parts, bool(self._formatter.tools)))
        joined = self._stages.run("joined", _joined, given)
        shutil.rmtree(self._out, ignore_errors=True)
        self._out.mkdir()
        for (name, *_), folder, digest in zip(
            given, joined, self._stages.results["joined"], strict=True
        ):
            self._digests[name] = digest
            (self._out / name).parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(folder / name, self._out / name)


def _rows(
    folder: Path,
    shard: Sequence[Path],
    number: int,
    judged: Sequence[Path],
    groups: GroupedShards,
    formatter: ExampleFormatter,
    options: OutputOptions,
) -> list[dict[str, int]]:
    """Write the rows of a shard as JSON Lines, and return the counts of them."""
    duplicates, places = duplicates_of(judged, number), places_of(groups, number)
    formats: set[Format] = {"openai" if name == "openai" else "jsonl" for name in options.formats}
    with DatasetWriter(folder, tools=bool(formatter.tools)) as writer:
        rows = ExampleRows(writer, formatter, formats)
        for example in read_rows(shard):
            earlier = duplicates.get(example["line"])
            if earlier is not None:
                rows.duplicate(example, earlier)
            else:
                rows.unique(example, *places[example["line"]])
    written = rows.written
    return [dict(counts) for counts in (written.rows, written.llms, written.origins)]


def _joined(folder: Path, name: str, parts: Sequence[Path], tools: bool) -> dict[str, Any]:  # noqa: FBT001 # an argument of a task
    """Write the rows of all parts, in order, as one file; return its size and its hash."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        with DatasetWriter(folder, tools=tools) as writer:
            for row in read_rows(parts):
                writer.write(name, row)
    else:
        with path.open("wb") as joined:
            for part in parts:
                with file_errors(f"read {part}"), part.open("rb") as file:
                    shutil.copyfileobj(file, joined, _CHUNK)
    return file_digest(path)


_CHUNK: Final = 2**20
