"""A number that a statement gives to something to which its sentence gives another number.

"The pool opens at 7 and the sauna at 10." does not say "The sauna opens at 7.", though it has all
of its words, and small models overlook it. What is found is narrow, so that it is right: each
condition excludes sentences that do support such a statement. It was counted on written claims,
both ways (`docs/entailment.md`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.entailment import word_classes
from groundtypes.entailment.alignment import AlignedSentence, Words

__all__ = ["ExchangedNumber", "exchanged_number"]

#: How many words after a number its owner may stand: "14p to the teaching".
_NEAR: Final = 3
#: Words that compare or deny ("more than 5" is true of 9), and those of relative clauses, which
#: name something by what another part of the sentence says of it.
_REFUSED: Final = frozenset({"who", "whose", "which", "that", "where"}).union(
    word_classes.NEGATION,
    word_classes.COMPARISON,
    word_classes.QUANTIFIER,
    word_classes.CONDITION,
)


class ExchangedNumber(NamedTuple):
    """The number, the word of the sentence that it belongs to, and the word of the statement."""

    number: str
    belongs_to: str
    owner: str


class _Part(NamedTuple):
    """A clause with a single number: its first and last word, and where the number is."""

    first: int
    last: int
    number: int


def exchanged_number(
    closest: AlignedSentence, aligned: Sequence[AlignedSentence]
) -> ExchangedNumber | None:
    """Return the number that the statement has from another part of its closest sentence.

    The statement has a single number, and only words of the sentence. The sentence has the number
    once, as the single number of a clause, and in another clause a single other number, in the same
    place of its clause, with a word of the statement that stands nowhere else. No other sentence
    has both the number and that word.

    Args:
        closest: The statement beside the sentence that has most of its words.
        aligned: The statement beside all sentences that are evidence.
    """
    stated, sentence = closest.statement, closest.sentence
    place = _single_number(stated)
    if place is None or closest.share < 1.0 or not _is_plain(stated, sentence):
        return None
    number = stated.words[place]
    parts = _parts(sentence)
    own = [part for part in parts if sentence.words[part.number].stem == number.stem]
    has_it_once = sum(word.stem == number.stem for word in sentence.words) == 1
    if len(own) != 1 or not has_it_once or not _begins_alike(stated, place, sentence, own[0]):
        return None
    for other in parts:
        if other is own[0] or sentence.words[other.number].stem in stated.numbers:
            continue
        # A later clause leaves out what an earlier one says: "New messages are kept for 14 days,
        # saved ones for 28." With a word of the later clause the statement is about that clause.
        if own[0].first > other.first and _only_there(stated, sentence, own[0]):
            continue
        owners = _owners(stated, sentence, own[0], other)
        if owners is None:
            continue
        belongs_to, owner = owners
        if any(
            pair is not closest
            and number.stem in pair.sentence.numbers
            and sentence.words[owner].stem in pair.sentence.content
            for pair in aligned
        ):
            return None
        return ExchangedNumber(
            number.shown, sentence.words[belongs_to].shown, sentence.words[owner].shown
        )
    return None


def _is_plain(stated: Words, sentence: Words) -> bool:
    """Return whether a statement compares and denies nothing, and has no hedge of its own."""
    hedges = stated.texts.intersection(word_classes.HEDGE)
    return _REFUSED.isdisjoint(stated.texts) and hedges <= sentence.texts


def _only_there(stated: Words, sentence: Words, part: _Part) -> list[int]:
    """Return where words of the statement are that the sentence has in this clause only."""
    words = sentence.words
    return [
        at
        for at in range(part.first, part.last + 1)
        if words[at].is_content
        and not words[at].is_number
        and words[at].stem in stated.content
        and sum(word.stem == words[at].stem for word in words) == 1
    ]


def _single_number(words: Words) -> int | None:
    numbers = [at for at, word in enumerate(words.words) if word.is_number]
    return numbers[0] if len(numbers) == 1 else None


def _parts(sentence: Words) -> list[_Part]:
    """Return the clauses with a single number and no condition, in order."""
    clauses: dict[int, list[int]] = {}
    for at, clause in enumerate(sentence.clauses):
        clauses.setdefault(clause, []).append(at)
    parts = []
    for places in clauses.values():
        numbers = [at for at in places if sentence.words[at].is_number]
        texts = {sentence.words[at].text for at in places} - {"but"}
        if len(numbers) == 1 and texts.isdisjoint(word_classes.CONDITION):
            parts.append(_Part(places[0], places[-1], numbers[0]))
    return parts


def _begins_alike(stated: Words, place: int, sentence: Words, part: _Part) -> bool:
    """Return whether the same word stands before the number in both."""
    before = _neighbour(stated, place, -1)
    return before is not None and before == _neighbour(sentence, part.number, -1)


def _neighbour(words: Words, place: int, step: int) -> str | None:
    """Return the word beside a place; `None` if there is a mark or nothing."""
    at = place + step
    if not 0 <= at < len(words.words) or not words.words[at].text[0].isalnum():
        return None
    return words.words[at].text


def _owners(stated: Words, sentence: Words, own: _Part, other: _Part) -> tuple[int, int] | None:
    """Return where the owners of both numbers are, which have the same place in their clauses.

    The one is a word of the number's clause that the statement lacks, the other a word of the
    statement that only the other clause has. Both are before the numbers, or both soon after the
    same word: what ends a list, as in "Gate 4 upstairs and gate 5 have lifts.", belongs to both.
    """
    words = sentence.words
    alike = (
        [_neighbour(sentence, own.number, step) for step in (-1, 1)],
        [_neighbour(sentence, other.number, step) for step in (-1, 1)],
    )
    same_before, same_after = (
        one is not None and one == another for one, another in zip(*alike, strict=True)
    )
    lacked = [
        at
        for at in range(own.first, own.last + 1)
        if words[at].is_content and not words[at].is_number and words[at].stem not in stated.content
    ]
    found = [
        (belongs_to, owner)
        for belongs_to in lacked
        for owner in _only_there(stated, sentence, other)
        if (belongs_to < own.number and owner < other.number and (same_before or same_after))
        or (
            same_after
            and 0 < belongs_to - own.number <= _NEAR
            and 0 < owner - other.number <= _NEAR
        )
    ]
    # Of several words those are shown that tell most: the one closest to the number, and the first
    # of the other clause, which is often its subject.
    return min(found, key=lambda pair: (abs(pair[0] - own.number), pair[1]), default=None)
