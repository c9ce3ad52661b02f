"""A table of rows under hashes in an SQLite file, for the caches on disk."""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BackendError

#: The oldest versions of SQLite take at most 999 values in one statement.
_KEYS_PER_QUERY: Final = 900


class SQLiteTable:
    """A bounded table of rows under keys, shared by threads, processes and runs.

    The names of the table and its columns are ours and never a user's. Reading the file never runs
    code from it.

    Raises:
        BackendError: The file cannot be read or written, or holds another table.
    """

    def __init__(self, path: Path, name: str, columns: Mapping[str, str], max_rows: int) -> None:
        """Store the path of the file, and about how many rows it may hold.

        `columns` maps the name of each column other than the key to its SQL type.
        """
        self.path = path
        self._name = name
        self._columns = dict(columns)
        self._max_rows = max_rows
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        #: Connections of the parent process, which a child must neither use nor close.
        self._inherited: list[sqlite3.Connection] = []
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> dict[bytes, tuple[Any, ...]]:
        """Return the rows of those keys that have one."""
        rows: dict[bytes, tuple[Any, ...]] = {}
        columns = ", ".join(self._columns)
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            some_keys = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(some_keys))
            query = f"SELECT key, {columns} FROM {self._name} WHERE key IN ({marks})"  # noqa: S608 # our own names
            rows.update((key, tuple(row)) for key, *row in self._run(query, some_keys))
        return rows

    def put(self, rows: Mapping[bytes, Sequence[Any]], /) -> None:
        """Store the rows; when there are too many, the oldest tenth is deleted."""
        if not rows:
            return
        columns = ", ".join(("key", *self._columns))
        marks = ", ".join("?" * (1 + len(self._columns)))
        self._run(
            f"INSERT OR REPLACE INTO {self._name} ({columns}) VALUES ({marks})",  # noqa: S608 # our own names
            [(key, *row) for key, row in rows.items()],
            many=True,
        )
        ((first, last),) = self._run(f"SELECT min(number), max(number) FROM {self._name}")  # noqa: S608 # our own name
        # Numbers only grow, so that their range is at least the number of rows.
        if first is not None and last - first >= self._max_rows:
            remaining = self._max_rows - self._max_rows // 10
            self._run(f"DELETE FROM {self._name} WHERE number <= ?", [last - remaining])  # noqa: S608 # our own name

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
            f"CREATE TABLE IF NOT EXISTS {self._name} "
            f"(number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, {columns})"
        )
        return connection
