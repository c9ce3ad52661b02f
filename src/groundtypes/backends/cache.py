"""Scores kept by content, so that no pair is scored twice by the same model.

A key is a hash of the model's identity and both texts. No text can be read from a cache, and a
changed model finds none of the old scores.
"""

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol

from groundtypes.backends.forks import renew_in_child
from groundtypes.backends.labels import Row
from groundtypes.errors import BackendError
from groundtypes.scoring import Pair

__all__ = ["DiskCache", "MemoryCache", "ScoreCache", "key_of"]

#: SQLite takes no more values in one statement, in its oldest versions.
_SLICE: Final = 900


class ScoreCache(Protocol):
    """Where an engine keeps its scores; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Row]:
        """Return the rows of those keys that are known."""
        ...

    def put(self, rows: Mapping[bytes, Row], /) -> None:
        """Keep rows."""
        ...


def key_of(identity: str, pair: Pair) -> bytes:
    """Return the key of a pair: 16 bytes of BLAKE2b."""
    digest = hashlib.blake2b(identity.encode(), digest_size=16)
    for text in (pair.premise, pair.hypothesis):
        data = text.encode("utf-8", "surrogatepass")
        # The length goes first, so that no text reaches into the next.
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


class MemoryCache:
    """The scores used last, in memory; pickled, and in worker processes, it starts empty.

    One row takes about 250 bytes. `MemoryCache(0)` keeps nothing.
    """

    def __init__(self, rows: int = 50_000) -> None:
        """Take the number of rows to keep."""
        self._limit = rows
        self._rows: OrderedDict[bytes, Row] = OrderedDict()
        self._lock = threading.Lock()
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Row]:
        """Return the rows of those keys that are known."""
        found: dict[bytes, Row] = {}
        with self._lock:
            for key in keys:
                if (row := self._rows.get(key)) is not None:
                    self._rows.move_to_end(key)
                    found[key] = row
        return found

    def put(self, rows: Mapping[bytes, Row], /) -> None:
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

    def __reduce__(self) -> tuple[type["MemoryCache"], tuple[int]]:
        return MemoryCache, (self._limit,)


class DiskCache:
    """Scores in an SQLite file, shared by processes on one machine and kept between runs.

    Nothing but numbers and hashes is stored, and nothing in the file is run when it is read.

    Raises:
        BackendError: The file cannot be read or written, or is no such cache.
    """

    def __init__(self, path: str | Path, *, rows: int = 5_000_000) -> None:
        """Take the file, which is made if it is not there, and about how many rows to keep."""
        self.path = Path(path)
        self._limit = rows
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        #: Connections of the parent process, which a child must neither use nor close.
        self._inherited: list[sqlite3.Connection] = []
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Row]:
        """Return the rows of those keys that are known."""
        found: dict[bytes, Row] = {}
        for start in range(0, len(keys), _SLICE):
            some = keys[start : start + _SLICE]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, e, n, c FROM scores WHERE key IN ({marks})"  # noqa: S608 # question marks
            for key, *row in self._run(query, some):
                found[key] = _row(row)
        return found

    def put(self, rows: Mapping[bytes, Row], /) -> None:
        """Keep rows; over the limit, the oldest tenth goes."""
        if not rows:
            return
        self._run(
            "INSERT OR REPLACE INTO scores (key, e, n, c) VALUES (?, ?, ?, ?)",
            [(key, *row) for key, row in rows.items()],
            many=True,
        )
        ((first, last),) = self._run("SELECT min(number), max(number) FROM scores")
        # Numbers only grow, so that their range is at least the number of rows.
        if first is not None and last - first >= self._limit:
            keep = self._limit - self._limit // 10
            self._run("DELETE FROM scores WHERE number <= ?", [last - keep])

    def renew(self) -> None:
        """Connect anew in a forked child: SQLite forbids to use a parent's connection."""
        self._lock = threading.Lock()
        if self._connection is not None:
            self._inherited.append(self._connection)
            self._connection = None

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _disk_cache, (self.path, self._limit)

    def _run(self, query: str, values: Sequence[Any] = (), *, many: bool = False) -> list[Any]:
        try:
            with self._lock:
                connection = self._connection or self._connect()
                self._connection = connection
                with connection, closing(connection.cursor()) as cursor:
                    (cursor.executemany if many else cursor.execute)(query, values)
                    return cursor.fetchall()
        except (sqlite3.Error, OSError) as error:
            raise BackendError(f"The cache {self.path} cannot be used: {error}") from error

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Guarded by our own lock; one minute for other processes that write.
        connection = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last scores, which are only computed again.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS scores (number INTEGER PRIMARY KEY AUTOINCREMENT, "
            "key BLOB NOT NULL UNIQUE, e REAL NOT NULL, n REAL NOT NULL, c REAL NOT NULL)"
        )
        return connection


def _disk_cache(path: Path, rows: int) -> DiskCache:
    return DiskCache(path, rows=rows)


def _row(values: Sequence[Any]) -> Row:
    entailment, neutral, contradiction = map(float, values)
    return entailment, neutral, contradiction
