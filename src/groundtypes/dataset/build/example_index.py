"""What must be known of all examples before the first is written: duplicates, and the split.

The index is a file of SQLite with a bounded cache; in memory are 4 bytes for each reference and 4
for each example, so that a million examples need some megabytes more than a thousand.

Near-duplicates share nearly all of their runs of three words. MinHash signatures find candidates
(Broder, "On the resemblance and containment of documents", 1997; one permutation for all bins as in
Li, Owen and Zhang, "One Permutation Hashing", 2012); the share itself is then computed exactly, so
that a candidate found by chance does no harm.
"""

import hashlib
import json
import re
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, Self

from groundtypes.errors import DatasetError

_WORD: Final = re.compile(r"\w+")
#: Kana, Han and Hangul: each character is a word.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_RUN: Final = 3
#: Only the beginning of a longer text is compared.
_MOST_CHARACTERS: Final = 200_000
#: With 8 bands of 4, texts that share 90 % are found with probability 0.9998, 80 % with 0.985.
_BANDS: Final = 8
_ROWS: Final = 4
_BINS: Final = _BANDS * _ROWS
_MIX: Final = 0x9E3779B97F4A7C15
_MASK: Final = 2**64 - 1


def shingles(text: str) -> frozenset[str]:
    """Return the runs of three words in a text, without regard to case and punctuation."""
    folded = text[:_MOST_CHARACTERS].casefold()
    if _UNSPACED.search(folded):
        folded = _UNSPACED.sub(r" \g<0> ", folded)
    words = _WORD.findall(folded)
    if len(words) <= _RUN:
        return frozenset({" ".join(words)})
    return frozenset(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def resemblance(runs: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard similarity: the shared runs divided by all runs, from 0 to 1."""
    return len(runs & other) / len(runs | other)


def band_keys(runs: frozenset[str]) -> list[int]:
    """Return one key for each band; texts that resemble each other have one in common."""
    bins: list[int | None] = [None] * _BINS
    for run in runs:
        # CRC-32 is fast and the same everywhere, and the product spreads its bits.
        mixed = (zlib.crc32(run.encode("utf-8", "surrogatepass")) * _MIX) & _MASK
        place, value = mixed >> 59, mixed & (2**59 - 1)
        lowest = bins[place]
        if lowest is None or value < lowest:
            bins[place] = value
    full = _densified(bins)
    # Hashes of integers do not change from process to process.
    return [hash((band, *full[band * _ROWS : (band + 1) * _ROWS])) for band in range(_BANDS)]


def _densified(bins: list[int | None]) -> list[int]:
    """Give an empty bin the value of the next full one, marked with how far it was."""
    full: list[int] = []
    for place in range(_BINS):
        for step in range(_BINS):
            value = bins[(place + step) % _BINS]
            if value is not None:
                full.append(value + step * _MIX)
                break
    return full


_CACHE_KILOBYTES: Final = 16_000
_COMMIT_EVERY: Final = 5_000
#: The type of a number in memory: four bytes, unsigned, enough for four billion.
_NUMBER: Final = "I"
#: No more of a text is compared.
_TEXT_LIMIT: Final = 200_000


class Duplicate(NamedTuple):
    """Why an example is left out: the line of an earlier one, and the Jaccard similarity to it."""

    line: int
    reason: str
    resemblance: float = 1.0


class ExampleIndex:
    """All examples, added one after the other; then the split of each group of them."""

    def __init__(self, path: Path, near_duplicates: float | None) -> None:
        """Make a new index; a file that is there already is replaced.

        With `near_duplicates`, examples that resemble an earlier one at least so much are
        duplicates; without, only equal ones.
        """
        # Imported where it is used, so that checking answers does not import it.
        import sqlite3  # noqa: PLC0415

        path.unlink(missing_ok=True)
        self._failure = sqlite3.Error
        self._near = near_duplicates
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        run = self._db.execute
        # A killed run makes the index again, so that it need not survive.
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
        run(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
        run("CREATE TABLE names (key BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        run("CREATE TABLE ids (key BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        run("CREATE TABLE bands (key INTEGER PRIMARY KEY, number INTEGER)")
        run("CREATE TABLE texts (number INTEGER PRIMARY KEY, line INTEGER, text TEXT)")
        run("CREATE TABLE refs (digest BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")
        # Groups are read in the order of `rank`, so updating `test` cannot disturb the query.
        run("CREATE TABLE groups (root INTEGER PRIMARY KEY, rank BLOB, size INTEGER, test INTEGER)")
        run("BEGIN")
        self._parents = array(_NUMBER)
        self._members = array(_NUMBER)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._db.close()

    def add(
        self, line: int, id_: str, name: str | None, text: str, references: Iterable[str]
    ) -> Duplicate | None:
        """Add an example, or return of which earlier one it is a duplicate."""
        try:
            duplicate = self._duplicate(line, id_, name, text)
            if duplicate is None:
                # An example without references is a group of its own.
                self._members.append(self._group(list(references) or [id_]))
                if len(self._members) % _COMMIT_EVERY == 0:
                    self._db.execute("COMMIT")
                    self._db.execute("BEGIN")
        except self._failure as error:
            raise DatasetError(f"Cannot write the index of the data set: {error}.") from error
        return duplicate

    def _duplicate(self, line: int, id_: str, name: str | None, text: str) -> Duplicate | None:
        if name is not None:
            key = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            if (earlier := self._line_before("names", key, line)) is not None:
                return Duplicate(earlier, "id")
        if (earlier := self._line_before("ids", bytes.fromhex(id_), line)) is not None:
            return Duplicate(earlier, "equal")
        return None if self._near is None else self._near_duplicate(line, text, self._near)

    def _line_before(self, table: str, key: bytes, line: int) -> int | None:
        """Return the line that has had the key before; else record that this one has it."""
        query = f"SELECT line FROM {table} WHERE key = ?"  # noqa: S608 # our own name
        earlier = self._db.execute(query, (key,)).fetchone()
        if earlier is not None:
            return int(earlier[0])
        self._db.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, line))  # noqa: S608 # our own name
        return None

    def _near_duplicate(self, line: int, text: str, least: float) -> Duplicate | None:
        runs = shingles(text)
        keys = band_keys(runs)
        candidates = self._db.execute(
            "SELECT line, text FROM texts WHERE number IN "
            "(SELECT number FROM bands WHERE key IN (SELECT value FROM json_each(?))) "
            "ORDER BY number",
            (json.dumps(keys),),
        )
        for earlier, earlier_text in candidates:
            similarity = resemblance(runs, shingles(earlier_text))
            if similarity >= least:
                return Duplicate(int(earlier), "near", round(similarity, 4))
        text = text[:_TEXT_LIMIT].encode("utf-8", "replace").decode()
        number = len(self._members)
        self._db.execute("INSERT INTO texts VALUES (?, ?, ?)", (number, line, text))
        # Only the first example of a band is a candidate later, which bounds their number.
        self._db.executemany(
            "INSERT OR IGNORE INTO bands VALUES (?, ?)", ((key, number) for key in keys)
        )
        return None

    # --- groups -----------------------------------------------------------------------------

    def _group(self, references: list[str]) -> int:
        """Join the references into one group, and return the number of one of them."""
        numbers = [self._number(bytes.fromhex(digest)) for digest in references]
        root = self._root(numbers[0])
        for number in numbers[1:]:
            other = self._root(number)
            if other != root:
                root, other = min(root, other), max(root, other)
                self._parents[other] = root
        return root

    def _number(self, digest: bytes) -> int:
        known = self._db.execute("SELECT number FROM refs WHERE digest = ?", (digest,)).fetchone()
        if known is not None:
            return int(known[0])
        number = len(self._parents)
        self._parents.append(number)
        self._db.execute("INSERT INTO refs VALUES (?, ?)", (digest, number))
        return number

    def _root(self, number: int) -> int:
        parents = self._parents
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    def split(self, test: float, seed: int) -> dict[str, int]:
        """Split the groups, and return how many there are and the size of the largest.

        Groups go into the test split in the order of a hash of their references, until it holds
        its share of the examples; a group that would overfill it stays in the training split. So
        another run, or a data set that has grown, gives nearly the same split.
        """
        run = self._db.execute
        sizes = array(_NUMBER, bytes(self._parents.itemsize * len(self._parents)))
        for member in self._members:
            sizes[self._root(member)] += 1
        reading, ranking = self._db.cursor(), self._db.cursor()
        for digest, number in reading.execute("SELECT digest, number FROM refs ORDER BY digest"):
            root = self._root(number)
            if sizes[root]:
                # The first digest of a group names it.
                salt = seed.to_bytes(8)
                rank = hashlib.blake2b(digest, digest_size=8, salt=salt).digest()
                run("INSERT OR IGNORE INTO groups VALUES (?, ?, ?, 0)", (root, rank, sizes[root]))
        wanted = round(test * len(self._members))
        taken = 0
        for root, size in ranking.execute("SELECT root, size FROM groups ORDER BY rank, root"):
            if taken + size <= wanted:
                taken += size
                run("UPDATE groups SET test = 1 WHERE root = ?", (root,))
        run("COMMIT")
        count, largest = run("SELECT count(*), coalesce(max(size), 0) FROM groups").fetchone()
        return {"groups": count, "largest": largest, "test": taken}

    def place(self, number: int) -> tuple[str, str]:
        """Return the split and the group of the example with this number, counted from 0."""
        root = self._root(self._members[number])
        test, rank = self._db.execute(
            "SELECT test, rank FROM groups WHERE root = ?", (root,)
        ).fetchone()
        return "test" if test else "train", rank.hex()
