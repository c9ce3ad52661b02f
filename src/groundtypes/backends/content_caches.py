"""Caches of what engines have answered: in memory, and in an SQLite file.

A key is a hash of all that an answer depends on, so that what has changed is not found.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BackendError

_V = TypeVar("_V")
#: The oldest versions of SQLite take at most 999 values in one statement.
_KEYS_PER_QUERY: Final = 900


class Cache(Protocol[_V]):
    """Where an engine stores what was answered; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, _V]:
        """Return what is stored under those keys that are known."""
        ...

    def put(self, values: Mapping[bytes, _V], /) -> None:
        """Store the values under their keys."""


def content_key(texts: Iterable[str]) -> bytes:
    """Return the key of several texts in their order: 16 bytes of BLAKE2b."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        # With its length in front, a text cannot be confused with the end of the one before it.
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


class MemoryCache(Generic[_V]):
    """What was used last, in memory; a pickled copy starts empty."""

    def __init__(
        self,
        max_entries: int,
        max_weight: int | None = None,
        weigh: Callable[[bytes, _V], int] = lambda _key, _value: 1,
    ) -> None:
        self._max_entries = max_entries
        self._entries = BoundedCache[bytes, _V](max_entries, max_weight=max_weight, weigh=weigh)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, _V]:
        """Return what is stored under those keys that are known."""
        return self._entries.get_many(keys)

    def put(self, values: Mapping[bytes, _V], /) -> None:
        """Store the values, and forget those over the bound that were used longest ago."""
        self._entries.put_many(values)

    def __len__(self) -> int:
        return len(self._entries)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._max_entries,)


class DiskCache(Generic[_V]):
    """Rows of an SQLite file, which threads and processes of one machine share and later runs read.

    Reading the file never runs code from it. The names of the table and its columns are ours and
    never a user's.
    """

    #: The name of the table, and the SQL types of its columns other than the key.
    _table: ClassVar[str]
    _columns: ClassVar[Mapping[str, str]]

    def __init__(self, path: str | Path, max_entries: int) -> None:
        self.path = Path(path)
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        #: Connections of the parent process, which a child must neither use nor close.
        self._inherited: list[sqlite3.Connection] = []
        renew_in_child(self)

    def _row(self, value: Any) -> Sequence[Any]:
        """Return the columns of a value: by default it is the only one."""
        return (value,)

    def _value(self, row: Sequence[Any]) -> Any:
        """Return the value in the columns."""
        return row[0]

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, _V]:
        """Return what is stored under those keys that are known."""
        values: dict[bytes, _V] = {}
        columns = ", ".join(self._columns)
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            some_keys = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(some_keys))
            query = f"SELECT key, {columns} FROM {self._table} WHERE key IN ({marks})"  # noqa: S608 # our own names
            values.update((key, self._value(row)) for key, *row in self._run(query, some_keys))
        return values

    def put(self, values: Mapping[bytes, _V], /) -> None:
        """Store the values; when there are too many, the oldest tenth is deleted."""
        if not values:
            return
        columns = ", ".join(("key", *self._columns))
        marks = ", ".join("?" * (1 + len(self._columns)))
        self._run(
            f"INSERT OR REPLACE INTO {self._table} ({columns}) VALUES ({marks})",  # noqa: S608 # our own names
            [(key, *self._row(value)) for key, value in values.items()],
            many=True,
        )
        ((first, last),) = self._run(f"SELECT min(number), max(number) FROM {self._table}")  # noqa: S608 # our own name
        # Numbers only grow, so that their range is at least the number of rows.
        if first is not None and last - first >= self._max_entries:
            remaining = self._max_entries - self._max_entries // 10
            self._run(f"DELETE FROM {self._table} WHERE number <= ?", [last - remaining])  # noqa: S608 # our own name

    def renew(self) -> None:
        """Connect anew in a forked child: SQLite forbids the use of a parent's connection."""
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
        return partial(type(self), max_entries=self._max_entries), (self.path,)

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
        # Our own lock lets threads share the connection; other processes that write are waited for.
        connection = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last rows, which are only computed again.
        connection.execute("PRAGMA synchronous = NORMAL")
        columns = ", ".join(f"{name} {kind} NOT NULL" for name, kind in self._columns.items())
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} "
            f"(number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, {columns})"
        )
        return connection
