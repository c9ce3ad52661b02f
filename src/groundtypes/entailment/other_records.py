"""A value that a statement gives to one record of a table or JSON value, and another one has.

"Order A17 costs 30." does not follow from a table in which 30 stands in the row of order A18 only.
A small model sees the words of both rows, and a check of figures sees that the number stands in the
reference. What is found is narrow, so that it is right: the statement names a record by a label,
and the value stands neither in its row, nor around it, nor outside of the rows like it. It was
counted on written cases, both ways (`docs/entailment.md`).
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from groundtypes.entailment.differences import MainDifference, quoted
from groundtypes.entailment.evidence.records import Found, Record, RecordIndex, record_index
from groundtypes.entailment.named_records import Match, NamedRecords, Targets
from groundtypes.figures import Comparison, Figure, find_figures
from groundtypes.figures.index import FigureIndex
from groundtypes.references import References
from groundtypes.references.names import plain_words
from groundtypes.references.record_paths import begins
from groundtypes.text.bm25 import terms

#: Smaller whole numbers may be counts, which no row needs to have.
_COUNTS: Final = 13
#: So many figures of a statement are compared.
_MOST_FIGURES: Final = 50


class ValueOfAnother(NamedTuple):
    """The value, what names the record or column that has it, and what the statement names.

    `contradicts` says whether what is named has another value in that place.
    """

    value: str
    belongs_to: str
    owner: str
    contradicts: bool

    @property
    def difference(self) -> MainDifference:
        """What the value belongs to, in plain English."""
        value, belongs_to, owner = map(quoted, self[:3])
        return MainDifference(
            f"{value} stands in the references under {belongs_to}, not under {owner}", self[:1]
        )


def value_of_another_record(statement: str, references: References) -> ValueOfAnother | None:
    """Return a value of a statement that only other records than the one it names have.

    It is `None` for references without records, and for those with more than 50,000 values or 200
    kinds of records, which are not compared.
    """
    index = record_index(references)
    if not index.is_usable:
        return None
    named = NamedRecords(statement, index)
    targets = named.targets
    if targets is None:
        return None
    if targets.apart is not None:
        return _apart(index, *targets.apart) if named.is_plain else None
    return _Comparison(statement, index, named, targets).find()


def _apart(index: RecordIndex, one: Found, other: Found) -> ValueOfAnother:
    """Return that one label of a statement belongs to another record than the other one."""
    # The inner record, or the one that the label does not name best, is what the other one lacks.
    one, other = sorted(
        (one, other),
        key=lambda label: (
            len(label.column[0]),
            index.name_of(index.records[label.record]) != index.shown(label),
        ),
    )
    return ValueOfAnother(
        index.shown(other), index.name_around(other), index.shown(one), contradicts=True
    )


class _Comparison:
    """The values of a statement beside those of the records that it names."""

    def __init__(
        self, statement: str, index: RecordIndex, named: NamedRecords, targets: Targets
    ) -> None:
        self._text = statement
        self._index = index
        self._named = named
        self._targets = targets
        self._owner = index.shown(targets.label)
        self._around = index.of(targets.records)

    def find(self) -> ValueOfAnother | None:
        """Return a value that the records that are named lack and others like them have."""
        for figure in self._values:
            if any(figures.find(figure) is not None for figures in self._supporting):
                continue
            if (found := self._figure_of_another(figure)) is not None:
                return found
        if self._named.is_plain:
            for match in self._named.matches:
                if (found := self._text_of_another(match)) is not None:
                    return found
        return None

    @cached_property
    def _values(self) -> tuple[Figure, ...]:
        """The figures of the statement that a record may have."""
        values = (
            figure
            for figure in find_figures(self._text)
            if self._is_value(figure)
            and (self._named.is_plain or figure.comparison is Comparison.EXACTLY)
        )
        return tuple(islice(values, _MOST_FIGURES))

    def _is_value(self, figure: Figure) -> bool:
        """Whether a figure is more than a part of a label or of a header."""
        parts = terms(figure.text)
        digits = {term for term in parts if term[0].isdigit()}
        if figure.incidental or (digits and digits <= self._name_terms):
            return False
        key = f" {' '.join(parts)} "
        return not any(key in f" {match.key} " for match in self._named.matches)

    @cached_property
    def _name_terms(self) -> frozenset[str]:
        kinds = self._targets.kinds
        return frozenset(term for kind in kinds for term in self._named.name_terms(kind))

    @cached_property
    def _supporting(self) -> tuple[FigureIndex, ...]:
        """The figures that the records, what is around them or other text has."""
        return self._index.supporting(self._around)

    def _figure_of_another(self, figure: Figure) -> ValueOfAnother | None:
        """Return that only another record has a figure."""
        other = self._index.elsewhere(figure, self._targets.kinds)
        if other is None:
            return None
        if _may_be_count(figure) and self._named.terms.isdisjoint(_terms_of(other.column[1])):
            return None
        name = self._index.name_of(self._index.records[other.record])
        has_other = bool(self._own_values(other.column[1]))
        return ValueOfAnother(figure.text, name, self._owner, has_other)

    def _text_of_another(self, match: Match) -> ValueOfAnother | None:
        """Return that only another record has a text as a value."""
        if match.labels or not self._is_elsewhere(match.places):
            return None
        other = match.places[0]
        own = self._own_values(other.column[1])
        is_named = _terms_of(other.column[1]) <= self._named.free
        # A word of the record's own may say the same: "shipped at" where the other is "shipped".
        if self._terms_around.issuperset(match.key.split()) and not (own and is_named):
            return None
        # A single word may be a word of the statement's own.
        if not own and " " not in match.key and not any(map(str.isdigit, match.key)):
            return None
        name = self._index.name_of(self._index.records[other.record])
        return ValueOfAnother(self._index.shown(other), name, self._owner, bool(own))

    @cached_property
    def _terms_around(self) -> frozenset[str]:
        """The terms of the records, of their keys, of what is around them and of other text."""
        rows = (term for row in self._around for term in terms(self._index.words(row)))
        return self._index.plain_terms.union(rows, self._name_terms)

    def _own_values(self, name: str) -> list[str]:
        records: Sequence[Record] = self._targets.records
        return [value for record in records for value in self._index.values_in(record, name)]

    def _is_elsewhere(self, places: Sequence[Found]) -> bool:
        """Whether all records with a value are like the ones that are named, and others."""
        for place in places:
            record = self._index.records[place.record]
            if not any(begins(record.pattern, kind) for kind in self._targets.kinds):
                return False
            if any(begins(record.path, target.path) for target in self._targets.records):
                return False
        return True


def _may_be_count(figure: Figure) -> bool:
    is_small = any(isinstance(value, int) and abs(value) < _COUNTS for value in figure.values)
    return is_small and figure.kind in ("number", "count", "ordinal")


def _terms_of(name: str) -> set[str]:
    return set(terms(plain_words(name)))
