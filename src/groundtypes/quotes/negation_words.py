"""The negations, restrictions and exceptions of each language, as they are found beside a quote."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from groundtypes.text.characters import INVISIBLE
from groundtypes.words import all_words, words_of

#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing, unless something else tells the language.
AMBIGUOUS: Final = all_words("ambiguous negation")
LATIN_NOT: Final = ("n't", "n\u2019t")
#: In many languages a second negation denies nothing: "Nul | ne sera tenu".
SECOND_NEGATIONS: Final = all_words("second negation")
#: Negations in scripts without spaces, which end right before the quote.
_NEGATIONS_BEFORE: Final = all_words("negation before a word")
SPACELESS_NEGATIONS: Final = tuple(_NEGATIONS_BEFORE | all_words("restriction before a word"))
SPACELESS_AT_START: Final = tuple(all_words("restriction before a word that begins a clause"))
SPACELESS_BEHIND: Final = tuple(all_words("restriction behind a word"))


def folded_word(word: str) -> str:
    """Return a word as it is compared with these lists."""
    if word.isascii():
        return word.lower()
    word = INVISIBLE.sub("", word)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


def _folded_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folded_word, words))


#: Negations that are a whole answer, too: "Pets: no".
ANSWERS: Final = _folded_words(all_words("negation that answers"))
NEGATIONS: Final = {code: _folded_words(words) for code, words in words_of("negation").items()}
BETWEEN: Final = {
    code: _folded_words(words_of("between a negation and what it negates").get(code, ()))
    for code in NEGATIONS
}
ANY_NEGATION: Final = frozenset().union(*NEGATIONS.values())
ANY_BETWEEN: Final = frozenset().union(*BETWEEN.values())


class Phrase(NamedTuple):
    """Words that turn or restrict what stands beside them.

    Attributes:
        words: The folded words.
        codes: The languages in which they do.
        begins: Whether they do so only where they begin a clause: "Only members may enter".
        counts: Whether they do so only before a number: "under 5 minutes".
    """

    words: tuple[str, ...]
    codes: frozenset[str]
    begins: bool = False
    counts: bool = False


def _phrases(kind: str, *, begins: bool = False) -> list[Phrase]:
    codes: dict[tuple[str, ...], set[str]] = {}
    for code, listed in words_of(kind).items():
        for phrase in listed:
            codes.setdefault(tuple(map(folded_word, phrase.split())), set()).add(code)
    counts = kind in ("less", "at most")
    return [
        Phrase(words, frozenset(of), begins=begins, counts=counts and len(words) == 1)
        for words, of in codes.items()
    ]


@cache
def phrases_before() -> dict[str, list[Phrase]]:
    """Return the phrases that turn or restrict what follows them, by their last words."""
    phrases = [
        *_phrases("negating phrase"),
        *_phrases("restriction"),
        *_phrases("less"),
        *_phrases("at most"),
        *_phrases("restriction that begins a clause", begins=True),
    ]
    by_word: dict[str, list[Phrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        by_word.setdefault(phrase.words[-1], []).append(phrase)
    return by_word


@cache
def phrases_behind() -> dict[str, list[Phrase]]:
    """Return the phrases that turn or restrict what precedes them, by their first words."""
    by_word: dict[str, list[Phrase]] = {}
    for phrase in _phrases("restriction behind"):
        by_word.setdefault(phrase.words[0], []).append(phrase)
    return by_word
