"""The table of the reference texts of a page: each text once, long ones shortened.

A reference that is too long for a page is cut to its beginning and the surroundings of the spans
that verdicts point at.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from groundtypes.references import References, Span

#: A reference of at most this many characters is shown as a whole.
_MAX_WHOLE: Final = 60_000
#: The characters of a longer reference that are shown: at its start, and on each side of a span.
_MARGIN: Final = 1_500
_MAX_REFERENCES: Final = 500
#: The number of spans of a reference whose surroundings are shown.
_MAX_SPANS: Final = 200


class Utf16Offsets:
    """The offsets of a text as JavaScript counts them: in units of UTF-16."""

    def __init__(self, text: str) -> None:
        self._size = len(text)
        # Few texts have a character beyond the basic plane, which counts twice.
        has_wide = not text.isascii() and max(text) > "\uffff"
        self._wide = [at for at, char in enumerate(text) if char > "\uffff"] if has_wide else []

    def offset(self, code_points: int) -> int:
        """Return the offset in units of UTF-16 of an offset in code points."""
        code_points = max(0, min(code_points, self._size))
        return code_points + bisect_left(self._wide, code_points)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return start and end in units of UTF-16."""
        return self.offset(start), self.offset(end)


class TextTable:
    """The reference texts of a page; equal texts of different answers are stored once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def add(self, references: References, spans: Iterable[Span]) -> "ShownReferences":
        """Store the references of one answer, long ones shortened to what its spans point at."""
        spans_by_id: dict[str, list[Span]] = {}
        for span in spans:
            spans_by_id.setdefault(span.reference, []).append(span)
        return ShownReferences(self, references, spans_by_id)

    def number(self, text: str) -> int:
        """Return the position of a text in the table, to which it is added if it is new."""
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


class _Piece(NamedTuple):
    """A part of a reference that is shown; `start` and `end` are code points of the reference."""

    start: int
    end: int
    offsets: Utf16Offsets


class ShownReferences:
    """The references of one answer as the page stores them.

    `data` has a list for each reference: its id, `[start, end, number of the text]` for each piece
    that is shown, and its length in characters. `left_out` counts references that are not shown.
    """

    def __init__(
        self, table: TextTable, references: References, spans_by_id: dict[str, list[Span]]
    ) -> None:
        self.data: list[list[Any]] = []
        self.left_out = max(0, len(references) - _MAX_REFERENCES)
        self._pieces: dict[str, tuple[int, list[_Piece]]] = {}
        order = {id_: number for number, id_ in enumerate(references.ids)}
        by_need = sorted(references, key=lambda reference: reference.id not in spans_by_id)
        for reference in sorted(by_need[:_MAX_REFERENCES], key=lambda shown: order[shown.id]):
            pieces: list[_Piece] = []
            entry: list[Any] = [reference.id]
            spans = spans_by_id.get(reference.id, ())
            for start, end in _shown_ranges(len(reference.text), spans):
                text = reference.text[start:end]
                pieces.append(_Piece(start, end, Utf16Offsets(text)))
                entry.append([start, end, table.number(text)])
            entry.append(len(reference.text))
            self._pieces[reference.id] = len(self.data), pieces
            self.data.append(entry)

    def place(self, span: Span) -> list[int] | None:
        """Return the numbers of the reference and of its piece, and start and end in the piece."""
        number, pieces = self._pieces.get(span.reference, (0, []))
        for position, (start, end, offsets) in enumerate(pieces):
            if start <= span.start < end:
                return [number, position, *offsets.span(span.start - start, span.end - start)]
        return None


def _shown_ranges(size: int, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the parts of a reference that are shown, in order and without overlaps."""
    if size <= _MAX_WHOLE:
        return [(0, size)]
    wanted = [(0, _MARGIN)]
    for span in sorted(spans)[:_MAX_SPANS]:
        wanted.append((max(0, span.start - _MARGIN), min(size, span.start + 2 * _MARGIN)))
        wanted.append((max(0, span.end - _MARGIN), min(size, span.end + _MARGIN)))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(pair for pair in wanted if pair[0] < pair[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
