"""What the values of records are: labels, prose, or nothing that a statement could have."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from groundtypes.references.names import is_identifier, is_naming, plain_words
from groundtypes.references.structure import Cell, Row
from groundtypes.text.bm25 import terms
from groundtypes.words import all_words

#: Longer values are neither labels nor looked for in statements.
LONGEST_VALUE: Final = 80
LONGEST_VALUE_TERMS: Final = 10
#: A value of so many words is prose.
_PROSE_WORDS: Final = 6
#: Values that say nothing of their own.
_SAYS_NOTHING: Final = frozenset(
    "true false yes no null none nan n a total sum average mean other others all any unknown "
    "value row column table header".split()
)
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
#: A part of a label in brackets, such as its unit.
BRACKETS: Final = re.compile(r"\s*[(\[][^()\[\]]{0,60}[)\]]")
#: An id of so many digits is hardly a count, so that it names a record wherever it stands.
_LONG_NUMBER: Final = 4


def is_line(row: Row) -> bool:
    """Whether a row is a line beside a table, or a value alone."""
    return not row.place and not any(cell.name for cell in row.cells)


def is_prose(value: str) -> bool:
    """Whether a value is a text that may speak of any record."""
    return len(value) > LONGEST_VALUE or len(value.split()) >= _PROSE_WORDS


def without_rows(text: str, rows: Sequence[Row]) -> str:
    """Return a text without its rows."""
    parts: list[str] = []
    at = 0
    for row in rows:
        parts += (text[at : row.start], "\n\n")
        at = row.end
    return "".join([*parts, text[at:]])


def value_key(value: str) -> str:
    """Return the terms of a value, joined with spaces; none if it is long or says nothing."""
    if len(value) > LONGEST_VALUE:
        return ""
    parts = terms(value)
    if len(parts) > LONGEST_VALUE_TERMS or _SAYS_NOTHING.issuperset(parts):
        return ""
    return " ".join(parts)


@lru_cache(maxsize=4096)
def names_record(name: str) -> bool:
    """Whether the values under a key or header name their records."""
    return is_naming(name) or bool(
        all_words("names a record in a key").intersection(plain_words(name).lower().split()[-1:])
    )


def may_name(value: str, cell: Cell) -> bool:
    """Whether a number names a record wherever it stands: it is a year, or an id."""
    if _YEAR.fullmatch(value.strip()):
        return True
    return is_identifier(cell.name) and sum(map(str.isdigit, value)) >= _LONG_NUMBER
