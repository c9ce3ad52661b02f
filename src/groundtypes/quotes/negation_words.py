"""The negations, restrictions and exceptions of each language, and in which one a word is one.

"No" negates what follows it in Spanish, and not in Portuguese.
"""

import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Final, NamedTuple

from groundtypes.text.characters import INVISIBLE
from groundtypes.text.language_detection import is_plainly_english, likeliest_language
from groundtypes.words import all_words, named_words, words_of

#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing, unless something else tells the language.
AMBIGUOUS: Final = all_words("ambiguous negation")
LATIN_NOT: Final = "n't"
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
    word = INVISIBLE.sub("", word).replace("\u2019", "'")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


#: Negations that are a whole answer, too: "Pets: no".
ANSWERS: Final = frozenset(map(folded_word, all_words("negation that answers")))
NEGATIONS: Final = {
    code: frozenset(map(folded_word, words)) for code, words in words_of("negation").items()
}
BETWEEN: Final = {
    code: frozenset(
        map(folded_word, words_of("between a negation and what it negates").get(code, ()))
    )
    for code in NEGATIONS
}
ANY_NEGATION: Final = frozenset().union(*NEGATIONS.values())
ANY_BETWEEN: Final = frozenset().union(*BETWEEN.values())


#: Words behind a negation that leave what is before it as it is: "not only".
ONLY: Final = frozenset(map(folded_word, all_words("restriction that begins a clause")))
#: Of languages in which a negation belongs to an auxiliary verb before it, the auxiliary verbs.
AUXILIARIES: Final = {
    code: frozenset((*words, *words_of("modal").get(code, ())))
    for code, words in words_of("auxiliary").items()
}


class Phrase(NamedTuple):
    """Words that turn or restrict what stands beside them, and in which languages.

    They may do so only where they begin a clause ("Only members may enter") or before a number
    ("under 5 minutes"). Behind other words they may be a negation of the same clause.
    """

    words: tuple[str, ...]
    codes: frozenset[str]
    begins: bool = False
    counts: bool = False
    negates: bool = False


def _phrases(kind: str, *, begins: bool = False, negates: bool = False) -> list[Phrase]:
    codes: dict[tuple[str, ...], set[str]] = {}
    for code, listed in words_of(kind).items():
        for phrase in listed:
            codes.setdefault(tuple(map(folded_word, phrase.split())), set()).add(code)
    counts = kind in ("less", "at most")
    return [
        Phrase(words, frozenset(of), begins, counts and len(words) == 1, negates)
        for words, of in codes.items()
    ]


#: Negations that may end a clause, some words behind what they negate.
NEGATIONS_AT_END: Final = {
    phrase.words[0]: phrase for phrase in _phrases("negation at the end of a clause")
}


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
    for phrase in (
        *_phrases("restriction behind"),
        *_phrases("negation behind", negates=True),
    ):
        by_word.setdefault(phrase.words[0], []).append(phrase)
    return by_word


#: So much of the text on both sides of a quote tells the language.
_REACH: Final = 60
#: Words that begin before this letter are Latin.
_FIRST_NOT_LATIN: Final = "\u0370"
#: The languages that are told apart: those with negations, and neighbours.
_LANGUAGES: Final = (*NEGATIONS, "hr", "is", "lt", "lv", "sl")
#: Words before a noun that is also a negation ("le pas de la porte"), and the first halves without
#: which second halves are no negations ("weder" and "noch").
_BEFORE_NOUNS: Final = frozenset(named_words("no negation behind"))
_FIRST_HALVES: Final = frozenset(named_words("negation only after"))


def languages_of_negation(
    negation: str, text: str, start: int, quote: int, codes: Collection[str] | None = None
) -> list[str]:
    """Return the languages that the text may be in and in which the word at `start` negates.

    `quote` is where the quote beside it begins or ends, `codes` are the languages in which the word
    negates, by default those of the lists.
    """
    own = [code for code, words in NEGATIONS.items() if negation in words]
    own = own if codes is None else sorted(codes)
    nearby = text[max(0, quote - _REACH) : quote + _REACH]
    if "en" in own and is_plainly_english(nearby):
        return ["en"]
    if negation[0] < _FIRST_NOT_LATIN:
        language = likeliest_language(nearby, _LANGUAGES)
        if language is None:
            return [] if negation in AMBIGUOUS else own
        own = [code for code in own if code == language]
    before = text[max(0, start - _REACH) : start].lower().split()
    return [
        code
        for code in own
        if (negation, code, "".join(before[-1:])) not in _BEFORE_NOUNS
        and all(
            word in before for name, of, word in _FIRST_HALVES if (name, of) == (negation, code)
        )
    ]


def is_of_language(phrase: Phrase, text: str, start: int, quote: int) -> bool:
    """Whether a text is in a language of a phrase; several words are in no other one."""
    if len(phrase.words) > 1:
        return True
    return bool(languages_of_negation(phrase.words[0], text, start, quote, phrase.codes))
