"""The clauses of a sentence, as they are compared with a statement.

A later clause often leaves out what an earlier one says: "The pool opens at 7, the sauna at 10."
Two such clauses are parallel: they contrast two things, and give each a number.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.word_classes import CONDITION, NEGATION

__all__ = [
    "ADVERBS",
    "DENYING",
    "LONGEST_RUN",
    "MOST_NUMBERS",
    "PREPOSITIONS",
    "SHARING",
    "Change",
    "Clause",
    "begin_alike",
    "changed_run",
    "clause_of",
    "clauses_of",
    "stand_alike",
]

PREPOSITIONS: Final = frozenset(
    "at by during for from in into of off on onto out per through to under until via with without "
    "within after before near behind above below over across between among against along around "
    "towards toward since".split()
)
DENYING: Final = frozenset((*NEGATION, *CONDITION)) - {"but"}
#: A sentence with one of these may say the same of several things.
SHARING: Final = frozenset(
    "also too likewise respectively same equal equally both either or so as well".split()
)
#: Words that begin a clause on the same thing: "The fee was 30, later 45."
ADVERBS: Final = frozenset(
    "later then now today tomorrow yesterday earlier before after since next soon again once "
    "formerly previously sometimes often occasionally usually perhaps maybe another others other "
    "plus minus including included only who whose which that where".split()
)
#: A run of words that differs has at most so many.
LONGEST_RUN: Final = 5
#: Clauses with more numbers are not compared, so that the work is bounded.
MOST_NUMBERS: Final = 4
_ARTICLES: Final = frozenset(("the", "a", "an"))
_COORDINATORS: Final = frozenset(("and", "but", "while", "whereas"))
#: Signs that are a part of a number's unit, in words, so that they are compared, too.
_SIGNS: Final = {
    "%": " percent ",
    "\u2030": " permille ",
    "\u20ac": " euro ",
    "$": " dollar ",
    "\u00a3": " pound ",
    "\u00a5": " yen ",
    "\u00b0": " degree ",
}
_SIGN: Final = re.compile("[" + re.escape("".join(_SIGNS)) + "]")
#: Other signs change a number, too; sentences with one are not compared.
_OTHER_SIGN: Final = re.compile(r"(?<!\w)[-\u2212+~](?=\d)|[<>=\u2248\u2264\u2265\u00b1/\u2212]")
#: Forms of a verb that agree with their subject.
_AGREEING: Final = {"has": "have", "is": "are", "was": "were", "does": "do"}
#: An opening part of a clause between a comma and the rest of it: "in Oslo, 31".
_LONGEST_OPENING: Final = 4
_MOST_CLAUSES: Final = 12
_MOST_CHARACTERS: Final = 1_500


class Clause:
    """The words of a clause without articles, and what they are compared by."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = tuple(words)
        self.keys = tuple(_AGREEING.get(word.text, word.stem) for word in words)
        self.texts = frozenset(word.text for word in words)
        self.numbers = tuple(at for at, word in enumerate(words) if word.is_number)

    def find(self, run: Sequence[str]) -> list[int]:
        """Return where a run of words begins."""
        size = len(run)
        return [
            at for at in range(len(self.keys) - size + 1) if self.keys[at : at + size] == tuple(run)
        ]

    def says_something(self, first: int, last: int) -> bool:
        """Whether a run has a content word; the month of May is one."""
        return any(word.is_content or word.text == "may_" for word in self.words[first:last])

    def shown(self, first: int, last: int) -> str:
        """Return how the text spells the first word of a run that says something."""
        words = self.words[first:last]
        return next((word.shown for word in words if word.is_content), words[0].shown)


class Change(NamedTuple):
    """The one run of words that differs: where it begins, and where it ends in either."""

    first: int
    last: int
    other_last: int

    @property
    def is_short(self) -> bool:
        """Whether either side has a few words."""
        lengths = self.last - self.first, self.other_last - self.first
        return all(0 < length <= LONGEST_RUN for length in lengths)


def changed_run(one: Sequence[str], other: Sequence[str]) -> Change:
    """Return the shortest run of words whose replacement makes the one of the other."""
    shorter = min(len(one), len(other))
    first = 0
    while first < shorter and one[first] == other[first]:
        first += 1
    same_end = 0
    while same_end < shorter - first and one[-1 - same_end] == other[-1 - same_end]:
        same_end += 1
    return Change(first, len(one) - same_end, len(other) - same_end)


def clause_of(text: str) -> Clause | None:
    """Return a statement as one clause; `None` if it has signs that are not compared."""
    words = _words(text)
    return None if words is None else Clause([word for word in words if word.text[0].isalnum()])


@lru_cache(maxsize=1_024)
def clauses_of(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence, of at most 12; none of one that is not compared."""
    words = _words(sentence)
    if words is None:
        return ()
    parts: list[list[Word]] = [[]]
    is_opening = False
    for word in words:
        is_mark = not word.text[0].isalnum()
        if not is_mark and word.text not in _COORDINATORS:
            if is_opening and word.text in PREPOSITIONS:
                parts.append([])
            is_opening = False
            parts[-1].append(word)
        elif parts[-1] and not is_opening:
            # "In Oslo, 31 cases were found."
            is_opening = word.text == "," and _is_opening(parts[-1])
            if not is_opening:
                parts.append([])
        elif parts[-1]:
            is_opening = False
            parts.append([])
    clauses = tuple(Clause(part) for part in parts if part)
    return clauses if len(clauses) <= _MOST_CLAUSES else ()


def stand_alike(one: Clause, change: Change, other: Clause, place: int) -> bool:
    """Whether two runs stand in the same place: at the beginning, or behind the same word.

    Two that end their clauses may begin with a preposition each: "in the morning", "at night".

    Args:
        one: A clause.
        change: The run of it, and how long the run of the other clause is.
        other: The other clause.
        place: Where the other run begins.
    """
    if change.first == 0 or place == 0:
        return change.first == place
    if one.keys[change.first - 1] == other.keys[place - 1]:
        return True
    end = place + change.other_last - change.first
    ends = change.last == len(one.keys) and end == len(other.keys)
    begin = one.words[change.first].text, other.words[place].text
    return ends and (PREPOSITIONS.issuperset(begin) or ADVERBS.issuperset(begin))


def begin_alike(one: Clause, other: Clause, first: int, place: int) -> bool:
    """Whether both of two runs begin with a preposition, or neither."""
    begin = one.words[first].text, other.words[place].text
    return len(PREPOSITIONS.intersection(begin)) in (0, len(set(begin)))


def _is_opening(part: Sequence[Word]) -> bool:
    return part[0].text in PREPOSITIONS and len(part) <= _LONGEST_OPENING


def _words(text: str) -> list[Word] | None:
    if len(text) > _MOST_CHARACTERS or _OTHER_SIGN.search(text):
        return None
    text = _SIGN.sub(lambda sign: _SIGNS[sign[0]], text)
    return [word for word in words_of(text).words if word.text not in _ARTICLES]
