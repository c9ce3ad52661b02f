"""A statement that is a clause of a sentence but for a number, or for what has the number.

"Room 4 seats 30 people; room 9 seats 55." does not say "Room 9 seats 30 people.". A statement is
compared with each clause word for word, so that what is found is right; it was counted on written
claims (`docs/entailment.md`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.completed_clauses import completed_clause
from groundtypes.entailment.exchanged_numbers import ExchangedNumber
from groundtypes.entailment.parallel_clauses import (
    ADVERBS,
    DENYING,
    LONGEST_RUN,
    MOST_NUMBERS,
    PREPOSITIONS,
    SHARING,
    Change,
    Clause,
    begin_alike,
    changed_run,
    clause_of,
    clauses_of,
    stand_alike,
)

__all__ = ["number_of_another_clause"]

#: A statement has at least so many words without articles, and at most.
_WORDS: Final = (3, 40)
#: The first word of a run in a clause, and the one after it.
Run = tuple[int, int]
#: So many words may be left out at the end of a clause.
_MOST_LEFT_OUT: Final = 4
#: Of "more than 5" and "within 5 days", other numbers may be true, too.
_BOUNDS: Final = frozenset(
    "more less fewer over under above below exceed exceeds exceeding exceeded up_to at_most "
    "at_least no_more_than no_less_than maximum minimum before after within even between".split()
)
_PRONOUNS: Final = frozenset("it they he she this that these those there".split())

#: "The bus leaves at 7, the last at 9." is about two buses.
_ORDINALS: Final = frozenset("first second third fourth next last latest final".split())


def number_of_another_clause(statement: str, sentences: Iterable[str]) -> ExchangedNumber | None:
    """Return the number that a statement has from another clause of a sentence.

    The statement is a clause of the sentence, with what has the number replaced by what has another
    number in a later clause, or with that other number. No other sentence has both words.
    """
    stated = clause_of(statement)
    if stated is None or not 0 < len(stated.numbers) <= MOST_NUMBERS:
        return None
    if not _WORDS[0] <= len(stated.words) <= _WORDS[1]:
        return None
    distinct = list(dict.fromkeys(sentences))
    for sentence in distinct:
        for number, clause, (first, last), owner in _exchanges(stated, clauses_of(sentence)):
            begin = stated.find(owner)[0]
            words = stated.words[begin : begin + len(owner)]
            both = {number, *(word.stem for word in words if word.is_content)}
            if any(
                both <= words_of(other).content and _is_another(other, sentence)
                for other in distinct
            ):
                continue
            place = stated.keys.index(number)
            return ExchangedNumber(
                stated.words[place].shown,
                clause.shown(first, last),
                stated.shown(begin, begin + len(owner)),
            )
    return None


#: A number, the clause whose number it is, where its owner is there, and that of the statement.
_Exchange = tuple[str, Clause, Run, Sequence[str]]


def _exchanges(stated: Clause, clauses: Sequence[Clause]) -> Iterator[_Exchange]:
    texts = frozenset[str]().union(*(clause.texts for clause in clauses))
    if len(clauses) < 2 or not SHARING.isdisjoint(texts):
        return
    for at, clause in enumerate(clauses):
        for later in clauses[at + 1 :]:
            if DENYING.isdisjoint(later.texts | clause.texts):
                others = [other for other in clauses if other is not later]
                yield from _number_exchanged(stated, clause, later, clauses, is_later=False)
                yield from _number_exchanged(stated, later, clause, clauses, is_later=True)
                yield from _owner_exchanged(stated, clause, later, others)
    yield from _of_another_completed(stated, clauses)


def _of_another_completed(stated: Clause, clauses: Sequence[Clause]) -> Iterator[_Exchange]:
    """Yield the number of another clause that a later one, with what it leaves out, has here."""
    for at in reversed(stated.numbers):
        number = stated.keys[at]
        having = [clause for clause in clauses if number in clause.keys]
        if len(having) != 1 or having[0].keys.count(number) != 1:
            continue
        for other in clauses:
            for place in other.numbers:
                words = (*stated.words[:at], other.words[place], *stated.words[at + 1 :])
                later = completed_clause(Clause(words), clauses)
                if other.keys[place] == number or later is None or later is having[0]:
                    continue
                own = {word.stem for word in later.words if word.is_content}
                owner = own.difference(having[0].keys, (other.keys[place],))
                if found := [key for key in stated.keys if key in owner]:
                    end = having[0].keys.index(number)
                    run = (0, end) if end else (1, len(having[0].keys))
                    yield number, having[0], run, found[:1]


def _owner_exchanged(
    stated: Clause, clause: Clause, later: Clause, others: Sequence[Clause]
) -> Iterator[_Exchange]:
    """Yield the number of a clause that the statement gives to the owner of a later number."""
    for length in range(len(clause.keys), len(clause.keys) - _MOST_LEFT_OUT - 1, -1):
        change = changed_run(clause.keys[: max(length, 0)], stated.keys)
        kept = [at for at in stated.numbers if not change.first <= at < change.other_last]
        run = stated.keys[change.first : change.other_last]
        if not change.is_short or len(kept) != 1 or not _is_plain(stated, change):
            continue
        [number] = kept
        found = later.find(run)
        if len(found) != 1 or any(other.find(run) for other in others):
            continue
        place = found[0]
        is_before = change.first < number
        theirs = [at for at in later.numbers if not place <= at < place + len(run)]
        if (
            len(theirs) == 1
            and later.keys[theirs[0]] != stated.keys[number]
            and (place < theirs[0]) is is_before
            and (
                stand_alike(clause, change, later, place)
                or _precede_alike(clause, change.last, later, place + len(run))
                or (change.first == number + 1 and place == theirs[0] + 1)
            )
            and _owns(later, clause, (place, place + len(run)), theirs[0])
            and not _is_same_thing(
                clause, (change.first, change.last), later, (place, place + len(run))
            )
            and clause.keys.count(stated.keys[number]) == 1
            and clause.says_something(change.first, change.last)
            and later.says_something(place, place + len(run))
        ):
            yield stated.keys[number], clause, (change.first, change.last), run


def _is_plain(stated: Clause, change: Change) -> bool:
    """Whether the words that the statement shares neither deny nor bound its number."""
    words = [word.text for word in stated.words]
    shared = {*words[: change.first], *words[change.other_last :]}
    return shared.isdisjoint(DENYING | _BOUNDS) and DENYING.isdisjoint(words)


def _precede_alike(clause: Clause, last: int, later: Clause, end: int) -> bool:
    """Whether two runs end before the same preposition and a number: "the rolls for 15"."""
    words = clause.words[last : last + 2], later.words[end : end + 2]
    return all(
        len(each) == 2 and each[0].text in PREPOSITIONS and each[1].is_number for each in words
    ) and (words[0][0].text == words[1][0].text)


def _owns(clause: Clause, earlier: Clause, run: tuple[int, int], number: int) -> bool:
    """Whether a number belongs to a run: the rest of the clause is that of the earlier one.

    It may end with a part that begins with a preposition.
    """
    last = max(run[1] - 1, number)
    for at, word in enumerate(clause.words):
        if run[0] <= at < run[1] or at == number:
            continue
        if at > last and word.text in PREPOSITIONS:
            break
        if clause.keys[at] not in earlier.keys and word.text not in _PRONOUNS:
            return False
    return True


def _number_exchanged(
    stated: Clause, clause: Clause, other: Clause, clauses: Sequence[Clause], *, is_later: bool
) -> Iterator[_Exchange]:
    """Yield the number of another clause in the place of that of the clause."""
    change = changed_run(clause.keys, stated.keys)
    place = change.first
    if (change.last, change.other_last) != (place + 1, place + 1) or not _is_plain(stated, change):
        return
    number = stated.keys[place]
    if place not in clause.numbers or place not in stated.numbers or number not in other.keys:
        return
    if sum(each.keys.count(number) for each in clauses) > 1:
        return
    at = other.keys.index(number)
    for owner, theirs in _contrasts(clause, place, other, at, is_later=is_later):
        runs = clause.keys[slice(*owner)], other.keys[slice(*theirs)]
        if (
            max(map(len, runs)) <= LONGEST_RUN
            and set(runs[0]).isdisjoint(other.keys)
            and set(runs[1]).isdisjoint(clause.keys)
            and clause.says_something(*owner)
            and other.says_something(*theirs)
            and begin_alike(clause, other, owner[0], theirs[0])
            and not _is_same_thing(clause, owner, other, theirs)
            and _owns(other, clause, theirs, at)
        ):
            yield number, other, theirs, runs[0]
            return


def _is_same_thing(clause: Clause, owner: Run, other: Clause, theirs: Run) -> bool:
    """Whether the other clause only says when, or which, in a run that the clause has not."""
    mine, there = (
        {word.text for word in each.words[slice(*run)]}
        for each, run in ((clause, owner), (other, theirs))
    )
    is_which = there <= _ORDINALS and mine.isdisjoint(_ORDINALS)
    return is_which or (not there.isdisjoint(ADVERBS) and mine.isdisjoint(ADVERBS))


def _contrasts(
    clause: Clause, place: int, other: Clause, at: int, *, is_later: bool
) -> Iterator[tuple[Run, Run]]:
    """Yield where two clauses may say what has their numbers, before or after those."""
    mine, theirs = clause.keys[:place], other.keys[:at]
    for size in range(_MOST_LEFT_OUT):  # the other clause may leave out a verb
        for cut in range(1, len(mine) - size + 1):
            change = changed_run((*mine[:cut], *mine[cut + size :]), theirs)
            if change.last > change.first and change.other_last > change.first:
                last = change.last if change.last <= cut else change.last + size
                yield (change.first, last), (change.first, change.other_last)
            if not size:
                break
    mine, theirs = clause.keys[place + 1 :], other.keys[at + 1 :]
    if is_later or not theirs:  # what ends a sentence may belong to all of its clauses
        return
    skipped = 0
    if other.words[at + 1].text in PREPOSITIONS:
        places = [
            n for n, word in enumerate(clause.words[place + 1 :]) if word.text in PREPOSITIONS
        ]
        skipped = places[0] if places else 0
    change = changed_run(mine[skipped:], theirs)
    if change.first and change.last > change.first and change.other_last > change.first:
        begin = place + 1 + skipped
        owner = begin + change.first, begin + change.last
        there = at + 1 + change.first, at + 1 + change.other_last
        words = (*clause.words[slice(*owner)], *other.words[slice(*there)])
        if not any(word.is_number for word in words):
            yield owner, there


def _is_another(text: str, sentence: str) -> bool:
    one, other = words_of(text).plain, words_of(sentence).plain
    return one not in other and other not in one
