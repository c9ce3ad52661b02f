"""The folder of a run: a record of each finished shard, and the files that the records name."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, Self

from pydantic import TypeAdapter, ValidationError

from groundtypes.errors import DatasetError
from groundtypes.ray.shards import Shard
from groundtypes.ray.worker import RUN_FILE, ShardRecord
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.files import file_errors, locked, replace_file
from groundtypes.row_files.json_lines import json_bytes
from groundtypes.row_files.run_files import check_identity, read_json

_FORMAT: Final = 2
_RECORD: Final = ".record.json"
_IDENTITY: Final = "identity.json"
_LOCK: Final = ".lock"
_CHUNK: Final = 2**20


_RECORDS: Final = TypeAdapter(ShardRecord)


def counts_of(records: Iterable[ShardRecord]) -> RunCounts:
    """Return the sum of the counts of shards, added in their order."""
    total = RunCounts()
    for record in records:
        for counts in record.counts:
            total.merge(RunCounts.from_dict(counts))
    return total


class ShardProgress:
    """Reports the broken lines of each shard that is done, and the sum of what is done."""

    def __init__(self, progress: Progress, size: int) -> None:
        self.counts = RunCounts()
        self._progress = progress
        self._done = 0
        progress.started(size, 0)

    def finished(self, record: ShardRecord) -> None:
        """Count a shard."""
        for number, reason in record.broken:
            self._progress.broken(number, reason)
        self.counts.merge(counts_of([record]))
        self._done += record.shard.stop - record.shard.start
        self._progress.advanced(self._done, self.counts)


class Store:
    """The folder of a run, which no other run writes at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_hex(4)

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, identity: Mapping[str, Any]) -> Iterator[Self]:
        """Hold a folder for a run, and check that what is there is of the same one."""
        with file_errors(f"write {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
        folder = folder.resolve()
        with locked(folder / _LOCK, folder):
            store = cls(folder)
            path = folder / _IDENTITY
            now = {"format": _FORMAT, **identity}
            if path.exists():
                check_identity(read_json(path), now)
            else:
                replace_file(path, json_bytes(now))
            replace_file(folder / RUN_FILE, json_bytes({"token": store.token}))
            yield store

    def load(self, shards: Sequence[Shard]) -> dict[int, ShardRecord]:
        """Return the records of shards that earlier runs have finished, by number.

        Files that no record names are removed.
        """
        records = {}
        for shard in shards:
            record = self._record(shard)
            if record is not None and self._has_files(record):
                records[shard.number] = record
        self._remove_others(records.values())
        return records

    def save(self, record: ShardRecord) -> None:
        """Write the record of a finished shard."""
        replace_file(self._path(record.shard.number), json_bytes(asdict(record)))

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:08d}{_RECORD}"

    def _record(self, shard: Shard) -> ShardRecord | None:
        path = self._path(shard.number)
        if not path.exists():
            return None
        try:
            with file_errors(f"read {path}"):
                record = _RECORDS.validate_json(path.read_bytes())
        except ValidationError as error:
            raise DatasetError(f"{path} is damaged. Remove it: its shard is done again.") from error
        if record.shard != shard and replace(record.shard, digest=shard.digest) == shard:
            raise DatasetError(
                f"{shard} is not what the interrupted run has read. To start again, pass "
                "`overwrite=True` in place of `resume=True`."
            )
        return record if record.shard == shard else None

    def _has_files(self, record: ShardRecord) -> bool:
        with suppress(OSError):
            return all(
                (self.folder / file.name).stat().st_size == file.bytes
                for file in record.files.values()
            )
        return False

    def _remove_others(self, records: Iterable[ShardRecord]) -> None:
        """Remove what attempts have left that were not finished."""
        known = {_IDENTITY, RUN_FILE, _LOCK}
        for record in records:
            known.add(self._path(record.shard.number).name)
            known |= {file.name for file in record.files.values()}
        with file_errors(f"write {self.folder}"):
            for path in self.folder.iterdir():
                if path.name not in known and path.name[:8].isdecimal():
                    path.unlink(missing_ok=True)


def output_chunks(records: Iterable[ShardRecord], folder: Path, output: str) -> Iterator[bytes]:
    """Yield the files of an output one after the other, in the order of the shards."""
    for record in records:
        file = record.files[output]
        path = folder / file.name
        digest = hashlib.blake2b(digest_size=16)
        with file_errors(f"read {path}"), path.open("rb") as source:
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != file.blake2b:
            (folder / f"{record.shard.number:08d}{_RECORD}").unlink(missing_ok=True)
            raise DatasetError(
                f"{path} was changed after it was written. Continue with `resume=True`: its shard "
                "is done again."
            )
