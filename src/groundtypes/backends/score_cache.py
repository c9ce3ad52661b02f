"""Caches of NLI scores, so that no pair is scored twice by the same model.

A key is a hash of the model's identity and both texts. So no text can be read from a cache, and a
model that changed finds none of its old scores.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from groundtypes.backends.content_caches import Cache, DiskCache, MemoryCache, content_key
from groundtypes.backends.label_adapters import Probabilities
from groundtypes.scoring import Pair

ScoreCache: TypeAlias = Cache[Probabilities]


def score_key(model: str, pair: Pair) -> bytes:
    """Return the key of a pair for a model's identity."""
    before = (pair.before,) if pair.before else ()
    return content_key((model, pair.premise, pair.hypothesis, *before))


class MemoryScoreCache(MemoryCache[Probabilities]):
    """The scores used last, in memory; a pickled copy starts empty.

    The scores of one pair take about 250 bytes. `MemoryScoreCache(0)` stores nothing.
    """

    def __init__(self, max_entries: int = 50_000) -> None:
        """Make an empty cache of the scores of at most `max_entries` pairs."""
        super().__init__(max_entries)


class DiskScoreCache(DiskCache[Probabilities]):
    """Scores in an SQLite file, which processes of one machine share and later runs read.

    The file holds only numbers and hashes, and reading it never runs code from it.

    Raises:
        BackendError: The file cannot be read or written, or is not a score cache.
    """

    _table = "scores"
    _columns: ClassVar = {"e": "REAL", "n": "REAL", "c": "REAL"}

    def __init__(self, path: str | Path, *, max_entries: int = 5_000_000) -> None:
        """Store the path of the file, and about how many pairs it may hold."""
        super().__init__(path, max_entries)

    def _row(self, value: Probabilities) -> Sequence[Any]:
        return value

    def _value(self, row: Sequence[Any]) -> Probabilities:
        entailment, neutral, contradiction = map(float, row)
        return entailment, neutral, contradiction
