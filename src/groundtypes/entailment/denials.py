"""A statement that denies what its sentence says, or says what its sentence denies.

"The pool does not open on Sundays." does not support "The pool opens on Sundays.", nor the other
way round, though all other words are the same, which small models overlook in long sentences; nor
does "It sells bread, not wine." support "It sells wine, not bread.". What is compared is which word
each negation denies (`groundtypes.entailment.negations`). It was counted on written claims
(`docs/entailment.md`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, NamedTuple

from groundtypes.entailment.negations import DeniedSentence, Negation, statements_of

__all__ = ["Denial", "Denials", "denials"]

#: In fewer words, two sentences may be alike by chance.
_FEWEST: Final = 3
#: Sentences with more negations are not compared, so that the work is bounded.
_MOST_NEGATIONS: Final = 20


class Denial(NamedTuple):
    """A negation that a statement and a sentence of the same words do not share.

    Attributes:
        negation: The negation as it is written.
        is_stated: Whether the statement has it and not the sentence.
        moved: The word that it denies in the statement, and the one in the sentence, if both have
            it; else `None`.
        contradicts: Whether the one is the negation of the other; else it just does not follow.
    """

    negation: str
    is_stated: bool
    moved: tuple[str, str] | None = None
    contradicts: bool = True


class Denials(NamedTuple):
    """What comparing a statement with sentences of the same words shows.

    Attributes:
        says_same: Whether they deny the same as all sentences of the statement.
        found: A negation that alone tells the statement from a sentence, if there is one.
    """

    says_same: bool = False
    found: Denial | None = None


def denials(statement: str, texts: Iterable[str]) -> Denials:
    """Return what the negations of a statement and of sentences of the same words show.

    Each sentence of the statement, or else each of its main clauses, is compared with the sentences
    of the texts and their main clauses. One with the same words and the same negations goes before
    all others.
    """
    units = [unit for text in texts for sentence in statements_of(text) for unit in sentence]
    there = frozenset[str]().union(*(unit.stems for unit in units))
    stated = statements_of(statement)
    says_same = bool(stated)
    for whole, *clauses in stated:
        known = there, frozenset(whole.stems)
        same, found = _among(whole, units, known)
        if same:
            continue
        says_same = False
        if found is not None:
            return Denials(found=found)
        for clause in clauses:
            same, found = _among(clause, units, known)
            if found is not None and not same:
                return Denials(found=found)
    return Denials(says_same)


def _among(
    stated: DeniedSentence,
    units: Sequence[DeniedSentence],
    known: tuple[frozenset[str], frozenset[str]],
) -> tuple[bool, Denial | None]:
    """Return whether a unit says the same, and a denial by one of them.

    `known` are the words of all units, and those of the whole statement.
    """
    there, stems = known
    one = _without_asides(stated, there)
    found: Denial | None = None
    for unit in units:
        if not (stated.negations or unit.negations):
            if stated.stems == unit.stems and stated.auxiliaries == unit.auxiliaries:
                return True, None
            continue
        other = _without_asides(unit, stems)
        if one.length < _FEWEST or not one.rest or one.bag != other.bag:
            continue
        difference = _difference(one, other)
        if difference is None:
            return True, None
        found = found or difference
    return False, found


def _without_asides(one: DeniedSentence, known: frozenset[str]) -> DeniedSentence:
    """Return a sentence without clauses such as ", not cooled," of which no word is known."""
    dropped = {
        one.clauses[negation.head]
        for negation in one.negations
        if negation.begins_clause and negation.head >= 0
    }
    dropped -= {
        clause
        for word, clause in zip(one.rest, one.clauses, strict=True)
        if word.is_content and word.stem in known
    }
    if not dropped:
        return one
    kept = [at for at, clause in enumerate(one.clauses) if clause not in dropped]
    places = {at: place for place, at in enumerate(kept)}
    return replace(
        one,
        rest=tuple(one.rest[at] for at in kept),
        clauses=tuple(one.clauses[at] for at in kept),
        auxiliaries_before=tuple(one.auxiliaries_before[at] for at in kept),
        negations=tuple(
            replace(negation, head=places.get(negation.head, -1))
            for negation in one.negations
            if negation.head < 0 or negation.head in places
        ),
    )


def _difference(stated: DeniedSentence, sentence: DeniedSentence) -> Denial | None:
    """Return what tells two sentences of the same words apart; `None` if they deny the same."""
    if stated.stems != sentence.stems:
        return _difference_of_order(stated, sentence)
    mine, theirs = list(stated.negations), list(sentence.negations)
    if len(mine) + len(theirs) > _MOST_NEGATIONS or (
        mine and theirs and _may_deny_the_same(stated, sentence)
    ):
        return None
    verbal = stated.verbal_clauses | sentence.verbal_clauses

    def is_near(one: Negation, other: Negation) -> bool:
        heads = one.head, other.head
        return not (stated.parts(*heads, verbal) or sentence.parts(*heads, verbal))

    _cancel(mine, theirs, lambda one, other: one.head == other.head)
    _cancel(mine, theirs, is_near)
    _cancel_doubles(mine, is_near)
    _cancel_doubles(theirs, is_near)
    return _left(mine, theirs, stated, sentence)


def _may_deny_the_same(one: DeniedSentence, other: DeniedSentence) -> bool:
    """Whether "neither" or "no" may deny several words, as a single "not" does."""
    if one.is_coordinated != other.is_coordinated:
        return True
    for several, single in ((one, other), (other, one)):
        if (
            all(negation.is_determiner for negation in several.negations)
            and [negation.is_determiner for negation in single.negations] == [False]
            and len(several.verbal_clauses) < 2
        ):
            return True
    return False


def _cancel(
    mine: list[Negation], theirs: list[Negation], is_same: Callable[[Negation, Negation], bool]
) -> None:
    """Remove the negations of both that deny the same, each with one other."""
    for one in list(mine):
        for other in theirs:
            if is_same(one, other):
                mine.remove(one)
                theirs.remove(other)
                break


def _cancel_doubles(
    negations: list[Negation], is_near: Callable[[Negation, Negation], bool]
) -> None:
    """Remove two negations of the same clause, which may be a double negation."""
    for one, other in combinations(list(negations), 2):
        if one in negations and other in negations and is_near(one, other):
            negations.remove(one)
            negations.remove(other)


def _left(
    mine: Sequence[Negation],
    theirs: Sequence[Negation],
    stated: DeniedSentence,
    sentence: DeniedSentence,
) -> Denial | None:
    """Return the denial by the negations that the other side does not have."""
    if mine and theirs:
        moved = _denied(mine[0], stated), _denied(theirs[0], sentence)
        return Denial(mine[0].shown, is_stated=True, moved=moved, contradicts=False)
    for negations, is_stated in ((mine, True), (theirs, False)):
        if negations:
            shown = negations[0].shown
            # "Without a ticket" does not contradict "with a ticket".
            contradicts = len(negations) == 1 and shown.lower() != "without"
            return Denial(shown, is_stated, contradicts=contradicts)
    return None


def _denied(negation: Negation, sentence: DeniedSentence) -> str:
    return sentence.rest[negation.head].shown


def _difference_of_order(stated: DeniedSentence, sentence: DeniedSentence) -> Denial | None:
    """Return what tells two sentences apart whose words are in another order.

    Such sentences may differ in more than the negation, so that neither denies the other.
    """
    mine, theirs = stated.negations, sentence.negations
    if len(mine) + len(theirs) == 1:
        [negation] = (*mine, *theirs)
        return Denial(negation.shown, is_stated=bool(mine), contradicts=False)
    denied, denied_there = (
        {stem for stem, is_denied in side.denied.items() if is_denied}
        for side in (stated, sentence)
    )
    affirmed, affirmed_there = (
        {stem for stem, is_denied in side.denied.items() if not is_denied}
        for side in (stated, sentence)
    )
    more, fewer = denied & affirmed_there, affirmed & denied_there
    if more and fewer:  # "Guests do not pay, members do." and the other way round
        spelling = {word.stem: word.shown for word in stated.rest}
        moved = spelling[min(more)], spelling[min(fewer)]
        shown = mine[0].shown
        return Denial(shown, is_stated=True, moved=moved, contradicts=False)
    return None
