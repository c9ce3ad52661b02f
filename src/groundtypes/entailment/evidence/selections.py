"""Some references of a collection as a collection of their own, such as those a sentence cites."""

from collections.abc import Iterable
from typing import Final

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.evidence.passage_index import sentence_index
from groundtypes.references import PerReferences, References

#: The selections kept for each collection: their number, and their characters in all.
_MAX_SELECTIONS: Final = 512
_MAX_CHARACTERS: Final = 16_000_000
#: How many sentences are looked at to find similar references.
_SENTENCES: Final = 64


class _Selections:
    """The selections of a collection that were used last.

    Many sentences of an answer cite the same references, whose index is built only once as long as
    the selection is kept.
    """

    def __init__(self, references: References) -> None:
        # A `PerReferences` value must not refer to its references, so it has only their parts.
        self._ids, self._texts, self._pages = references.ids, references.texts, references.pages
        self._structures = references.structures
        self._numbers = {id_: number for number, id_ in enumerate(self._ids)}
        self._cache = BoundedCache[tuple[int, ...], References](
            _MAX_SELECTIONS, max_weight=_MAX_CHARACTERS, weigh=_weigh
        )

    def select(self, ids: Iterable[str]) -> References:
        numbers = tuple(sorted({self._numbers[id_] for id_ in ids}))
        return self._cache.get_or_create(numbers, lambda: self._create(numbers))

    def _create(self, numbers: tuple[int, ...]) -> References:
        return References(
            tuple(self._ids[number] for number in numbers),
            tuple(self._texts[number] for number in numbers),
            [self._pages[number] for number in numbers] if self._pages else (),
            structures=tuple(self._structures[number] for number in numbers)
            if self._structures
            else (),
        )


def _weigh(_numbers: object, references: References) -> int:
    return sum(map(len, references.texts))


_selections: Final = PerReferences(_Selections)


def select_references(references: References, ids: Iterable[str]) -> References:
    """Return the references with these ids, in the order of the collection, without metadata.

    The same ids give the same object for as long as it is cached.

    Raises:
        KeyError: No reference has one of the ids.
    """
    wanted = frozenset(ids)
    if len(wanted) == len(references) and all(id_ in references for id_ in wanted):
        return references
    return _selections(references).select(wanted)


def similar_references(
    references: References, text: str, count: int, *, without: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the ids of up to `count` references whose sentences are most similar to a text.

    Args:
        references: The collection.
        text: The text, such as a sentence of an answer.
        count: How many there may be; the most similar comes first.
        without: The ids of references that are left out.
    """
    excluded = frozenset(without)
    if excluded.issuperset(references.ids):
        return ()
    index = sentence_index(references)
    positions = index.most_similar_positions(text, _SENTENCES) if len(index) else []
    ids = (references.ids[index.number(position)] for position in positions)
    return tuple(dict.fromkeys(id_ for id_ in ids if id_ not in excluded))[:count]
