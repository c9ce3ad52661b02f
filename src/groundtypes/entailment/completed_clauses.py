"""A later clause of a sentence, with the words that it leaves out.

"The Alba carries 80 cars, the Bree 45." says "The Bree carries 45 cars.". Only what is certain is
found: it was counted on written claims (`docs/entailment.md`).
"""

from collections.abc import Sequence
from typing import Final

from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.parallel_clauses import (
    ADVERBS,
    DENYING,
    MOST_NUMBERS,
    SHARING,
    Clause,
    begin_alike,
    changed_run,
    clause_of,
    clauses_of,
    stand_alike,
)
from groundtypes.entailment.word_classes import HEDGE

__all__ = ["completed_clause", "is_completed_clause"]

#: A statement has at least so many words without articles, and at most.
_WORDS: Final = (3, 40)
#: What a later clause may not leave out with a number: "3 euros an hour", "3 million".
_RATES: Final = frozenset(
    "a an per each every million millions billion billions trillion dozen m k bn mn".split()
)
#: A sentence that begins with a quotation mark is what somebody says.
_QUOTED: Final = tuple("\"'\u201c\u2018\u201e\u00ab")


def is_completed_clause(statement: str, sentence: str) -> bool:
    """Whether a statement is a later clause of a sentence, with what it leaves out.

    "The Alba carries 80 cars, the Bree 45." says "The Bree carries 45 cars.". The sentence consists
    of clauses with a number each. The statement is the first of them with two changes: another
    number, and another thing in the same place, both of which stand in the later clause; it has
    all words of that clause in their order.
    """
    if "?" in sentence or sentence.lstrip().startswith(_QUOTED):
        return False
    stated = clause_of(statement)
    if stated is None or not _WORDS[0] <= len(stated.words) <= _WORDS[1] or _has_rate(statement):
        return False
    return completed_clause(stated, clauses_of(sentence)) is not None


def _has_rate(statement: str) -> bool:
    """Whether a number has a scale, or is one of something: "3 euros an hour"."""
    words = words_of(statement).words
    first = next((at for at, word in enumerate(words) if word.is_number), len(words))
    return any(word.text in _RATES for word in words[first:])


def completed_clause(stated: Clause, clauses: Sequence[Clause]) -> Clause | None:
    """Return the later clause that a statement completes, if it is certain."""
    texts = stated.texts.union(*(clause.texts for clause in clauses))
    if not texts.isdisjoint(SHARING | DENYING):
        return None
    if not all(0 < len(each.numbers) <= MOST_NUMBERS for each in (stated, *clauses)):
        return None
    for at, later in enumerate(clauses[1:], 1):
        rest = iter(stated.keys)
        if (
            all(key in rest for key in later.keys)
            and _is_like_others(clauses, at)
            and any(
                _is_completed(stated, mine, clauses[0], theirs, later)
                for mine in stated.numbers
                for theirs in clauses[0].numbers
            )
        ):
            return later
    return None


def _is_like_others(clauses: Sequence[Clause], at: int) -> bool:
    """Whether a clause gets what it leaves out from the first, and not from another one.

    It does not in "The firm employs 80 men and 20 women, the shop 5.", and may not in "Tom ate 3
    apples, Ann 2 and Ben 4 pears.".
    """
    later = clauses[at]
    if any((each.numbers[0] == 0) is not (later.numbers[0] == 0) for each in clauses[1:at]):
        return False
    return later.numbers[-1] < len(later.keys) - 1 or all(
        key in clauses[0].keys
        for each in clauses[at + 1 :]
        for key in each.keys[each.numbers[-1] + 1 :]
    )


def _is_completed(stated: Clause, mine: int, first: Clause, theirs: int, later: Clause) -> bool:
    """Whether one run and this number tell a statement from the first clause."""
    change = changed_run(_without(first.keys, theirs), _without(stated.keys, mine))
    if not change.is_short or change.first <= mine < change.other_last:
        return False
    run = stated.keys[change.first : change.other_last]
    found = later.find(run)
    if len(found) != 1 or not stand_alike(first, change, later, found[0]):
        return False
    place, end = found[0], found[0] + len(run)
    own = [later.keys[at] for at in later.numbers if not place <= at < end]
    others = [at for at in first.numbers if not change.first <= at < change.last]
    replaced = {word.text for word in first.words[change.first : change.last]}
    return (
        own == [stated.keys[mine]]
        and others == [theirs]
        and (change.first < mine) is (place < later.keys.index(own[0]))
        and first.says_something(change.first, change.last)
        and later.says_something(place, end)
        and begin_alike(first, later, change.first, place)
        and change.last - change.first <= len(run)  # no "On Sundays" or "Tom says" is left out
        and (ADVERBS | HEDGE.keys()).isdisjoint(replaced.union(later.texts))
        and (later.numbers[0] == 0 or _is_predicate(stated, mine, later))
    )


def _without(keys: Sequence[str], number: int) -> list[str]:
    return [*keys[:number], "", *keys[number + 1 :]]


def _is_predicate(stated: Clause, number: int, later: Clause) -> bool:
    """Whether a clause leaves out no more than a verb before its number.

    "Ann gave Tom 3 books, Ben 5." may say that Ben gave Tom 5 books, or that she gave them to Ben.
    """
    left_out = [
        word
        for word, key in zip(stated.words[:number], stated.keys, strict=False)
        if key not in later.keys and word.is_content
    ]
    return len(left_out) <= 1 and not any(word.is_name for word in left_out)
