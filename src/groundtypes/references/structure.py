"""The rows and values of a text that was made of a JSON value or a table.

`render` writes them as lines: `orders[2] | id: A17 | status: shipped`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from groundtypes.references.names import clipped

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


_SEPARATOR: Final = " | "
#: What stands between the values of a list.
LIST_SEPARATOR: Final = ", "


class Field(NamedTuple):
    """One value that is not yet part of a text; see `Cell`.

    Attributes:
        name: Its key or header.
        value: Its text.
        place: Where it is in its source.
        unit: The unit that another value names.
        continues: Whether it belongs to the list of the value before, and is written without name.
    """

    name: str
    value: str
    place: str
    unit: str = ""
    continues: bool = False


class Record(NamedTuple):
    """Values that belong together; see `Row`.

    Attributes:
        heading: What its line begins with, such as `orders[2]`; empty if nothing.
        place: Where it is in its source.
        context: What it is about and does not say itself, in plain words.
        fields: Its values.
        missing: The headers of its empty cells.
    """

    heading: str
    place: str
    context: str
    fields: Sequence[Field]
    missing: tuple[str, ...] = ()


def render(records: Iterable[Record]) -> tuple[str, Structure]:
    """Return the text with one line for each record, and where the values are in it.

    Values stand in the text as they are, with line breaks if they have any.
    """
    parts: list[str] = []
    rows: list[Row] = []
    at = 0
    for record in records:
        start = at
        cells: list[Cell] = []
        for field in record.fields:
            lead = _SEPARATOR if cells else _heading(record, field)
            if field.continues:
                lead = LIST_SEPARATOR
            elif field.name:
                lead += f"{clipped(field.name)}: "
            at += len(lead)
            end = at + len(field.value)
            cells.append(Cell(at, end, field.name, field.place, field.unit))
            parts += (lead, field.value)
            at = end
        rows.append(Row(start, at, record.place, record.context, tuple(cells), record.missing))
        parts.append("\n")
        at += 1
    return "".join(parts), Structure(tuple(rows))


def _heading(record: Record, first: Field) -> str:
    if not record.heading:
        return ""
    return clipped(record.heading) + (_SEPARATOR if first.name else ": ")
