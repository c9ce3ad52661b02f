"""What is recorded of a row, where rows come from, and which sets there are."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from benchmarks.revisions import ROOT
from corpora.rows import read_rows
from groundtypes import Reference

__all__ = [
    "TESTS",
    "Outcome",
    "RowSet",
    "Rows",
    "lines",
    "missing_without",
    "structured",
    "table_of_tests",
]

#: The tables that stand with the tests.
TESTS: Final = ROOT / "tests"

#: What must happen to a row: what is right passes, what is wrong is refused. A row of `law` has
#: no label: it shows only whether anything changes.
Side = Literal["pass", "refuse", "law"]


class Outcome(NamedTuple):
    """What was said of a row, and whether this is right; `text` shows the row to people."""

    id: str
    side: Side
    right: bool
    said: str
    text: str

    @classmethod
    def of(cls, id_: str, said: str, text: str, *, wanted: bool, passes: bool) -> "Outcome":
        """Return the outcome of a row that should pass, if it is `wanted`, or be refused."""
        return cls(id_, "pass" if wanted else "refuse", wanted == passes, said, text)


@dataclass(frozen=True, slots=True)
class Rows:
    """Where rows come from.

    Attributes:
        data: The folder of public sets, which `research/notes/benchmarks.md` describes, if it is
            at hand.
        cases: A folder of case files, if it is at hand.
        every: One row in so many is judged.
        most: So many texts of each set are given to the NLI model.
        cache: A folder for what the models said, so that they are not asked twice.
    """

    data: Path | None
    cases: Path | None
    every: int
    most: int
    cache: Path

    def of(self, path: Path) -> Iterator[dict[str, Any]]:
        """Yield the rows of a file, plain or gzipped; of large ones, one in `every`."""
        rows = list(read_rows(path) if path.suffix == ".gz" else lines(path))
        yield from rows[:: self.every if len(rows) > _LARGE else 1]


#: Only sets with more rows than these are sampled.
_LARGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class RowSet:
    """A set of rows: its name, and a function that judges them.

    `origin` says who wrote the rows. Rules were often written for `tests` and `battery`; nothing
    was for `public` ones.
    """

    name: str
    origin: Literal["tests", "battery", "cases", "written", "public"]
    judge: Callable[[Rows], Iterable[Outcome]]
    needs: Literal["data", "cases", ""] = ""


def table_of_tests(name: str) -> Path:
    """Return the path of a table that stands with the tests, in whatever folder of them."""
    [path] = TESTS.rglob(name)
    return path


def missing_without(rows: Rows, row_set: RowSet) -> bool:
    """Return whether a set needs a folder that is not given."""
    return bool(row_set.needs) and getattr(rows, row_set.needs) is None


def structured(row: dict[str, Any]) -> tuple[bool, str, Reference]:
    """Return whether a value of a JSON value or table is right, the value, and its reference."""
    make: Any = Reference.of_json if row["format"] == "json" else Reference.of_table
    if "value" in row:
        return row["holds"], row["value"], make("source", row["source"])
    return row["label"] == "accept", row["text"], make("source", row["reference"])


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
