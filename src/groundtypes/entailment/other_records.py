"""A value that a statement gives to one record of a table or JSON value, and another one has.

"Order A17 costs 30." does not follow from a table in which 30 stands in the row of order A18 only.
A small model sees the words of both rows, and a check of figures sees that the number stands in the
reference. What is found is narrow, so that it is right: the statement names a record by a label,
and the value stands neither in its row, nor around it, nor outside of the rows like it. The same
holds for a value under another header than the one that is named: "A 5 kg parcel costs 24 euros."
where 24 is the price of 2 kg. It was counted on written cases, both ways (`docs/entailment.md`).
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from groundtypes.entailment.named_records import Match, NamedRecords, Targets
from groundtypes.evidence.record_paths import begins
from groundtypes.evidence.records import Found, Record, RecordIndex, record_index
from groundtypes.figures import Comparison, Figure, find_figures
from groundtypes.figures.cell_units import name_without_unit
from groundtypes.figures.index import FigureIndex
from groundtypes.references import References
from groundtypes.structured.names import plain_words
from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS

__all__ = ["ValueOfAnother", "value_of_another_record"]

#: Smaller whole numbers may be counts, which no row needs to have.
_COUNTS: Final = 13
#: Headers are compared with each other in so many columns, of so many rows.
_MOST_COLUMNS: Final = 60
_MOST_RECORDS: Final = 20
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


def value_of_another_record(statement: str, references: References) -> ValueOfAnother | None:
    """Return a value of a statement that only other records than the one it names have.

    It is `None` for references without records, and for those with more than 50,000 values or 200
    kinds of records, which are not compared.
    """
    if not references.structures and not any("|" in text for text in references.texts):
        return None
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
        is_plain = self._named.is_plain
        for figure in self._values:
            if not self._is_supported(figure):
                found = self._figure_of_another(figure)
            else:
                found = self._figure_of_another_column(figure) if is_plain else None
            if found is not None:
                return found
        if (swapped := self._swapped()) is not None:
            return swapped
        if is_plain:
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

    def _swapped(self) -> ValueOfAnother | None:
        """Return the first of two values that two records have the other way round.

        Each value stands beside its record: "A17 costs 30 and A18 costs 45."
        """
        labels = self._named.two_labels
        if labels is None or len(self._values) != 2:
            return None
        records = self._index.records
        order = sorted(
            [(label.at, "label") for label in labels]
            + [(len(terms(self._text[: value.start])), "value") for value in self._values]
        )
        has = [
            [self._index.have([records[at] for at in label.records], value) for label in labels]
            for value in self._values
        ]
        by_turns = [kind for _, kind in order] in (
            ["label", "value", "label", "value"],
            ["value", "label", "value", "label"],
        )
        if not by_turns or has != [[False, True], [True, False]]:
            return None
        owner, belongs_to = (
            self._index.shown(Found(min(label.records), label.column, names_it=True))
            for label in labels
        )
        return ValueOfAnother(self._values[0].text, belongs_to, owner, contradicts=True)

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

    def _is_supported(self, figure: Figure) -> bool:
        """Whether the records, what is around them or other text has a figure."""
        return (
            self._figures_above.find(figure) is not None
            or self._index.plain_figures.find(figure) is not None
            or self._index.have(self._around, figure)
        )

    @cached_property
    def _figures_above(self) -> FigureIndex:
        return self._index.figures_above(self._around)

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

    def _figure_of_another_column(self, figure: Figure) -> ValueOfAnother | None:
        """Return that a record has a figure only under another header than the one named.

        The two headers differ in a word or number: "up to 2 kg" and "up to 5 kg", 2022 and 2023.
        """
        rivals = self._rivals
        records = self._targets.records[:_MOST_RECORDS]
        beside = (row for row in self._around if row not in records)
        if (
            not rivals
            or self._index.plain_figures.find(figure) is not None
            or self._index.have(beside, figure)
        ):
            return None
        columns = {name for record in records for name in self._index.columns_with(record, figure)}
        if not columns or not columns.issubset(rivals):
            return None
        column = min(columns)
        rival = rivals[column]
        # "24 euros for up to 2 kg, and 39.50 for 5 kg" has the value of the other header, too.
        if any(
            rival in self._index.columns_with(record, other)
            for other in self._values
            for record in records
        ):
            return None
        names = plain_words(column), plain_words(rival)
        return ValueOfAnother(figure.text, *names, contradicts=bool(self._own_values(rival)))

    @cached_property
    def _rivals(self) -> dict[str, str]:
        """The headers that the statement does not mean, each with the one like it that it means."""
        stated = self._named.terms
        rivals: dict[str, str] = {}
        for row in (record.row for record in self._targets.records[:_MOST_RECORDS]):
            names = [cell.name for cell in row.cells][:_MOST_COLUMNS]
            headers = (*names, *row.missing[:_MOST_COLUMNS])
            stated_ones = [name for name in headers if not stated.isdisjoint(_header_terms(name))]
            for name in names:
                meant = (other for other in stated_ones if _is_meant(other, name, stated))
                rivals.update((name, other) for other in islice(meant, 1))
        return rivals

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


@lru_cache(maxsize=4096)
def _header_terms(name: str) -> frozenset[str]:
    return frozenset(terms(name_without_unit(name))) - STOP_WORDS


def _is_meant(name: str, other: str, stated: frozenset[str]) -> bool:
    """Whether a statement names one header, and not the other one, which is like it."""
    own, others = _header_terms(name), _header_terms(other)
    only_own, only_other = own - others, others - own
    alike = own & others or all(term.isdigit() for term in own | others)
    return bool(
        alike and only_own and only_other and only_own <= stated and only_other.isdisjoint(stated)
    )
