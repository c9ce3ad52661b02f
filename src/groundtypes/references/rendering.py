"""Writing rows as lines: `orders[2] | id: A17 | status: shipped`."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from groundtypes.references.names import clipped
from groundtypes.references.structure import Cell, Row, Structure

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
