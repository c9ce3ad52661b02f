"""A statement in the words of a sentence, with one of them left out or stronger.

"Fees may be refunded." does not say that they are refunded. Networks overlook it, because nearly
all words agree. What is found is narrow, so that it is right; it was counted on written claims
(`docs/entailment.md`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.negation_words import with_base

__all__ = ["is_comparable", "is_plain", "plain_words", "weaker_word"]

#: Shorter statements have too few words to agree in, and longer ones are hardly ever copied.
_WORDS: Final = (3, 40)
_MOST_WORDS_OF_SENTENCE: Final = 120
_ARTICLES: Final = frozenset(("the", "a", "an"))
#: What can stand around a word that changes, without changing anything itself.
_AUXILIARY: Final = frozenset(
    "be is are was were been being has have had do does did to of it will would shall that".split()
)
_STRONG: Final = frozenset(
    "must shall will have_to has_to had_to need needs required always".split()
)
_POSSIBLE: Final = (
    "may might could can should possible able likely expected supposed planned intended almost "
    "nearly partly partially probably perhaps possibly reportedly allegedly apparently usually "
    "often sometimes rarely seldom generally mainly mostly seemingly presumably try tries tried "
    "trying attempt attempts attempted plan plans hope hopes hoped want wants wanted intend "
    "intends propose proposes proposed consider considers considered considering aim aims aimed "
    "promise promises promised threaten threatens threatened refuse refuses refused fail fails "
    "failed decline declines declined expect expects"
)
_WEAK: Final = frozenset(_POSSIBLE.split())
_NEARLY: Final = frozenset(("almost", "nearly"))
_PART: Final = frozenset("some most many several few half sometimes usually often mostly".split())
_WHOLE: Final = frozenset("all every each always whole entire everyone everybody".split())
#: A changed part of a sentence has at most so many words.
_MOST_CHANGED: Final = 5
#: So many parts of a sentence are compared with a statement at most.
_MOST_PARTS: Final = 25
#: So many words a part of a sentence may have more than the statement.
_MORE_WORDS: Final = 4


def weaker_word(statement: str, sentence: str) -> str | None:
    """Return the word of a sentence that the statement leaves out or replaces by a stronger one.

    "may" left out or replaced by "must", "almost" or "tried to" left out, "some" replaced by "all",
    or "would" left out, where the sentence has an "if":
    one such change, in a part of the sentence that has the statement's other words in their order.
    """
    stated, words = plain_words(statement), plain_words(sentence)
    if not is_comparable(stated, words):
        return None
    wanted = [word.stem for word in stated]
    # "It would be safe if it had been repaired."
    is_supposed = any(word.text == "if" for word in words)
    weak = _WEAK | {"would"} if is_supposed else _WEAK
    for part in _parts(wanted, words):
        changes = [
            change
            for change in Levenshtein.opcodes([word.stem for word in part], wanted)
            if change.tag != "equal"
        ]
        if not 1 <= len(changes) <= 2:  # "may be refunded" becomes "is refunded" by one or two
            continue
        left_out = [word for each in changes for word in part[each.src_start : each.src_end]]
        added = [word for each in changes for word in stated[each.dest_start : each.dest_end]]
        found = _weaker(left_out, added, weak)
        if found is not None:
            return found
    return None


def plain_words(text: str) -> list[Word]:
    """Return the words of a text without articles and marks, verbs with their base as the stem."""
    return list(_plain_words(text))


@lru_cache(maxsize=1_024)  # each rule compares the same sentences
def _plain_words(text: str) -> tuple[Word, ...]:
    return tuple(with_base(word) for word in words_of(text).words if is_plain(word))


def is_plain(word: Word) -> bool:
    """Whether a word is neither an article nor a mark."""
    return word.text[0].isalnum() and word.text not in _ARTICLES


def is_comparable(stated: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether a statement and a sentence are long enough to be compared, and not too long."""
    fewest, most = _WORDS
    return fewest <= len(stated) <= most and len(words) <= _MOST_WORDS_OF_SENTENCE


def _parts(wanted: Sequence[str], words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the parts of a sentence that begin and end as the statement does."""
    stems = [word.stem for word in words]
    starts = [at for at, stem in enumerate(stems) if stem == wanted[0]] or [
        at for at, stem in enumerate(stems[1:]) if stem == wanted[1]
    ]
    ends = [at + 1 for at, stem in enumerate(stems) if stem == wanted[-1]]
    # "Almost all" begins before "all".
    starts += [at - 1 for at in starts if at and words[at - 1].text in _NEARLY]
    parts = [
        words[start:end]
        for start in starts
        for end in ends
        if len(wanted) - 1 <= end - start <= len(wanted) + _MORE_WORDS
    ]
    yield from parts[:_MOST_PARTS]


def _weaker(
    left_out: Sequence[Word], added: Sequence[Word], weakening: frozenset[str]
) -> str | None:
    if max(len(left_out), len(added)) > _MOST_CHANGED:
        return None
    before, after = {word.text for word in left_out}, {word.text for word in added}
    if any(word.is_name for word in left_out):  # the month of May
        return None
    for weak, strong in ((_PART, _WHOLE), (weakening, frozenset[str]())):
        is_change = before & weak and not after & weak
        if strong and not after & strong:
            continue
        if is_change and before - weak <= _AUXILIARY and after - strong <= _AUXILIARY | _STRONG:
            return next(word.shown for word in left_out if word.text in weak)
    return None
