"""The words of a statement laid beside those of a sentence: which have a partner, and where.

English contractions are written out ("can't" is "can" and "not"), numbers are figures, and fixed
expressions are one word. Two words are partners if they have the same stem, or a long common
beginning, such as "deliver" and "delivery".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from groundtypes.entailment.word_classes import (
    CONDITION,
    EXPRESSIONS,
    NEGATION,
    NUMBERS,
    QUANTIFIER,
)
from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS

__all__ = [
    "MAX_CHARACTERS",
    "MAX_WORDS",
    "AlignedSentence",
    "Word",
    "Words",
    "align",
    "words_of",
]

#: Joins the words of an expression; a letter that hardly any text has.
_JOINER: Final = "\u02cd"
_WORD: Final = re.compile(
    r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|[,;:()]|[\u2013\u2014]"
)
_EXPRESSION: Final = re.compile(rf"\b(?:{'|'.join(EXPRESSIONS)})\b")
#: Only so many words of a text are compared, so that the work is bounded.
MAX_WORDS: Final = 300
MAX_CHARACTERS: Final = 3_000
#: Words with a common beginning of so many letters, and so few others, are partners.
_COMMON_BEGINNING: Final = 5
_OTHER_LETTERS: Final = 4
_IRREGULAR: Final = {"won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not")}
#: Words that say nothing alone, in addition to the stop words.
_FUNCTION_WORDS: Final = STOP_WORDS.union(NEGATION, QUANTIFIER, CONDITION)
#: These words and marks separate the clauses of a sentence.
_CLAUSE_BREAKS: Final = frozenset(", ; : ( ) \u2013 \u2014 and but while whereas".split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is compared: in lower case, its stem, and whether it says something itself.

    `shown` is how the text spells it: "cannot" for both words of which it consists.
    """

    text: str
    shown: str
    stem: str
    is_content: bool
    is_name: bool
    is_number: bool


class Words:
    """The words of a text, in order; marks between clauses are words without a stem."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.words = tuple(words)

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of the content words."""
        return frozenset(word.stem for word in self.words if word.is_content)

    @cached_property
    def texts(self) -> frozenset[str]:
        """All words as they are written, in lower case."""
        return frozenset(word.text for word in self.words)

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """How the text spells each word, the first time."""
        return {word.text: word.shown for word in reversed(self.words)}

    @cached_property
    def spelling(self) -> Mapping[str, str]:
        """How the text spells each stem, the first time."""
        return {word.stem: word.shown for word in reversed(self.words)}

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers, as figures."""
        return frozenset(word.stem for word in self.words if word.is_number)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of the capitalised words that do not begin the text."""
        return frozenset(word.stem for word in self.words if word.is_name)

    @cached_property
    def clauses(self) -> tuple[int, ...]:
        """The number of the clause of each word."""
        numbers, number = [], 0
        for word in self.words:
            number += word.text in _CLAUSE_BREAKS
            numbers.append(number)
        return tuple(numbers)

    @cached_property
    def plain(self) -> str:
        """The words without marks, joined by spaces."""
        return " ".join(word.text for word in self.words if word.text[0].isalnum())


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    """A statement beside a sentence: `partners` maps positions of the one to those of the other.

    The region is the part of the sentence that belongs to the statement: from its first to its
    last word with a partner, with the rest of the clause on either side.
    """

    statement: Words
    sentence: Words
    partners: dict[int, int]
    region: range

    @property
    def share(self) -> float:
        """The share of the content words of the statement that have a partner; 1 without any."""
        positions = [at for at, word in enumerate(self.statement.words) if word.is_content]
        if not positions:
            return 1.0
        return sum(at in self.partners for at in positions) / len(positions)

    @property
    def region_texts(self) -> frozenset[str]:
        """The words in the region, as they are written."""
        return frozenset(self.sentence.words[at].text for at in self.region)


@lru_cache(maxsize=4_096)
def words_of(text: str) -> Words:
    """Return the words of a text, of at most its first 3,000 characters."""
    words: list[Word] = []
    text = text[:MAX_CHARACTERS].replace("\u2019", "'")
    joined = _EXPRESSION.sub(lambda match: match[0].replace(" ", _JOINER), text)
    for match in _WORD.finditer(joined):
        words.extend(_words(match[0], is_first=not words))
        if len(words) >= MAX_WORDS:
            break
    return Words(words[:MAX_WORDS])


def _words(token: str, *, is_first: bool) -> list[Word]:
    lower = token.lower()
    shown = token.replace(_JOINER, " ")
    if lower in _IRREGULAR:
        return [_function_word(part, shown) for part in _IRREGULAR[lower]]
    if lower.endswith("n't"):
        return [_function_word(part, shown) for part in (lower[:-3], "not") if part]
    if _JOINER in lower:
        return [_function_word(lower.replace(_JOINER, "_"), shown)]
    lower, _, ending = lower.partition("'")
    shown = shown.partition("'")[0]
    words = [_word(lower, shown, token[0].isupper() and not is_first)]
    if ending in ("ll", "ve", "re", "d", "m"):
        words.append(_function_word(ending, ending))
    return words


def _function_word(text: str, shown: str) -> Word:
    return Word(text, shown, text, is_content=False, is_name=False, is_number=False)


def _word(lower: str, shown: str, is_name: bool) -> Word:  # noqa: FBT001 # one of two kinds
    if is_name and lower == "may":
        lower = "may_"  # the month
    number = NUMBERS.get(lower) or (lower.replace(",", "") if lower[0].isdigit() else None)
    if number is not None:
        return Word(lower, shown, number, is_content=True, is_name=False, is_number=True)
    stem = next(iter(terms(lower)), lower)
    is_content = lower[0].isalnum() and lower not in _FUNCTION_WORDS and stem not in STOP_WORDS
    return Word(lower, shown, stem, is_content, is_name and is_content, is_number=False)


def align(statement: Words, sentence: Words) -> AlignedSentence:
    """Return a statement beside a sentence.

    A word of the statement gets the first partner after that of the content word before it, or else
    the first of all.
    """
    places: dict[str, list[int]] = {}
    for at, word in enumerate(sentence.words):
        if word.is_content:
            places.setdefault(word.stem, []).append(at)
    partners: dict[int, int] = {}
    used: set[int] = set()
    last = -1
    for at, word in enumerate(statement.words):
        if not word.is_content:
            continue
        found = places.get(word.stem) or _similar(word, places)
        free = [place for place in found if place not in used]
        if free:
            last = next((place for place in free if place > last), free[0])
            partners[at] = last
            used.add(last)
    return AlignedSentence(statement, sentence, partners, _region(sentence, used))


def _similar(word: Word, places: dict[str, list[int]]) -> list[int]:
    """Return the places of words that begin like this one."""
    stem = word.stem
    if word.is_number or len(stem) < _COMMON_BEGINNING:
        return []
    for other, found in places.items():
        if (
            other[:_COMMON_BEGINNING] == stem[:_COMMON_BEGINNING]
            and abs(len(other) - len(stem)) <= _OTHER_LETTERS
        ):
            return found
    return []


def _region(sentence: Words, used: set[int]) -> range:
    if not used:
        return range(0)
    clauses = sentence.clauses
    first, last = min(used), max(used)
    while first > 0 and clauses[first - 1] == clauses[first]:
        first -= 1
    while last + 1 < len(clauses) and clauses[last + 1] == clauses[last]:
        last += 1
    return range(first, last + 1)
