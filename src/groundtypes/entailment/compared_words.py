"""The words of a text as they are compared with those of another one.

English contractions are written out ("can't" is "can" and "not"), numbers are figures, and fixed
expressions are one word. Two words count as the same if they have the same stem, or a long common
beginning, such as "deliver" and "delivery".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import STOP_WORDS
from groundtypes.words import all_words, names_of

#: Joins the words of an expression; a letter that hardly any text has.
_JOINER: Final = "\u02cd"
_DENYING: Final = all_words("denies")
#: Words that deny; those of an expression of several words are joined with "_".
NEGATION: Final = frozenset(word.replace(" ", "_") for word in _DENYING)
_NUMBERS: Final = names_of("number in words")
_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_EXPRESSION: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(word for word in _DENYING if ' ' in word))})\b"
)
#: Only so many words of a text are compared, so that the work is bounded.
_MAX_WORDS: Final = 300
_MAX_CHARACTERS: Final = 3_000
#: Words with a common beginning of so many letters, and so few others, count as the same.
_COMMON_BEGINNING: Final = 5
_OTHER_LETTERS: Final = 4
_IRREGULAR: Final = {"won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not")}


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
    """The words of a text, in order."""

    def __init__(self, words: Iterable[Word]) -> None:
        """Keep the words."""
        self.words = tuple(words)

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of the content words."""
        return frozenset(word.stem for word in self.words if word.is_content)

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
    def negations(self) -> Mapping[str, str]:
        """The words that deny, each with its spelling."""
        return {word.text: word.shown for word in reversed(self.words) if word.text in NEGATION}


@lru_cache(maxsize=4_096)
def words_of(text: str) -> Words:
    """Return the words of a text, of at most its first 3,000 characters."""
    words: list[Word] = []
    text = text[:_MAX_CHARACTERS].replace("\u2019", "'")
    joined = _EXPRESSION.sub(lambda match: match[0].replace(" ", _JOINER), text)
    for match in _WORD.finditer(joined):
        words.extend(_words(match[0], is_first=not words))
        if len(words) >= _MAX_WORDS:
            break
    return Words(words[:_MAX_WORDS])


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
    words = [_word(lower, shown.partition("'")[0], may_be_name=not is_first)]
    if ending in ("ll", "ve", "re", "d", "m"):
        words.append(_function_word(ending, ending))
    return words


def _function_word(text: str, shown: str) -> Word:
    return Word(text, shown, text, is_content=False, is_name=False, is_number=False)


def _word(lower: str, shown: str, *, may_be_name: bool) -> Word:
    number = _NUMBERS.get(lower) or (lower.replace(",", "") if lower[0].isdigit() else None)
    if number is not None:
        return Word(lower, shown, number, is_content=True, is_name=False, is_number=True)
    stem = next(iter(terms(lower)), lower)
    is_content = STOP_WORDS.isdisjoint((lower, stem)) and lower not in NEGATION
    is_name = may_be_name and shown[0].isupper() and is_content
    return Word(lower, shown, stem, is_content, is_name, is_number=False)


def missing_from(there: frozenset[str], stated: frozenset[str]) -> frozenset[str]:
    """Return the stated stems that others lack, also in another form of the word."""
    others = stated - there
    return frozenset(stem for stem in others if not any(_is_form(stem, one) for one in there))


def _is_form(stem: str, other: str) -> bool:
    return (
        len(stem) >= _COMMON_BEGINNING
        and stem[:_COMMON_BEGINNING] == other[:_COMMON_BEGINNING]
        and abs(len(stem) - len(other)) <= _OTHER_LETTERS
        and not stem[0].isdigit()
    )
