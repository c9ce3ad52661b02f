"""A statement in the words of a sentence, two of which have changed places.

"The captain hired the mate." does not say "The mate hired the captain.". Networks overlook it,
because all words agree. What is found is narrow, so that it is right; it was counted on written
claims (`docs/entailment.md`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.changed_words import is_comparable, is_plain, plain_words

__all__ = ["exchanged_words"]

#: So many words may have moved together.
_MOST_WORDS: Final = 10
_COORDINATORS: Final = frozenset("and or nor plus".split())
_MARKS: Final = frozenset(", ; : ( ) \u2013 \u2014".split())
#: Words between two others that may be exchanged without a change of meaning: "A met B".
_RECIPROCAL: Final = frozenset(
    "both between with meet meets met marry married marries differ differs different equal equals "
    "same similar resemble resembles near beside alongside adjacent opposite versus against cousin "
    "cousins sibling siblings neighbour neighbours partner partners friend friends identical "
    "adjoin adjoins border borders joined joins join".split()
)
#: "Ann is the chair." says "The chair is Ann.".
_COPULAS: Final = frozenset("is are was were be been being am".split())
#: "Ann sings and Bo does, too." says the same of both.
_SAME_OF_BOTH: Final = frozenset(
    "too also likewise so well same alike together each both either neither".split()
)


class _Places(NamedTuple):
    """Where two runs of words are that have changed places, in the words of the sentence."""

    first: slice
    second: slice


def exchanged_words(statement: str, sentence: str) -> tuple[str, str] | None:
    """Return two words of a sentence that stand in each other's place in the statement.

    All other words of that part of the sentence are the statement's, in their order. Each of the
    two may be the first of several that moved together. What stands between them does not let them
    change places, as "and", "with" or "is" may.
    """
    stated, words = plain_words(statement), plain_words(sentence)
    if not is_comparable(stated, words):
        return None
    wanted, stems = [word.stem for word in stated], [word.stem for word in words]
    for start in range(len(stems) - len(wanted) + 1):
        places = _exchanged(stems[start : start + len(wanted)], wanted, start)
        if places is None:
            continue
        first, second = words[places.first], words[places.second]
        is_even = len(first) == len(second)
        between = _between(sentence, places)
        # Other parts of two lengths may be what "is" joins: "The first two pages are old."
        has_copula = any(word.text in _COPULAS for word in between)
        if is_even or (_are_things(first, second) and not has_copula):
            before = words[start : places.first.start]
            after = words[places.second.stop : start + len(wanted)]
            if _differs(before, between, after):
                return first[0].shown, second[0].shown
    return None


def _exchanged(part: Sequence[str], wanted: Sequence[str], start: int) -> _Places | None:
    """Return where two runs of a part are that the wanted words have the other way round.

    Something stands between them.
    """
    differing = [at for at, stem in enumerate(wanted) if part[at] != stem]
    if not differing:
        return None
    begin, end = differing[0], differing[-1] + 1
    here, there = part[begin:end], wanted[begin:end]
    if sorted(here) != sorted(there):
        return None
    for one in range(1, min(_MOST_WORDS, len(here) - 2) + 1):
        for two in range(1, min(_MOST_WORDS, len(here) - one - 1) + 1):
            moved = [*here[-two:], *here[one:-two], *here[:one]]
            if moved == there:
                end += start
                begin += start
                return _Places(slice(begin, begin + one), slice(end - two, end))
    return None


def _are_things(*runs: Sequence[Word]) -> bool:
    """Whether runs of words begin and end with one that says something itself."""
    return all(words[0].is_content and words[-1].is_content for words in runs)


def _between(sentence: str, places: _Places) -> list[Word]:
    """Return the words and marks between two runs, without articles."""
    words = words_of(sentence).words
    plain = [at for at, word in enumerate(words) if is_plain(word)]
    between = words[plain[places.first.stop - 1] + 1 : plain[places.second.start]]
    return [word for word in between if is_plain(word) or word.text in _MARKS]


def _differs(before: Sequence[Word], between: Sequence[Word], after: Sequence[Word]) -> bool:
    """Whether two runs say something else in each other's place."""
    texts = {word.text for word in between} - _MARKS
    if texts <= _COPULAS or not texts.isdisjoint(_RECIPROCAL):
        return False
    separators = [at for at, word in enumerate(between) if word.text in _COORDINATORS | _MARKS]
    if not separators:
        return True
    first, last = separators[0], separators[-1]
    left, right = between[:first], between[last + 1 :]
    is_list = last - first >= len(separators)  # an item stands between two separators
    if texts.isdisjoint(_COORDINATORS):
        return not is_list or _has_content(right)
    return _joins_clauses(before, left, right, after, is_list=is_list)


def _joins_clauses(
    before: Sequence[Word],
    left: Sequence[Word],
    right: Sequence[Word],
    after: Sequence[Word],
    *,
    is_list: bool,
) -> bool:
    """Whether "and" joins two clauses or things that do not say the same of the exchanged words.

    "Tea costs 5 euros and coffee costs 7." does; "Tea and coffee are free." and "Ann Lee and Bo
    Lee met." do not.

    Args:
        before: The words before the first of the exchanged words.
        left: The words from there to "and".
        right: The words from "and" to the second of the exchanged words.
        after: The words after that.
        is_list: Whether something stands between "and" and another mark or "and".
    """
    stems = [[word.stem for word in part] for part in (before, left, right, after)]
    said_before, said_left, said_right, said_after = stems
    texts = {word.text for part in (before, left, right, after) for word in part}
    if "respectively" in texts:
        return True
    if not texts.isdisjoint(_SAME_OF_BOTH):
        return False
    has_own_begin = (
        _has_content(before)
        and _has_content(right)
        and said_before[-len(said_right) :] != said_right
    )
    if is_list:
        return has_own_begin and not set(said_before).isdisjoint(said_right)
    has_own_end = (
        _has_content(left) and _has_content(after) and said_after[: len(said_left)] != said_left
    )
    return has_own_begin or has_own_end


def _has_content(words: Sequence[Word]) -> bool:
    return any(word.is_content for word in words)
