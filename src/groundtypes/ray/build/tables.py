"""Files of number columns between two stages, in sections that are read one by one.

A file is written by one task; each of its sections is for one task of the next stage. The format is
that of Arrow's IPC files, with one record batch for a section.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors

__all__ = [
    "Columns",
    "Files",
    "Part",
    "concatenated",
    "divide",
    "partition_of",
    "read_part",
    "read_section",
    "read_sections",
    "row_numbers",
    "write_sections",
]

#: Columns of numbers of the same length, by name.
Columns = Mapping[str, npt.NDArray[Any]]

_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


class Files(NamedTuple):
    """The files of one name in some folders."""

    folders: Sequence[Path]
    name: str

    @property
    def paths(self) -> Iterator[Path]:
        """The paths, in the order of the folders."""
        return (folder / self.name for folder in self.folders)


class Part(NamedTuple):
    """A part of a table: one section of each of some files."""

    files: Files
    section: int


def write_sections(path: Path, sections: Sequence[Columns]) -> None:
    """Write a file of sections, all with the same columns.

    Raises:
        OSError: It cannot be written.
    """
    batches = [
        pa.record_batch({name: pa.array(column) for name, column in section.items()})
        for section in sections
    ]
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def read_section(path: Path, section: int) -> Columns:
    """Return the columns of a section.

    Raises:
        DatasetError: The file cannot be read.
    """
    with _opened(path) as file:
        return _columns(file.get_batch(section))


def read_sections(path: Path) -> Columns:
    """Return the columns of all sections, one section after the other.

    Raises:
        DatasetError: The file cannot be read.
    """
    with _opened(path) as file:
        count = file.num_record_batches
        return concatenated([_columns(file.get_batch(number)) for number in range(count)])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with file_errors(f"read {path}"), pa.OSFile(str(path), "rb") as file:
            yield pa.ipc.open_file(file)
    except pa.ArrowException as error:
        raise DatasetError(f"Cannot read {path}: it is damaged.") from error


def _columns(batch: Any) -> Columns:
    return {
        name: column.to_numpy(zero_copy_only=False)
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }


def read_part(part: Part) -> Columns:
    """Return a part of a table, the files one after the other.

    Raises:
        DatasetError: A file cannot be read.
    """
    return concatenated([read_section(path, part.section) for path in part.files.paths])


def concatenated(parts: Sequence[Columns]) -> Columns:
    """Return the rows of tables with the same columns, one table after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def partition_of(keys: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
    """Return to which of `count` partitions each key belongs, an integer of 64 bits."""
    mixed = keys.astype(np.uint64) * _MIX
    return ((mixed >> np.uint64(33)) % np.uint64(count)).astype(np.int64)


def divide(columns: Columns, owners: npt.NDArray[np.int64], count: int) -> list[Columns]:
    """Return `count` tables: each row goes to the one that `owners` names, in order."""
    order = np.argsort(owners, kind="stable")
    ends = np.searchsorted(owners[order], np.arange(1, count))
    pieces = {name: np.split(column[order], ends) for name, column in columns.items()}
    return [{name: pieces[name][number] for name in columns} for number in range(count)]


def row_numbers(keys: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return at which row each wanted key occurs, -1 if at none; no key occurs twice."""
    if not len(keys):
        return np.full(len(wanted), -1)
    order = np.argsort(keys, kind="stable")
    places = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    rows = order[places]
    return np.where(keys[rows] == wanted, rows, -1)
