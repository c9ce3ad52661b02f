"""Some references of a collection as a collection of their own, such as those a sentence cites."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.evidence.passage_index import sentence_index
from groundtypes.references import PerReferences, References

_T = TypeVar("_T")
#: The selections kept for each collection: their number, and their characters in all.
_MAX_SELECTIONS: Final = 512
_MAX_CHARACTERS: Final = 16_000_000
#: How many sentences are looked at to find similar references.
_SENTENCES: Final = 64


#: The selections of each collection that were used last: many sentences of an answer cite the same
#: references, whose index is built only once as long as the selection is kept.
_selections: Final = PerReferences(
    lambda _: BoundedCache[tuple[int, ...], References](
        _MAX_SELECTIONS, max_weight=_MAX_CHARACTERS, weigh=_weigh
    )
)


def _weigh(_numbers: object, references: References) -> int:
    return sum(map(len, references.texts))


def select_references(references: References, ids: Iterable[str]) -> References:
    """Return the references with these ids, in the order of the collection, without metadata.

    The same ids give the same object for as long as it is cached.

    Raises:
        KeyError: No reference has one of the ids.
    """
    numbers = tuple(sorted(map(references.number, frozenset(ids))))
    if len(numbers) == len(references):
        return references
    return _selections(references).get_or_create(numbers, lambda: _part(references, numbers))


def _part(references: References, numbers: Sequence[int]) -> References:
    def those(values: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(values[number] for number in numbers) if values else ()

    return References(
        those(references.ids),
        those(references.texts),
        those(references.pages),
        structures=those(references.structures),
    )


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
