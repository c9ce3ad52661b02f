"""Scores kept by content, so that no pair is scored twice by the same model.

A key is a hash of the model's identity and both texts. No text can be read from a cache, and a
changed model finds none of the old scores.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from groundtypes.backends.forks import renew_in_child
from groundtypes.backends.label_adapters import Probabilities
from groundtypes.backends.sqlite_table import SQLiteTable
from groundtypes.scoring import Pair

__all__ = ["DiskScoreCache", "MemoryScoreCache", "ScoreCache", "score_key"]


class ScoreCache(Protocol):
    """Where an engine keeps its scores; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the rows of those keys that are known."""
        ...

    def put(self, rows: Mapping[bytes, Probabilities], /) -> None:
        """Keep rows."""
        ...


def score_key(identity: str, pair: Pair) -> bytes:
    """Return the key of a pair: 16 bytes of BLAKE2b."""
    digest = hashlib.blake2b(identity.encode(), digest_size=16)
    for text in (pair.premise, pair.hypothesis):
        data = text.encode("utf-8", "surrogatepass")
        # The length goes first, so that no text reaches into the next.
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


class MemoryScoreCache:
    """The scores used last, in memory; pickled, and in worker processes, it starts empty.

    One row takes about 250 bytes. `MemoryScoreCache(0)` keeps nothing.
    """

    def __init__(self, rows: int = 50_000) -> None:
        """Take the number of rows to keep."""
        self._limit = rows
        self._rows: OrderedDict[bytes, Probabilities] = OrderedDict()
        self._lock = threading.Lock()
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the rows of those keys that are known."""
        found: dict[bytes, Probabilities] = {}
        with self._lock:
            for key in keys:
                if (row := self._rows.get(key)) is not None:
                    self._rows.move_to_end(key)
                    found[key] = row
        return found

    def put(self, rows: Mapping[bytes, Probabilities], /) -> None:
        """Keep rows, and forget those over the limit that were used longest ago."""
        with self._lock:
            self._rows.update(rows)
            while len(self._rows) > self._limit:
                self._rows.popitem(last=False)

    def renew(self) -> None:
        """Start empty in a forked child: another thread may have been writing."""
        self._lock = threading.Lock()
        self._rows = OrderedDict()

    def __len__(self) -> int:
        return len(self._rows)

    def __reduce__(self) -> tuple[type["MemoryScoreCache"], tuple[int]]:
        return MemoryScoreCache, (self._limit,)


class DiskScoreCache:
    """Scores in an SQLite file, shared by processes on one machine and kept between runs.

    Nothing but numbers and hashes is stored, and nothing in the file is run when it is read.

    Raises:
        BackendError: The file cannot be read or written, or is no such cache.
    """

    def __init__(self, path: str | Path, *, rows: int = 5_000_000) -> None:
        """Take the file, which is made if it is not there, and about how many rows to keep."""
        self.path = Path(path)
        self._limit = rows
        self._table = SQLiteTable(
            self.path, "scores", {"e": "REAL", "n": "REAL", "c": "REAL"}, rows
        )

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the rows of those keys that are known."""
        return {key: _row(row) for key, row in self._table.get(keys).items()}

    def put(self, rows: Mapping[bytes, Probabilities], /) -> None:
        """Keep rows; over the limit, the oldest tenth goes."""
        self._table.put(rows)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._table.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _disk_cache, (self.path, self._limit)


def _disk_cache(path: Path, rows: int) -> DiskScoreCache:
    return DiskScoreCache(path, rows=rows)


def _row(values: Sequence[Any]) -> Probabilities:
    entailment, neutral, contradiction = map(float, values)
    return entailment, neutral, contradiction
