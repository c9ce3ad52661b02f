"""Examples to files: duplicates are left out, groups are split, rows are written."""

import json
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, get_args

from groundtypes.dataset.build.example_index import ExampleIndex
from groundtypes.dataset.build.manifest import card
from groundtypes.dataset.build.outputs import ExampleFormatter, Style, file_digest
from groundtypes.errors import DatasetError
from groundtypes.row_files.json_lines import json_line

#: `openai`: for OpenAI's fine-tuning. `jsonl`: for Hugging Face's `datasets`, with ids.
Format = Literal["openai", "jsonl"]

_SPLITS: Final = ("train", "test")
#: Rows that are no examples, as the auditing of the lines has written them.
_LEFT_OUT: Final = ("rejected.jsonl", "review.jsonl")
_KINDS: Final = ("supervised", "preference")


def file_names(formats: Collection[str]) -> list[str]:
    """Return the files that a data set in these formats may have, but for the manifest."""
    names = [*_LEFT_OUT, "duplicates.jsonl"]
    for name in formats:
        folders = ("openai",) if name == "openai" else _KINDS
        names += [f"{folder}/{split}.jsonl" for folder in folders for split in _SPLITS]
    return [*names, "README.md"] if "jsonl" in formats else names


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """How examples are written: style and formats, the split, and which count as duplicates."""

    style: Style
    formats: tuple[Format, ...]
    test: float
    seed: int
    near_duplicates: float | None
    licence: str | None

    def __post_init__(self) -> None:
        for option, values, allowed in (
            ("style", [self.style], get_args(Style)),
            ("formats", self.formats, get_args(Format)),
        ):
            for value in values:
                if value not in allowed:
                    names = " or ".join(map(repr, allowed))
                    raise DatasetError(f"`{option}` has {value!r}; it must be {names}")
        if not self.formats:
            raise DatasetError("`formats` is empty, so that nothing would be written")
        if not 0.0 <= self.test < 1.0:
            raise DatasetError(f"`test` is {self.test}; it must be at least 0 and below 1")
        near = self.near_duplicates
        if near is not None and not 0.0 < near <= 1.0:
            raise DatasetError(f"`near_duplicates` is {near}; it must be above 0, at most 1")
        if not 0 <= self.seed < 2**64:
            raise DatasetError(f"`seed` is {self.seed}; it must be at least 0 and below 2**64")


class _Writer(ExitStack):
    """Writes rows to the files of a folder, by their names there."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}

    def write(self, name: str, row: Mapping[str, Any]) -> None:
        """Append a row to a file."""
        if name not in self._files:
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self._files[name] = self.enter_context(path.open("wb", buffering=2**20))
        self._files[name].write(json_line(row))


class DatasetFiles:
    """Makes the files of a data set of the examples in a work folder."""

    def __init__(self, work: Path, formatter: ExampleFormatter, options: OutputOptions) -> None:
        self._work = work
        self._out = work / "out"
        self._formatter = formatter
        self._options = options
        self._counts: Counter[str] = Counter()
        self._llms: Counter[str] = Counter()
        self._origins: Counter[str] = Counter()

    def write(self) -> dict[str, dict[str, int]]:
        """Write the rows, and return the parts of the manifest that count them.

        These are the `counts` by kind and split, the `groups`, and from which `llms` the rows and
        by which re-ask or repair the `pairs` come.
        """
        shutil.rmtree(self._out, ignore_errors=True)
        self._out.mkdir()
        options = self._options
        with (
            ExampleIndex(self._work / "index.sqlite", options.near_duplicates) as index,
            _Writer(self._out) as writer,
        ):
            duplicates = self._index(index, writer)
            groups = index.split(options.test, options.seed)
            unique = (
                example
                for example, duplicate in zip(self._examples(), duplicates, strict=True)
                if not duplicate
            )
            for number, example in enumerate(unique):
                self._write(writer, example, *index.place(number))
        for name in _LEFT_OUT:
            if (self._work / name).stat().st_size:
                shutil.copyfile(self._work / name, self._out / name)
        names = ["duplicates", *(f"{kind} {split}" for kind in _KINDS for split in _SPLITS)]
        return {
            "counts": {name: self._counts[name] for name in names},
            "groups": groups,
            "llms": _most_frequent_first(self._llms),
            "pairs": _most_frequent_first(self._origins),
        }

    def finish(self, manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Write the card, and return the size and the hash of each file."""
        if "jsonl" in self._options.formats:
            names = [f"{kind}/{split}.jsonl" for kind in _KINDS for split in _SPLITS]
            written = [name for name in names if (self._out / name).exists()]
            (self._out / "README.md").write_text(card(manifest, written), encoding="utf-8")
        return {
            path.relative_to(self._out).as_posix(): file_digest(path)
            for path in sorted(self._out.rglob("*"))
            if path.is_file()
        }

    def _examples(self) -> Iterator[dict[str, Any]]:
        with (self._work / "examples.jsonl").open("rb") as file:
            yield from map(json.loads, file)

    def _index(self, index: ExampleIndex, writer: _Writer) -> bytearray:
        """Add every example to the index; return which are duplicates, a byte for each."""
        duplicates = bytearray()
        for example in self._examples():
            earlier = index.add(
                example["line"],
                example["id"],
                example["name"],
                f"{example['question']}\n{example['answer']}",
                example["references"],
            )
            duplicates.append(earlier is not None)
            if earlier is not None:
                copied = {key: example[key] for key in ("line", "id", "name", "messages", "answer")}
                row = {
                    **copied,
                    "of_line": earlier.line,
                    "reason": earlier.reason,
                    "resemblance": earlier.resemblance,
                }
                writer.write("duplicates.jsonl", row)
                self._counts["duplicates"] += 1
        return duplicates

    def _write(self, writer: _Writer, example: Mapping[str, Any], split: str, group: str) -> None:
        """Write every row of an example that is no duplicate."""
        formats = self._options.formats
        if "openai" in formats:
            writer.write(f"openai/{split}.jsonl", self._formatter.openai(example))
        tables = [("supervised", self._formatter.supervised(example, group))]
        for pair in self._formatter.preferences(example, group):
            tables.append(("preference", pair))
            self._origins[pair["origin"]] += 1
        for kind, row in tables:
            self._counts[f"{kind} {split}"] += 1
            if "jsonl" in formats:
                writer.write(f"{kind}/{split}.jsonl", row)
        if example["llm"]:
            self._llms[example["llm"]] += 1


def _most_frequent_first(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
