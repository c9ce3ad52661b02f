"""Faults that are accepted: `check --write-baseline` writes them, `check --baseline` reads them."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, StringConstraints, ValidationError

from groundtypes.errors import DatasetError
from groundtypes.row_files.files import file_errors, open_input, replace_file
from groundtypes.row_files.line_faults import LineFault
from groundtypes.text.message_excerpts import clip, encodable

#: The most faults and bytes of a baseline, which is held in memory.
_MOST_FAULTS: Final = 500_000
_MOST_BYTES: Final = 2**28
_Name = Annotated[str, StringConstraints(max_length=20_000)]
#: What a fault is known by: the name of its row, its place, its kind.
_Key = tuple[str, str, str]


class _Fault(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    row: _Name
    place: _Name
    slug: _Name
    count: PositiveInt = 1


class _File(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    format: Literal["groundtypes baseline"]
    version: Literal[1]
    model: str
    faults: list[_Fault]


def _key(fault: LineFault) -> _Key:
    return fault.row, encodable(fault.place), clip(encodable(fault.slug), 200)


def fingerprint(fault: LineFault) -> str:
    """Return what stays the same where rows are inserted; empty for a row that was not judged."""
    if fault.is_mistake:
        return ""
    return hashlib.blake2b(repr(_key(fault)).encode(), digest_size=16).hexdigest()


class Baseline:
    """The faults of a run, compared with accepted ones; without these, all are accepted.

    A row that was not judged is never accepted, nor is one that a person should look at. Of several
    faults of one kind in one place of a row, as many are accepted as there were. The faults of a
    row must come one after the other.

    Attributes:
        old: How many faults are accepted.
        new: How many are not, with the rows that were not judged.
        rows: How many rejected rows have only accepted faults.
    """

    def __init__(self, model: str, accepted: Mapping[_Key, int] | None = None) -> None:
        self.old = self.new = self.rows = 0
        self._model = model
        self._accepted = accepted
        self._found: Counter[_Key] = Counter()
        self._line = 0
        self._is_row_old = False

    @classmethod
    def read(cls, path: Path, model: str) -> "Baseline":
        """Return the baseline in a file, which must be one of this model.

        Raises:
            DatasetError: It cannot be read, is no baseline, or is one of another model.
        """
        with open_input(path) as stream, file_errors(f"read {path}"):
            content = stream.read(_MOST_BYTES + 1)
        try:
            file = _File.model_validate_json(content[:_MOST_BYTES])
        except ValidationError as error:
            [first, *_] = error.errors(include_url=False, include_input=False)
            where = ".".join(map(str, first["loc"]))
            raise DatasetError(
                f"{path} is no baseline of groundtypes check: {clip(where, 80)} "
                f"{clip(first['msg'], 200)}. Write one with --write-baseline."
            ) from error
        if file.model != model:
            raise DatasetError(
                f"{path} is a baseline of the model {clip(file.model, 200)}, and the answers are "
                f"checked by {clip(model, 200)}. Write one for this model with --write-baseline."
            )
        accepted = {(fault.row, fault.place, fault.slug): fault.count for fault in file.faults}
        if len(accepted) < len(file.faults):
            raise DatasetError(f"{path} has a fault twice. Write it anew with --write-baseline.")
        return cls(model, accepted)

    @property
    def compares(self) -> bool:
        """Whether there are accepted faults to compare with."""
        return self._accepted is not None

    @property
    def gone(self) -> int:
        """How many accepted faults the run has not found."""
        return (Counter(self._accepted) - self._found).total()

    def compared(self, fault: LineFault) -> LineFault:
        """Count the next fault of the run, and return it with its state."""
        key = _key(fault)
        most = _MOST_FAULTS if self._accepted is None else self._accepted.get(key, 0)
        is_old = not (fault.is_mistake or fault.is_doubt) and self._found[key] < most
        if is_old and len(self._found) <= _MOST_FAULTS:
            self._found[key] += 1
        self.old, self.new = self.old + is_old, self.new + (not is_old)
        if not fault.dropped:
            if fault.line != self._line:
                self._line, self._is_row_old = fault.line, True
                self.rows += 1
            if self._is_row_old and not is_old:
                self._is_row_old = False
                self.rows -= 1
        return replace(fault, state="unchanged" if is_old else "new") if self.compares else fault

    def write(self, path: Path) -> None:
        """Write the accepted faults, one a line and sorted, as a file that `read` reads.

        Raises:
            DatasetError: They are too many.
        """
        if len(self._found) > _MOST_FAULTS:
            raise DatasetError(f"There are more than {_MOST_FAULTS:,} faults to accept.")
        faults = (
            _Fault(row=row, place=place, slug=slug, count=count).model_dump_json()
            for (row, place, slug), count in sorted(self._found.items())
        )
        file = _File(format="groundtypes baseline", version=1, model=self._model, faults=[])
        head = file.model_dump_json().removesuffix("]}")
        replace_file(path, (head + "\n" + ",\n".join(faults) + "\n]}\n").encode())
