"""The texts of a page: each reference once, and long ones only around what is pointed at."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, Final

from groundtypes.references import References, Span

__all__ = ["Texts", "Units"]

#: A reference of up to so many characters stands on the page as a whole.
_WHOLE: Final = 60_000
#: Of a longer one, its beginning, and so much on each side of a span.
_AROUND: Final = 1_500
_MOST_REFERENCES: Final = 500


class Units:
    """The offsets of a text as JavaScript counts them: in units of UTF-16."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self._size = len(text)
        # Few texts hold a character beyond the basic plane, which counts twice.
        wide = not text.isascii() and max(text) > "\uffff"
        self._wide = [at for at, char in enumerate(text) if char > "\uffff"] if wide else []

    def at(self, offset: int) -> int:
        """Return where an offset in code points lies."""
        offset = max(0, min(offset, self._size))
        return offset + bisect_left(self._wide, offset)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch lies."""
        return self.at(start), self.at(end)


class Texts:
    """The table of the texts that answers stand beside."""

    def __init__(self) -> None:
        """Start with none."""
        self.table: list[str] = []
        self._numbers: dict[str, int] = {}

    def add(self, references: References, spans: Iterable[Span]) -> "_Shelf":
        """Return the references of one answer, cut to where its spans point if they are long."""
        wanted: dict[str, list[Span]] = {}
        for span in spans:
            wanted.setdefault(span.reference, []).append(span)
        return _Shelf(self, references, wanted)

    def number(self, text: str) -> int:
        """Return the place of a text in the table."""
        if text not in self._numbers:
            self._numbers[text] = len(self.table)
            self.table.append(text)
        return self._numbers[text]


class _Shelf:
    """The references of one answer: as the page holds them, and where its spans lie there."""

    def __init__(self, texts: Texts, references: References, wanted: dict[str, list[Span]]) -> None:
        self.data: list[list[Any]] = []
        self.left_out = max(0, len(references) - _MOST_REFERENCES)
        self._places: dict[str, tuple[int, list[tuple[int, int, Units]]]] = {}
        shown = sorted(references, key=lambda one: one.id not in wanted)[:_MOST_REFERENCES]
        order = {id_: number for number, id_ in enumerate(references.ids)}
        for reference in sorted(shown, key=lambda one: order[one.id]):
            pieces = _pieces(len(reference.text), wanted.get(reference.id, ()))
            kept: list[tuple[int, int, Units]] = []
            entry: list[Any] = [reference.id]
            for start, end in pieces:
                text = reference.text[start:end]
                kept.append((start, end, Units(text)))
                entry.append([start, end, texts.number(text)])
            entry.append(len(reference.text))
            self._places[reference.id] = len(self.data), kept
            self.data.append(entry)

    def place(self, span: Span) -> list[int] | None:
        """Return the number of the reference, of its piece, and the stretch within the piece."""
        number, kept = self._places.get(span.reference, (0, []))
        for piece, (start, end, units) in enumerate(kept):
            if start <= span.start < end:
                return [number, piece, *units.span(span.start - start, span.end - start)]
        return None


def _pieces(size: int, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the stretches of a reference that are shown."""
    if size <= _WHOLE:
        return [(0, size)]
    wanted = [(0, _AROUND)]
    for span in sorted(spans)[:200]:
        wanted.append((max(0, span.start - _AROUND), min(size, span.start + 2 * _AROUND)))
        wanted.append((max(0, span.end - _AROUND), min(size, span.end + _AROUND)))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(pair for pair in wanted if pair[0] < pair[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
