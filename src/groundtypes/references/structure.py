"""The rows and values of a text that was made of a JSON value or a table."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple

_START: Final = attrgetter("start")
_END: Final = attrgetter("end")


class Cell(NamedTuple):
    """One value in a text; half open, in code points.

    Attributes:
        start: Where the value starts.
        end: Where it ends.
        name: The key or header of the value, as it is written.
        place: Where the value is in its source, such as `orders[2].total`.
        unit: The unit of the value where another value names it, such as the `currency` of an
            `amount`.
    """

    start: int
    end: int
    name: str
    place: str
    unit: str = ""


class Row(NamedTuple):
    """The values that belong together: those of one object, or of one row of a table.

    Attributes:
        start: Where the row starts in the text.
        end: Where it ends.
        place: Where it is in its source, such as `orders[2]`.
        context: What the row is about, in plain words, which it does not say itself, such as the
            name of the object around it.
        cells: Its values, in the order of the text.
        missing: The headers of its empty cells.
    """

    start: int
    end: int
    place: str
    context: str
    cells: tuple[Cell, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """The rows of a text, in order and without overlap."""

    rows: tuple[Row, ...]

    def __hash__(self) -> int:
        # The text is compared with it, so that the hash need not read every value.
        return hash(len(self.rows))

    def row_at(self, start: int, end: int) -> Row | None:
        """Return the row that contains a span, or `None`."""
        number = bisect_right(self.rows, start, key=_START) - 1
        if number < 0 or end > self.rows[number].end:
            return None
        return self.rows[number]

    def rows_from(self, start: int) -> tuple[Row, ...]:
        """Return the row at an offset, or the next one, and the row after that."""
        number = max(0, bisect_right(self.rows, start, key=_START) - 1)
        if number < len(self.rows) and self.rows[number].end <= start:
            number += 1
        return self.rows[number : number + 2]

    def place_at(self, start: int, end: int) -> str | None:
        """Return the place of a span: that of its value, or of its row if it has several."""
        row = self.row_at(start, end)
        if row is None:
            return None
        cells = self.cells_at(start, end)
        return cells[0].place if len(cells) == 1 else row.place or None

    def cells_at(self, start: int, end: int) -> tuple[Cell, ...]:
        """Return the values of which a span has a part."""
        row = self.row_at(start, end)
        if row is None:
            return ()
        first = bisect_right(row.cells, start, key=_END)
        return tuple(takewhile(lambda cell: cell.start < end, row.cells[first:]))
