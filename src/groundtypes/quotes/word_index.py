"""The anchor index: where each word stands, over many texts at once, in a few bytes a word.

All texts share one coordinate: text `i` begins at `bases[i]`, and one character lies between two
texts. A word is folded once for each distinct spelling, not at each place. Runs in scripts without
spaces are cut into blocks of two characters, so a search must try both ways of cutting.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundtypes.text.characters import MARKS, SPACELESS, WORD, fold

__all__ = ["VOTE", "Anchor", "Index", "anchors_of"]

_ASCII_RUN: Final = re.compile(r"[0-9A-Za-z]+")
_BLOCK: Final = rf"[{SPACELESS}][{MARKS}]*(?:[{SPACELESS}][{MARKS}]*)?"
_RUN: Final = re.compile(rf"{WORD}+|{_BLOCK}")
_QUOTE_RUN: Final = re.compile(rf"({WORD}+)|((?:[{SPACELESS}][{MARKS}]*)+)")
_CLUSTER: Final = re.compile(rf"[{SPACELESS}][{MARKS}]*")
_MARK: Final = re.compile(f"[{MARKS}]")
#: The residue of an anchor that an occurrence need not hold.
VOTE: Final = -1
#: Texts are joined up to this many characters before they are scanned.
_CHUNK: Final = 1 << 18


#: A word or block of a quote: its folded form, its offset in the quote, and its residue: `None`
#: where an occurrence of the quote must hold exactly this run; `VOTE` for a run that may be cut at
#: an edge of the quote; 0 or 1 for the blocks of a run of which only one way of cutting can stand
#: in the text.
Anchor = tuple[str, int, int | None]


class Index:
    """An immutable index over texts."""

    __slots__ = ("_hashes", "_offsets", "_places", "bases", "size", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        """Read the texts once."""
        self.texts = texts
        wide = sum(map(len, texts)) + len(texts) >= 1 << 32
        self.bases = array("Q")
        by_hash = _merge(_scan(texts, self.bases))
        self.size = self.bases[-1] + len(texts[-1]) if texts else 0
        self._hashes = array("q", sorted(by_hash))
        self._offsets = array("Q" if wide else "I", [0])
        self._places = array("Q" if wide else "I")
        for key in self._hashes:
            places = by_hash.pop(key)
            self._places.extend(places)
            self._offsets.append(len(self._places))

    @property
    def nbytes(self) -> int:
        """The memory of the index in bytes, without the texts."""
        parts = (self._hashes, self._offsets, self._places, self.bases)
        return sum(len(part) * part.itemsize for part in parts)

    def slots(
        self, keys: Iterable[str], low: int = 0, high: int | None = None
    ) -> list[tuple[int, int]]:
        """Return the range in `places` of each word's places between two coordinates."""
        hashes, offsets, places = self._hashes, self._offsets, self._places
        count = len(hashes)
        found: list[tuple[int, int]] = []
        for wanted in map(hash, keys):
            at = bisect_left(hashes, wanted)
            if at == count or hashes[at] != wanted:
                found.append((0, 0))
                continue
            first, last = offsets[at], offsets[at + 1]
            if low > 0:
                first = bisect_left(places, low, first, last)
            if high is not None and high < self.size:
                last = bisect_left(places, high, first, last)
            found.append((first, last))
        return found

    def places(self, first: int, last: int) -> "array[int]":
        """Return the coordinates in a range of slots, ascending."""
        return self._places[first:last]

    def home(self, place: int) -> tuple[int, int]:
        """Return the number of the text that holds a coordinate, and the text's base."""
        if len(self.bases) == 1:
            return 0, 0
        number = bisect_right(self.bases, place) - 1
        return number, self.bases[number]

    def knows(self, key: str) -> bool:
        """Whether the folded word is a word of the texts."""
        ((first, last),) = self.slots((key,))
        return first < last


def _scan(texts: Sequence[str], bases: "array[int]") -> dict[str, list[int]]:
    """Return the places of every spelling, and note where each text begins."""
    found: dict[str, list[int]] = defaultdict(list)
    base = 0
    for chunk in _chunks(texts):
        start = base
        for text in chunk:
            bases.append(base)
            base += len(text) + 1
        joined = chunk[0] if len(chunk) == 1 else "\n".join(chunk)
        run = _ASCII_RUN if joined.isascii() else _RUN
        if start:
            for match in run.finditer(joined):
                found[match[0]].append(start + match.start())
        else:
            for match in run.finditer(joined):
                found[match[0]].append(match.start())
    return found


def _chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    first = size = 0
    for number, text in enumerate(texts):
        if size and size + len(text) > _CHUNK:
            yield texts[first:number]
            first, size = number, 0
        size += len(text) + 1
    if first < len(texts):
        yield texts[first:]


def _merge(found: dict[str, list[int]]) -> dict[int, list[int]]:
    """Return the places by the hash of the folded word; spellings of one word are joined."""
    merged: dict[int, list[int]] = {}
    for spelling in list(found):
        places = found.pop(spelling)
        key = fold(spelling)
        if not key:
            continue
        known = merged.setdefault(hash(key), places)
        if known is not places:
            known += places
            known.sort()
    return merged


def anchors_of(quote: str) -> list[Anchor]:
    """Return the words and blocks of a quote by which it can be found."""
    size = len(quote)
    if quote.isascii():
        words = [(match[0].lower(), *match.span()) for match in _ASCII_RUN.finditer(quote)]
        return [(word, start, None if start and end < size else VOTE) for word, start, end in words]
    anchors: list[Anchor] = []
    for match in _QUOTE_RUN.finditer(quote):
        start, end = match.span()
        if match[1] is not None:
            if key := fold(match[1]):
                edge = start == 0 or end == size
                anchors.append((key, start, VOTE if edge else None))
        else:
            anchors += _block_anchors(quote, start, end)
    return anchors


def _block_anchors(quote: str, start: int, end: int) -> Iterator[Anchor]:
    """Yield the blocks of a run in a script without spaces, in each way it can be cut.

    A mark before the run may belong to a character that the quote cuts off, and a mark after the
    last character may be cut off too: such blocks only vote.
    """
    cuts = [match.start() for match in _CLUSTER.finditer(quote, start, end)]
    cuts.append(end)
    known_start = start > 0 and not _MARK.match(quote, start - 1)
    for number in range(len(cuts) - 1):
        last = min(number + 2, len(cuts) - 1)
        key = fold(quote[cuts[number] : cuts[last]])
        if not key:
            continue
        residue: int | None = VOTE
        if (end < len(quote) or last < len(cuts) - 1) and (last == number + 2 or known_start):
            residue = number % 2
            if known_start:
                residue = VOTE if residue else None
        yield key, cuts[number], residue
