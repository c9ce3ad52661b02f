"""Caches of NLI scores, so that no pair is scored twice by the same model.

A key is a hash of the model's identity and both texts. So no text can be read from a cache, and a
model that changed finds none of its old scores.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from groundtypes.backends.label_adapters import Probabilities
from groundtypes.backends.sqlite_table import SQLiteTable
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.scoring import Pair


class ScoreCache(Protocol):
    """Where an engine stores the scores of its model; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the scores of those keys that are stored."""
        ...

    def put(self, scores: Mapping[bytes, Probabilities], /) -> None:
        """Store the scores under their keys."""


def content_key(texts: Iterable[str]) -> bytes:
    """Return the key of several texts in their order: 16 bytes of BLAKE2b."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        # With its length in front, a text cannot be confused with the end of the one before it.
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def score_key(model: str, pair: Pair) -> bytes:
    """Return the key of a pair for a model's identity."""
    before = (pair.before,) if pair.before else ()
    return content_key((model, pair.premise, pair.hypothesis, *before))


class MemoryScoreCache:
    """The scores used last, in memory; a pickled copy starts empty.

    The scores of one pair take about 250 bytes. `MemoryScoreCache(0)` stores nothing.
    """

    def __init__(self, max_entries: int = 50_000) -> None:
        """Make an empty cache of the scores of at most `max_entries` pairs."""
        self._max_entries = max_entries
        self._scores = BoundedCache[bytes, Probabilities](max_entries)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the scores of those keys that are stored."""
        return self._scores.get_many(keys)

    def put(self, scores: Mapping[bytes, Probabilities], /) -> None:
        """Store the scores, and forget those over the bound that were used longest ago."""
        self._scores.put_many(scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __reduce__(self) -> tuple[type["MemoryScoreCache"], tuple[int]]:
        return MemoryScoreCache, (self._max_entries,)


class DiskScoreCache:
    """Scores in an SQLite file, which processes of one machine share and later runs read.

    The file holds only numbers and hashes, and reading it never runs code from it.

    Raises:
        BackendError: The file cannot be read or written, or is not a score cache.
    """

    def __init__(self, path: str | Path, *, max_entries: int = 5_000_000) -> None:
        """Store the path of the file, and about how many pairs it may hold."""
        self.path = Path(path)
        self._max_entries = max_entries
        columns = {"e": "REAL", "n": "REAL", "c": "REAL"}
        self._table = SQLiteTable(self.path, "scores", columns, max_entries)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, Probabilities]:
        """Return the scores of those keys that are stored."""
        rows = self._table.get(keys)
        return {key: (float(e), float(n), float(c)) for key, (e, n, c) in rows.items()}

    def put(self, scores: Mapping[bytes, Probabilities], /) -> None:
        """Store the scores; when there are too many, the oldest tenth is deleted."""
        self._table.put(scores)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._table.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _open_disk_cache, (self.path, self._max_entries)


def _open_disk_cache(path: Path, max_entries: int) -> DiskScoreCache:
    return DiskScoreCache(path, max_entries=max_entries)
