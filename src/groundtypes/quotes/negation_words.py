"""The negations of each language, and the words that may stand between one and what it negates."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from groundtypes.text.characters import INVISIBLE
from groundtypes.words import words_of

#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing, unless something else tells the language.
AMBIGUOUS: Final = frozenset(words_of("ambiguous negation")["mul"])
#: The same in scripts without spaces, where a negation ends right before the quote.
SPACELESS_NEGATIONS: Final = tuple(
    word for words in words_of("negation before a word").values() for word in words
)
LATIN_NOT: Final = ("n't", "n\u2019t")
#: In many languages a second negation denies nothing: "Nul | ne sera tenu".
SECOND_NEGATIONS: Final = frozenset(words_of("second negation")["mul"])


def folded_word(word: str) -> str:
    """Return a word as it is compared with these lists."""
    if word.isascii():
        return word.lower()
    word = INVISIBLE.sub("", word)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


def _folded_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folded_word, words))


def _by_language(kind: str) -> dict[str, frozenset[str]]:
    listed = words_of(kind)
    return {code: _folded_words(listed.get(code, ())) for code in words_of("negation")}


#: Negations that are a whole answer, too: "Pets: no".
ANSWERS: Final = _folded_words(words_of("negation that answers")["mul"])
NEGATIONS: Final = _by_language("negation")
BETWEEN: Final = _by_language("between a negation and what it negates")
ANY_NEGATION: Final = frozenset().union(*NEGATIONS.values())
ANY_BETWEEN: Final = frozenset().union(*BETWEEN.values())
