"""Which records of a table or JSON value a statement names, and which values it has.

A statement names a record by a label that it has whole; a part of a label counts if it can mean no
other record, and if no whole label stands in a column before it, as an id does.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from groundtypes.entailment.evidence.records import Column, Found, Record, RecordIndex
from groundtypes.references.record_paths import Path, begins
from groundtypes.references.record_values import LONGEST_VALUE_TERMS
from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS
from groundtypes.words import all_words

#: A label of more records names none.
_MOST_NAMED: Final = 100
#: A term of more labels is no part of a name.
_MOST_LABELS: Final = 50
#: So many terms of a statement are compared.
_MOST_TERMS: Final = 300
#: Terms that compare, deny, count or add up: what they say may be true of several records.
_COMPARED: Final = frozenset(
    term
    for kind in ("denies", "compares, counts or restricts")
    for word in all_words(kind)
    if " " not in word
    for term in terms(word)
)


class Match(NamedTuple):
    """Terms of a statement that are a label or a value, joined, and the records that have it."""

    key: str
    places: tuple[Found, ...]

    @property
    def labels(self) -> dict[Column, set[int]]:
        """The numbers of the records that it names, by the column of the label."""
        columns: dict[Column, set[int]] = {}
        for place in self.places:
            if place.names_it:
                columns.setdefault(place.column, set()).add(place.record)
        return columns


class Targets(NamedTuple):
    """The records that a statement is about, and a label of one of them.

    `apart` are two labels of the statement that never name the same record, if there are.
    """

    records: tuple[Record, ...]
    label: Found
    apart: tuple[Found, Found] | None = None

    @property
    def kinds(self) -> tuple[Path, ...]:
        """The patterns of the records."""
        return tuple(dict.fromkeys(record.pattern for record in self.records))


class NamedRecords:
    """A statement beside the records of its references."""

    def __init__(self, statement: str, index: RecordIndex) -> None:
        """Find the labels and values in a statement."""
        self._text = statement
        self._index = index
        self._terms = terms(statement)[:_MOST_TERMS]
        self.matches, self.free = self._match()

    def _match(self) -> tuple[list[Match], frozenset[str]]:
        """Return the longest labels and values, from left to right, and the terms between them."""
        matches: list[Match] = []
        free: list[str] = []
        at = 0
        while at < len(self._terms):
            for size in range(min(LONGEST_VALUE_TERMS, len(self._terms) - at), 0, -1):
                key = " ".join(self._terms[at : at + size])
                places = self._index.values.get(key)
                if places and (size > 1 or key not in STOP_WORDS):
                    matches.append(Match(key, tuple(places)))
                    at += size
                    break
            else:
                free.append(self._terms[at])
                at += 1
        return matches, frozenset(free)

    @property
    def terms(self) -> frozenset[str]:
        """All terms of the statement."""
        return frozenset(self._terms)

    @cached_property
    def is_plain(self) -> bool:
        """Whether the statement compares, denies and counts nothing, but for names of columns."""
        names = {term for column in self._named for term in self.name_terms(column[0])}
        return _COMPARED.isdisjoint(self.free - names)

    def name_terms(self, pattern: Path) -> frozenset[str]:
        """Return the terms of the keys or headers of a kind of records."""
        return frozenset(term for name in self._index.names[pattern] for term in terms(name))

    @cached_property
    def _named(self) -> dict[Column, dict[str, set[int]]]:
        """The records that are named, by the column of the label and the label."""
        named: dict[Column, dict[str, set[int]]] = {}
        for match in self.matches:
            self._add(named, match)
        whole = list(named)
        for match in self._partly_named():
            if not whole or any(self._counts_beside(column, whole) for column in match.labels):
                self._add(named, match)
        return named

    def _counts_beside(self, column: Column, whole: Sequence[Column]) -> bool:
        """Whether a part of a label counts beside whole labels of some columns.

        It is of one of these columns, or of the same record as all of them and before them.
        """
        if column in whole:
            return True
        order = self._index.order(column[0])
        return all(
            column[0] == other[0] and order.get(column[1], len(order)) < order.get(other[1], -1)
            for other in whole
        )

    def _add(self, named: dict[Column, dict[str, set[int]]], match: Match) -> None:
        for column, records in match.labels.items():
            is_name_of_column = self.name_terms(column[0]).issuperset(match.key.split())
            if len(records) <= _MOST_NAMED and not is_name_of_column:
                named.setdefault(column, {})[match.key] = records

    def _partly_named(self) -> list[Match]:
        """Return the labels of which the statement has all content words, or the only name."""
        found: dict[str, Match] = {}
        capitals = {
            term for word in self._text.split() if word[:1].isupper() for term in terms(word)
        }
        for term in self.free - STOP_WORDS:
            keys = self._index.labels_with.get(term, ())
            if len(keys) > _MOST_LABELS:
                continue
            for key in keys:
                content = set(key.split()) - STOP_WORDS
                is_whole = len(content) > 1 and content <= self.free
                if is_whole or (len(keys) == 1 and term in capitals):
                    found[key] = Match(key, tuple(self._index.values[key]))
        return list(found.values())

    @cached_property
    def targets(self) -> Targets | None:
        """The records that the labels name together; `None` if no label names any."""
        if not self._named:
            return None
        records = self._index.records
        sets = {column: set().union(*labels.values()) for column, labels in self._named.items()}
        columns = sorted(self._named, key=lambda column: (len(sets[column]), -len(column[0])))
        first = Found(min(sets[columns[0]]), columns[0], names_it=True)
        for one in columns:
            for other in columns:
                if one == other or not begins(one[0], other[0]):
                    continue
                both = _parts_of(sets[one], sets[other], records)
                if not both:
                    second = Found(min(sets[other]), other, names_it=True)
                    return Targets((), first, (Found(min(sets[one]), one, names_it=True), second))
                if len(self._named[one]) == 1:
                    sets[one] = both
        kept = sorted({at for found in sets.values() for at in found})
        paths = [records[at].path for at in kept]
        inner = [at for at in kept if not _is_around(records[at].path, paths)]
        label = next(
            (Found(at, column, names_it=True) for column in columns for at in inner
             if at in sets[column]), first
        )  # fmt: skip
        return Targets(tuple(records[at] for at in inner), label)


def _parts_of(one: set[int], other: set[int], records: Sequence[Record]) -> set[int]:
    """Return the records of one set that are, have or are in a record of the other."""
    return {
        first
        for first in one
        if any(begins(records[first].path, records[second].path) for second in other)
    }


def _is_around(path: Path, paths: Sequence[Path]) -> bool:
    """Whether a longer path begins with this one."""
    return any(len(other) > len(path) and begins(path, other) for other in paths)
