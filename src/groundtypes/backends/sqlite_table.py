"""Rows kept under hashes in an SQLite file, shared by processes and kept between runs."""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.forks import renew_in_child
from groundtypes.errors import BackendError

__all__ = ["SQLiteTable"]

#: SQLite takes no more values in one statement, in its oldest versions.
_SLICE: Final = 900


class SQLiteTable:
    """A table of rows under keys; nothing in the file is run when it is read.

    `columns` are names with SQL types, and with `table` are ours, never a user's.

    Raises:
        BackendError: The file cannot be read or written, or is no such store.
    """

    def __init__(self, path: Path, table: str, columns: Mapping[str, str], rows: int) -> None:
        """Take the file, which is made if it is not there, and about how many rows to keep."""
        self.path = path
        self._table = table
        self._columns = dict(columns)
        self._limit = rows
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        #: Connections of the parent process, which a child must neither use nor close.
        self._inherited: list[sqlite3.Connection] = []
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> dict[bytes, tuple[Any, ...]]:
        """Return the rows of those keys that are known."""
        found: dict[bytes, tuple[Any, ...]] = {}
        names = ", ".join(self._columns)
        for start in range(0, len(keys), _SLICE):
            some = keys[start : start + _SLICE]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, {names} FROM {self._table} WHERE key IN ({marks})"  # noqa: S608 # our own names
            for key, *row in self._run(query, some):
                found[key] = tuple(row)
        return found

    def put(self, rows: Mapping[bytes, Sequence[Any]], /) -> None:
        """Keep rows; over the limit, the oldest tenth goes."""
        if not rows:
            return
        names = ", ".join(("key", *self._columns))
        marks = ", ".join("?" * (1 + len(self._columns)))
        self._run(
            f"INSERT OR REPLACE INTO {self._table} ({names}) VALUES ({marks})",  # noqa: S608 # our own names
            [(key, *row) for key, row in rows.items()],
            many=True,
        )
        ((first, last),) = self._run(f"SELECT min(number), max(number) FROM {self._table}")  # noqa: S608 # our own name
        # Numbers only grow, so that their range is at least the number of rows.
        if first is not None and last - first >= self._limit:
            keep = self._limit - self._limit // 10
            self._run(f"DELETE FROM {self._table} WHERE number <= ?", [last - keep])  # noqa: S608 # our own name

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
        # A crash of the machine may lose the last rows, which are only computed again.
        connection.execute("PRAGMA synchronous = NORMAL")
        columns = ", ".join(f"{name} {kind} NOT NULL" for name, kind in self._columns.items())
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} "
            f"(number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, {columns})"
        )
        return connection
