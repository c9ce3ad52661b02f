"""From examples to files: duplicates are left out, groups are shared out, rows are written."""

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from groundtypes.dataset.build.index import Index
from groundtypes.dataset.build.manifest import card
from groundtypes.dataset.build.outputs import Format, Outputs, file_digest
from groundtypes.dataset.build.shapes import Shapes

__all__ = ["Writing", "Written", "file_names"]

_SPLITS: Final = ("train", "test")
_KINDS: Final = ("supervised", "preference")


def file_names(formats: Iterable[str]) -> list[str]:
    """Return the files that a data set in these formats may have, but for the manifest."""
    names = ["rejected.jsonl", "duplicates.jsonl"]
    for name in formats:
        if name == "openai":
            names += [f"openai/{split}.jsonl" for split in _SPLITS]
        else:
            names += [f"{kind}/{split}.{name}" for kind in _KINDS for split in _SPLITS]
            names.append("README.md")
    return list(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: rows by kind and split, groups, and where rows and pairs came from."""

    counts: Mapping[str, int]
    groups: Mapping[str, int]
    llms: Mapping[str, int]
    origins: Mapping[str, int]


class Writing:
    """The last two passes of a build, over the examples in its work folder."""

    def __init__(self, work: Path, shapes: Shapes, formats: Iterable[Format]) -> None:
        """Take the work folder; the files are made in the folder `out` of it."""
        self._work = work
        self._out = work / "out"
        self._shapes = shapes
        self._formats = tuple(formats)

    def write(self, *, near: float | None, test: float, seed: int) -> Written:
        """Write the rows.

        Raises:
            OSError: A file cannot be read or written.
            DatasetError: The same, where a row is being written.
        """
        shutil.rmtree(self._out, ignore_errors=True)
        self._out.mkdir()
        with (
            Index(self._work / "index.sqlite", near) as index,
            Outputs(self._out, self._formats, tools=bool(self._shapes.tools)) as outputs,
        ):
            left_out = self._index(index, outputs)
            groups = index.split(test, seed)
            counts, llms, origins = self._rows(index, outputs, left_out)
        rejected = self._work / "rejected.jsonl"
        if rejected.stat().st_size:
            _link(rejected, self._out / "rejected.jsonl")
        kinds = [f"{kind} {split}" for kind in _KINDS for split in _SPLITS]
        return Written(
            {
                "duplicates": sum(left_out),
                **{name: counts[name] for name in (*kinds, "repaired")},
            },
            groups,
            _sorted(llms),
            _sorted(origins),
        )

    def finish(self, manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Write the card, and return the size and the hash of each file."""
        if "jsonl" in self._formats or "parquet" in self._formats:
            text = card(manifest, self._tables())
            (self._out / "README.md").write_text(text, encoding="utf-8")
        return {
            path.relative_to(self._out).as_posix(): file_digest(path)
            for path in sorted(self._out.rglob("*"))
            if path.is_file()
        }

    def _examples(self) -> Iterator[dict[str, Any]]:
        with (self._work / "examples.jsonl").open("rb") as file:
            for line in file:
                yield json.loads(line)

    def _index(self, index: Index, outputs: Outputs) -> bytearray:
        """Take every example into the index; return which are duplicates, a byte for each."""
        left_out = bytearray()
        for example in self._examples():
            earlier = index.add(
                example["line"],
                example["id"],
                example["name"],
                self._shapes.text_of(example),
                example["references"],
            )
            left_out.append(earlier is not None)
            if earlier is not None:
                copied = ("line", "id", "name", "messages", "answer")
                outputs.line(
                    "duplicates.jsonl",
                    {
                        **{key: example[key] for key in copied},
                        "of_line": earlier.line,
                        "reason": earlier.reason,
                        "resemblance": earlier.resemblance,
                    },
                )
        return left_out

    def _rows(
        self, index: Index, outputs: Outputs, left_out: bytearray
    ) -> tuple[Counter[str], Counter[str], Counter[str]]:
        """Write the rows of every example that is no duplicate."""
        counts: Counter[str] = Counter()
        llms: Counter[str] = Counter()
        origins: Counter[str] = Counter()
        number = 0
        for place, example in enumerate(self._examples()):
            if left_out[place]:
                continue
            split, group = index.place(number)
            number += 1
            outputs.openai(split, self._shapes.openai(example))
            outputs.table("supervised", split, self._shapes.supervised(example, group))
            counts[f"supervised {split}"] += 1
            counts["repaired"] += example["repair"] is not None
            if example["llm"]:
                llms[example["llm"]] += 1
            for pair in self._shapes.preferences(example, group):
                outputs.table("preference", split, pair)
                counts[f"preference {split}"] += 1
                origins[pair["origin"]] += 1
        return counts, llms, origins

    def _tables(self) -> dict[str, dict[str, str]]:
        """Return the files of each kind, by split."""
        suffix = "parquet" if "parquet" in self._formats else "jsonl"
        found = {
            kind: {
                split: f"{kind}/{split}.{suffix}"
                for split in _SPLITS
                if (self._out / kind / f"{split}.{suffix}").exists()
            }
            for kind in _KINDS
        }
        return {kind: paths for kind, paths in found.items() if paths}


def _link(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError:  # a file system without links
        shutil.copyfile(source, target)


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
