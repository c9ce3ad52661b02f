"""Which texts share their rarest words with a query: BM25 over an index that is built once.

Robertson and Zaragoza (2009), The Probabilistic Relevance Framework: BM25 and Beyond, with the
inverse document frequency of Lucene, which is never negative.
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Final

from groundtypes.text.characters import SPACELESS, WORD, fold

__all__ = ["LexicalIndex", "terms"]

_TERM: Final = re.compile(rf"\d+(?:[.,]\d+)+|{WORD}+|[{SPACELESS}]+")
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
_SATURATION: Final = 1.2
_LENGTH: Final = 0.75
#: A term that stands in more texts than this, and in more than this share of them, tells none from
#: another; leaving it out makes a query several times as fast.
_MANY: Final = 64
_COMMON: Final = 0.1
_LONG_WORD: Final = 60
_DOUBLED: Final = frozenset("bdfgmnprt")
#: Endings that look like a plural's and are none.
_NO_PLURAL: Final = ("ss", "us", "is")


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order: folded words, numbers, pairs of spaceless characters.

    Endings of English plurals and past and progressive forms are taken off, always in the same
    way, which need not be the right one.
    """
    found: list[str] = []
    for word in _TERM.findall(text):
        if not word.isascii() and _SPACELESS.match(word):
            pairs = [word[at : at + 2] for at in range(len(word) - 1)]
            found.extend(pairs or [word])
        # A word of characters that nobody sees is none.
        elif term := _term(word) if len(word) < _LONG_WORD else fold(word[:_LONG_WORD]):
            found.append(term)
    return found


@lru_cache(maxsize=16_384)
def _term(word: str) -> str:
    folded = fold(word)
    if folded[:1].isdigit():
        return folded.replace(",", "")
    return _stem(folded) if folded.isascii() and folded.isalpha() else folded


def _stem(word: str) -> str:
    """Return an English word without the ending of a plural, a past or a progressive form."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURAL):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    # "named" lost its "e" with its ending, so "name" loses it too.
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


class LexicalIndex:
    """An immutable index of texts by their terms."""

    __slots__ = ("_postings", "_size")

    def __init__(self, texts: Sequence[str]) -> None:
        """Read the texts once."""
        self._size = len(texts)
        places: dict[str, tuple[array[int], array[int]]] = {}
        lengths = array("d")
        for number, text in enumerate(texts):
            counts = Counter(terms(text))
            lengths.append(float(counts.total()))
            for term, count in counts.items():
                numbers, amounts = places.setdefault(term, (array("I"), array("I")))
                numbers.append(number)
                amounts.append(count)
        average = (math.fsum(lengths) / self._size or 1.0) if self._size else 1.0
        penalties = [_SATURATION * (1 - _LENGTH + _LENGTH * length / average) for length in lengths]
        #: term -> its weight, the numbers of its texts, and what it adds to the score of each.
        self._postings: dict[str, tuple[float, array[int], array[float]]] = {}
        while places:
            term, (numbers, amounts) = places.popitem()
            weight = self._weight(len(numbers))
            if weight:
                impacts = array(
                    "d",
                    (
                        weight * amount * (_SATURATION + 1) / (amount + penalties[number])
                        for number, amount in zip(numbers, amounts, strict=True)
                    ),
                )
                self._postings[term] = (weight, numbers, impacts)

    def __len__(self) -> int:
        return self._size

    def _weight(self, count: int) -> float:
        if count > max(_MANY, _COMMON * self._size):
            return 0.0
        return math.log(1 + (self._size - count + 0.5) / (count + 0.5))

    def weight(self, term: str) -> float:
        """Return how much a term tells, more the rarer it is; 0 where it stands nowhere."""
        held = self._postings.get(term)
        return held[0] if held else 0.0

    def best(self, query: str, count: int) -> list[int]:
        """Return the positions of the texts most like a query, best first.

        Texts that are as like it stand in their order; so do those that share no term with it,
        which come last.
        """
        return self.best_of_terms(dict.fromkeys(terms(query)), count)

    def best_of_terms(self, wanted: Iterable[str], count: int) -> list[int]:
        """Return what `best` returns, for terms that each stand once."""
        scores: dict[int, float] = {}
        known: Callable[[int, float], float] = scores.get
        for term in wanted:
            held = self._postings.get(term)
            if held is not None:
                for number, impact in zip(held[1], held[2], strict=True):
                    scores[number] = known(number, 0.0) + impact
        count = min(count, self._size)
        best = nsmallest(count, ((-score, number) for number, score in scores.items()))
        found = [number for _, number in best]
        rest = (number for number in range(self._size) if number not in scores)
        while len(found) < count:
            found.append(next(rest))
        return found
