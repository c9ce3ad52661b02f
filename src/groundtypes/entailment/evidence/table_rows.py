"""Rows of tables and objects of JSON values as evidence: each value with its header and unit.

A premise is read by a small model, so it has one row, its keys are in plain words, truth values
and gaps are said in words, and of a long row it has only the values that a statement is about.
"""

import re
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from types import ModuleType
from typing import Final, NamedTuple

from groundtypes.concurrency.blocking import imported_in_thread
from groundtypes.references.names import is_naming, plain_words
from groundtypes.references.structure import LIST_SEPARATOR, Row, Structure
from groundtypes.references.table_records import rows_of_markdown
from groundtypes.text.bm25 import terms
from groundtypes.text.sentences import sentence_spans

#: The longest passage, in characters, without its introduction.
_LONGEST: Final = 400
#: A text of more characters is cut into its sentences.
_LONGEST_VALUE: Final = 200
#: "NO" is Norway, and "none" says something.
_YES: Final = frozenset(("true", "True", "TRUE", "yes", "Yes", "✓", "✔"))
_NO: Final = frozenset(("false", "False", "FALSE", "no", "No", "✗", "✘"))
_UNKNOWN: Final = frozenset(
    ("null", "NULL", "", '""', "–", "-", "—", "n/a", "N/A", "NaN", "nan", "[]", "{}")
)
#: A date as computers write it, perhaps with a time.
_DATE: Final = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?"
    r"(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


class _Part(NamedTuple):
    """What one value says, and where it is; `is_kept` if it belongs to any statement.

    `own` is what it says without its unit, which other values have, too.
    """

    start: int
    end: int
    words: str
    own: str
    is_kept: bool


class RowPassage(NamedTuple):
    """A row or a part of it: where it is in its text, and what it says.

    Attributes:
        start: Where it starts, in code points of the text.
        end: Where it ends.
        lead: What the row is about.
        parts: What its values say.
    """

    start: int
    end: int
    lead: str
    parts: tuple[_Part, ...]

    @property
    def words(self) -> str:
        """What the whole passage says."""
        return _sentences(self.lead, self.parts)

    def words_about(self, statement_terms: AbstractSet[str]) -> str:
        """Return what it says with the terms of a statement, and what names the row."""
        about = [not statement_terms.isdisjoint(terms(part.own)) for part in self.parts]
        both = list(zip(about, self.parts, strict=True))
        if not any(matches and not part.is_kept for matches, part in both):
            return self.words
        return _sentences(self.lead, [part for matches, part in both if matches or part.is_kept])


def _sentences(lead: str, parts: Collection[_Part]) -> str:
    return ". ".join([*filter(None, [lead]), *(part.words for part in parts)])


def passages_of_structure(text: str, structure: Structure) -> list[RowPassage]:
    """Return the rows of a JSON value or table as passages."""
    return [passage for row in structure.rows for passage in _passages(text, row)]


def passages_of_markdown(text: str) -> list[RowPassage]:
    """Return the rows of the tables in a Markdown text as passages."""
    return [passage for row in rows_of_markdown(text) for passage in _passages(text, row)]


def _passages(text: str, row: Row) -> Iterator[RowPassage]:
    """Yield a row, in several parts if it is long; each begins with what the row is about."""
    group: list[_Part] = []
    size = 0
    lead = row.context
    for part in _parts(text, row):
        if group and size + len(part.words) > _LONGEST:
            yield RowPassage(group[0].start, group[-1].end, lead, tuple(group))
            names = "; ".join(part.words for part in group if part.is_kept)
            if lead == row.context and len(names) <= _LONGEST_VALUE:
                lead = "; ".join(filter(None, (lead, names)))
            group, size = [], 0
        group.append(part)
        size += len(part.words) + 2
    if group:
        yield RowPassage(group[0].start, group[-1].end, lead, tuple(group))


def _parts(text: str, row: Row) -> Iterator[_Part]:
    """Yield what the values of a row say, long texts in sentences."""
    last = ""
    has_name = False
    header_units = _cell_units()
    for cell, unit in zip(row.cells, header_units.units_of_row(text, row), strict=True):
        name = header_units.name_without_unit(cell.name) if unit else plain_words(cell.name)
        is_next = text.startswith(LIST_SEPARATOR, cell.start - len(LIST_SEPARATOR))
        if is_next and cell.name == last:
            name = ""  # the next value of a list
        last = cell.name
        value = text[cell.start : cell.end]
        if len(value) <= _LONGEST_VALUE:
            is_first = cell is row.cells[0]
            names_row = is_naming(cell.name) and not has_name
            has_name = has_name or names_row
            words = _words(value, name, unit)
            own = words.removesuffix(unit)
            yield _Part(cell.start, cell.end, words, own, is_first or names_row)
            continue
        for start, end in sentence_spans(value):
            sentence = " ".join(value[start:end].split())
            words = f"{name}: {sentence}" if name else sentence
            yield _Part(cell.start + start, cell.start + end, words, words, is_kept=False)
    for header in row.missing:
        words = f"{header_units.name_without_unit(header)} has no value"
        yield _Part(row.end, row.end, words, words, is_kept=False)


@imported_in_thread
def _cell_units() -> ModuleType:
    from groundtypes.figures import header_units  # noqa: PLC0415 # slow to load, for tables alone

    return header_units


def _words(value: str, name: str, unit: str) -> str:
    """Return what a value says with its name."""
    shown = " ".join(value.split())
    if name and shown in _YES:
        return name
    if name and shown in _NO:
        return f"not {name}"
    if name and shown in _UNKNOWN:
        return f"{name} has no value"
    if (date := _DATE.fullmatch(shown)) is not None:
        year, month, day, time = date.groups()
        shown = f"{int(day)} {_MONTHS[int(month) - 1]} {year}" + (f", {time}" if time else "")
    if unit:
        shown = f"{shown} {unit}"
    return f"{name} is {shown}" if name else shown
