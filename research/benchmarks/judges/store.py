"""What a judge said of each row, in files that a later run goes on with.

The folder has one folder for each judge, with a file of JSON Lines for each set, and `runs.jsonl`
with the cost of each run. The texts of the rows are not stored.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

__all__ = ["Store", "shown_name"]

_RUNS: Final = "runs.jsonl"
_ENGINE: Final = "engine.json"


def shown_name(name: str) -> str:
    """Return the name of an engine as a page shows it: without a path of this machine."""
    kind = name.partition(":")[0]
    return name if kind == "hub" else kind


@dataclass(frozen=True, slots=True)
class Store:
    """The stored judgements of all judges."""

    folder: Path

    def judges(self) -> list[str]:
        """Return the names of the judges that have a folder, in order."""
        folders = sorted(self.folder.glob("*/")) if self.folder.is_dir() else []
        return [unquote(folder.name) for folder in folders]

    def read(self, judge: str, set_name: str) -> dict[str, dict[str, Any]]:
        """Return what a judge said of the rows of a set, by their ids."""
        return {row["id"]: row for row in _lines(self._path(judge, f"{set_name}.jsonl"))}

    def add(self, judge: str, set_name: str, rows: Iterable[dict[str, Any]]) -> None:
        """Append judgements."""
        _append(self._path(judge, f"{set_name}.jsonl"), rows)

    def runs(self, judge: str) -> list[dict[str, Any]]:
        """Return the cost of each run of a judge, in order."""
        return list(_lines(self._path(judge, _RUNS)))

    def add_run(self, judge: str, run: dict[str, Any]) -> None:
        """Append the cost of a run."""
        _append(self._path(judge, _RUNS), [run])

    def claim(self, judge: str, engine: str, *, is_same: bool = False) -> None:
        """Note which engine the judge is, by its digest.

        `is_same` says that an engine with another digest judges alike: the same weights in another
        format, or in the data type of another machine.

        Raises:
            SystemExit: What is stored is of another engine of the same name.
        """
        path = self._path(judge, _ENGINE)
        known = json.loads(path.read_text(encoding="utf-8"))["engines"] if path.exists() else []
        if engine in known:
            return
        if known and not is_same:
            raise SystemExit(
                f"{path.parent} holds scores of another engine ({known[0]}; this is {engine}). "
                "Name another --store, remove the folder, or say with --same-engine that only the "
                "format or the data type of the weights differs."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"engines": [*known, engine]}) + "\n", encoding="utf-8")

    def forget(self, judge: str, set_name: str) -> None:
        """Remove what a judge said of a set."""
        self._path(judge, f"{set_name}.jsonl").unlink(missing_ok=True)

    def _path(self, judge: str, name: str) -> Path:
        return self.folder / quote(judge, safe="") / name


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, without half a line that a killed run has left."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                yield json.loads(line)


def _append(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    with path.open("a+b") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - 1))
        if end and file.read(1) != b"\n":
            file.write(b"\n")  # half a line of a killed run stays apart
        file.write(text.encode())
