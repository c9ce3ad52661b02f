"""The records of structured references: which rows there are, and what names them.

A record is a row of a table, or an object of a JSON value with what is in it. Its labels are the
values that say which one it is: those of the first column of a table, of keys such as "id" and
"customer name", and the keys of objects of one shape.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from groundtypes.figures.figure import Figure
from groundtypes.figures.index import FigureIndex
from groundtypes.references import PerReferences, References
from groundtypes.references.names import is_number, plain_words
from groundtypes.references.record_paths import (
    TABLE,
    Path,
    begins,
    key_of_record,
    patterns,
    row_paths,
)
from groundtypes.references.record_values import (
    BRACKETS,
    LONGEST_VALUE,
    is_line,
    is_prose,
    may_name,
    names_record,
    value_key,
    without_rows,
)
from groundtypes.references.structure import Row, Structure
from groundtypes.references.table_records import rows_of_markdown
from groundtypes.text.bm25 import terms

#: References with more values, or with more kinds of records, have no index: that of the first
#: number is built in about five seconds.
_MOST_VALUES: Final = 50_000
_MOST_PATTERNS: Final = 200
#: The column that names the records, where no header says so, is one of so many.
_FIRST_COLUMNS: Final = 20
#: A kind of records and the name of one of their columns.
Column = tuple[Path, str]


class Record(NamedTuple):
    """A row: its number, the number of its reference, and where it is among the others."""

    number: int
    text: int
    row: Row
    path: Path
    pattern: Path


class Found(NamedTuple):
    """A value that a record has: the number of the record, and its column.

    `names_it` says whether it is a label of the record.
    """

    record: int
    column: Column
    names_it: bool


class RecordIndex:
    """The records of some references by their labels and their other values."""

    def __init__(self, references: References) -> None:
        """Index the rows of JSON values, of tables, and of the tables in Markdown texts."""
        self._texts = references.texts
        rows: dict[int, Sequence[Row]] = {}
        #: The text that is no row, and values that are prose: they may speak of any record.
        self._plain: list[str] = []
        structures = references.structures or (None,) * len(references)
        for number, (text, structure) in enumerate(zip(references.texts, structures, strict=True)):
            if structure is None:
                own = rows_of_markdown(text)
                self._plain.append(without_rows(text, own))
            else:
                own = [row for row in structure.rows if not is_line(row)]
                lines = (row for row in structure.rows if is_line(row))
                self._plain += (text[row.start : row.end] for row in lines)
                values = (text[cell.start : cell.end] for row in own for cell in row.cells)
                self._plain += filter(is_prose, values)
            if own:
                rows[number] = own
        is_small = sum(len(row.cells) for own in rows.values() for row in own) <= _MOST_VALUES
        rows = rows if is_small else {}
        paths = {number: row_paths(number, own) for number, own in rows.items()}
        kinds = patterns(paths, rows)
        parts = (
            (number, *part)
            for number, own in rows.items()
            for part in zip(own, paths[number], kinds[number], strict=True)
        )
        self.records = tuple(Record(at, *part) for at, part in enumerate(parts))
        self._starts = [(record.text, record.row.start) for record in self.records]
        self._by_path: dict[Path, list[Record]] = {}
        self._by_pattern: dict[Path, list[Record]] = {}
        for record in self.records:
            self._by_path.setdefault(record.path, []).append(record)
            self._by_pattern.setdefault(record.pattern, []).append(record)
        self._paths = sorted(self._by_path)
        #: Whether there are several records, and not too many to be indexed.
        self.is_usable = len(self.records) > 1 and len(self._by_pattern) <= _MOST_PATTERNS

    @cached_property
    def values(self) -> dict[str, list[Found]]:
        """The labels and texts of all records, by their terms joined with spaces."""
        found: dict[str, list[Found]] = {}
        for number, record in enumerate(self.records):
            for text, column, names_it in self._texts_of(record):
                for key in dict.fromkeys((value_key(text), value_key(BRACKETS.sub("", text)))):
                    if key:
                        found.setdefault(key, []).append(Found(number, column, names_it))
        return found

    def _texts_of(self, record: Record) -> Iterator[tuple[str, Column, bool]]:
        """Yield each text that a record has, its column, and whether it names the record."""
        pattern = record.pattern
        for cell in record.row.cells:
            value = self._texts[record.text][cell.start : cell.end]
            names_it = (pattern, cell.name) in self._label_columns
            if not is_number(value) or (names_it and may_name(value, cell)):
                yield value, (pattern, cell.name), names_it
        name = key_of_record(record.path, pattern)
        if name is not None:
            yield plain_words(name), (pattern, ""), True
        if _is_in_table(record):
            # The title of its section, or a cell that is merged with the one above.
            for part in filter(None, record.row.context.split("; ")):
                yield part, (pattern, "; "), True

    @cached_property
    def _label_columns(self) -> frozenset[Column]:
        """The columns whose values say which record it is."""
        columns: set[Column] = set()
        for pattern, records in self._by_pattern.items():
            names = {cell.name for record in records for cell in record.row.cells}
            found = {name for name in names if names_record(name)}
            if _is_in_table(records[0]):
                found.add(records[0].row.cells[0].name)
            first = [cell.name for cell in records[0].row.cells[:_FIRST_COLUMNS]]
            distinct = self._distinct(records, {*found, *first})
            if found.isdisjoint(distinct):
                found.update(islice((name for name in first if name in distinct), 1))
            columns.update((pattern, name) for name in found)
        return frozenset(columns)

    def _distinct(self, records: Sequence[Record], names: set[str]) -> set[str]:
        """Return the names under which every record has a text, and each another one."""
        values: dict[str, set[str]] = {name: set() for name in names}
        for record in records:
            for cell in record.row.cells:
                value = self._texts[record.text][cell.start : cell.end]
                if cell.name in values and not is_number(value) and value_key(value):
                    values[cell.name].add(value)
        return {name for name, texts in values.items() if len(texts) == len(records) > 1}

    @cached_property
    def labels_with(self) -> dict[str, set[str]]:
        """The keys in `values` of labels of several terms, by each of their terms."""
        found: dict[str, set[str]] = {}
        for key, places in self.values.items():
            parts = key.split()
            if len(parts) > 1 and any(place.names_it for place in places):
                for part in parts:
                    found.setdefault(part, set()).add(key)
        return found

    @cached_property
    def plain_terms(self) -> frozenset[str]:
        """The terms of all text that is no row, and of values that are prose."""
        return frozenset(term for text in self._plain for term in terms(text))

    def order(self, pattern: Path) -> dict[str, int]:
        """Return the place of each key or header of the first record of a kind."""
        cells = self._by_pattern[pattern][0].row.cells
        return {cell.name: at for at, cell in enumerate(cells)}

    @cached_property
    def names(self) -> dict[Path, frozenset[str]]:
        """All keys or headers of each kind of records, in plain words."""
        found: dict[Path, frozenset[str]] = {}
        for pattern, records in self._by_pattern.items():
            names = {cell.name for record in records for cell in record.row.cells}
            names.update(name for record in records for name in record.row.missing)
            names.update(element for element in pattern[1:] if element.isalpha())
            found[pattern] = frozenset(plain_words(name) for name in names if name)
        return found

    def name_of(self, record: Record) -> str:
        """Return the value that names a record best, or its place."""
        if (key := key_of_record(record.path, record.pattern)) is not None:
            return key
        for cell in record.row.cells:
            is_short = 0 < cell.end - cell.start <= LONGEST_VALUE
            if is_short and (record.pattern, cell.name) in self._label_columns:
                return self._texts[record.text][cell.start : cell.end]
        return record.row.place or "another record"

    def name_around(self, found: Found) -> str:
        """Return what else names the record of a label, or the name of the record around it."""
        label, record = self.shown(found), self.records[found.record]
        names = [self.name_of(record)]
        for size in range(len(record.path) - 1, 0, -1):
            names += [self.name_of(around) for around in self._by_path.get(record.path[:size], ())]
        return next((name for name in names if name != label), label)

    def shown(self, found: Found) -> str:
        """Return a value as it is written; of a label that is no value, the name of the record."""
        record = self.records[found.record]
        return next(iter(self.values_in(record, found.column[1])), "") or self.name_of(record)

    def values_in(self, record: Record, name: str) -> list[str]:
        """Return the values of a record under a key or header."""
        text = self._texts[record.text]
        return [text[cell.start : cell.end] for cell in record.row.cells if cell.name == name]

    def of(self, targets: Iterable[Record]) -> list[Record]:
        """Return the rows of some records: their own, those in them and those around them."""
        found: dict[Path, None] = {}
        for path in dict.fromkeys(target.path for target in targets):
            around = (path[:size] for size in range(1, len(path)))
            found.update(dict.fromkeys(part for part in around if part in self._by_path))
            at = bisect_left(self._paths, path)
            while at < len(self._paths) and self._paths[at][: len(path)] == path:
                found[self._paths[at]] = None
                at += 1
        return [record for path in found for record in self._by_path[path]]

    def words(self, record: Record) -> str:
        """Return the text of a row with its keys and what is around it."""
        row = record.row
        names = (plain_words(cell.name) for cell in row.cells)
        text = self._texts[record.text]
        cells = (text[cell.start : cell.end] for cell in row.cells)
        return " ; ".join([row.context, *record.path[1:], *names, *cells])

    def supporting(self, records: Sequence[Record]) -> tuple[FigureIndex, ...]:
        """Return the figures of rows, of their keys and what is above them, and of other text."""
        contexts = dict.fromkeys(record.row.context for record in records if record.row.context)
        kinds = dict.fromkeys(record.pattern for record in records)
        names = dict.fromkeys(name for kind in kinds for name in self.names[kind])
        above = FigureIndex([*contexts, *names])
        return above, self._plain_figures, self._index_of(records)

    @cached_property
    def _plain_figures(self) -> FigureIndex:
        return FigureIndex(self._plain)

    @cached_property
    def _figures(self) -> dict[Path, FigureIndex]:
        """The figures of each kind of records."""
        return {pattern: self._index_of(records) for pattern, records in self._by_pattern.items()}

    def elsewhere(self, figure: Figure, kinds: Sequence[Path]) -> Found | None:
        """Return a record of kinds related to these that supports a figure, and its column.

        It is `None` if none does, or if a record of another kind does so, too.
        """
        found: Found | None = None
        for pattern, figures in self._figures.items():
            location = figures.find(figure)
            if location is None:
                continue
            if not any(begins(pattern, kind) for kind in kinds):
                return None
            records = self._by_pattern[pattern]
            number = list(dict.fromkeys(record.text for record in records))[location.text]
            at = max(0, bisect_right(self._starts, (number, location.start)) - 1)
            cells = self.records[at].row.cells
            name = next((cell.name for cell in cells if location.start < cell.end), "")
            found = found or Found(at, (pattern, name), names_it=False)
        return found

    def _index_of(self, records: Sequence[Record]) -> FigureIndex:
        by_text: dict[int, list[Row]] = {}
        for record in records:
            by_text.setdefault(record.text, []).append(record.row)
        return FigureIndex(
            [self._texts[number] for number in by_text],
            tuple(Structure(tuple(rows)) for rows in by_text.values()),
        )


#: The index of the records of a collection of references, built once for each collection.
record_index: Final = PerReferences(RecordIndex)


def _is_in_table(record: Record) -> bool:
    return len(record.path) > 1 and record.path[1].startswith(TABLE)
