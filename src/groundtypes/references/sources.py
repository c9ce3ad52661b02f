"""Texts with their structure, from JSON values and tables."""

from groundtypes.errors import ReferencesError
from groundtypes.references.csv_tables import check_delimiter
from groundtypes.references.json_records import json_records
from groundtypes.references.json_values import MOST_CHARACTERS, read_json
from groundtypes.references.structure import Structure, render
from groundtypes.references.table_records import table_records
from groundtypes.text.message_excerpts import clip


def json_text(value: object, id_: str) -> tuple[str, Structure]:
    """Return a JSON value as lines, and where its values are in them.

    Raises:
        ReferencesError: The value cannot be read.
    """
    return render(json_records(read_json(value, id_)))


def table_text(
    text: object, id_: str, *, header: bool, delimiter: str | None = None
) -> tuple[str, Structure]:
    """Return a table in Markdown or CSV as lines, and where its cells are in them.

    Raises:
        ReferencesError: The table cannot be read.
    """
    if not isinstance(text, str):
        raise ReferencesError(
            f"The table of reference {clip(id_, 40)!r} is a text in Markdown or CSV, not an object "
            f"of type {type(text).__name__}."
        )
    if len(text) > MOST_CHARACTERS:
        raise ReferencesError(
            f"The table of reference {clip(id_, 40)!r} has more than {MOST_CHARACTERS:,} "
            "characters."
        )
    check_delimiter(delimiter)
    return render(table_records(text, id_, header=header, delimiter=delimiter))
