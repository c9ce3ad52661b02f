"""BM25: ranks texts by the words that they share with a query, of which rare ones count more.

Robertson and Zaragoza (2009), The Probabilistic Relevance Framework: BM25 and Beyond, with the
inverse document frequency of Lucene, which is never negative. The index is built once.
"""

import math
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from heapq import nsmallest
from typing import Final

from groundtypes.text.characters import SPACELESS, WORD, fold

_TERM: Final = re.compile(rf"\d+(?:[.,]\d+)+|{WORD}+|[{SPACELESS}]+")
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
#: The parameters k1 and b of BM25: how fast repetitions of a term saturate, and how much the length
#: of a text counts.
_K1: Final = 1.2
_B: Final = 0.75
#: A term that occurs in more texts than both limits hardly distinguishes them; without such terms a
#: query is several times as fast.
_COMMON_TEXTS: Final = 64
_COMMON_SHARE: Final = 0.1
#: Longer words are cut, and not stemmed.
_LONGEST_WORD: Final = 60
#: So many words are remembered with their terms.
_MAX_KNOWN: Final = 16_384
#: Consonants that are doubled before "-ing" and "-ed".
_DOUBLED: Final = frozenset("bdfgmnprt")
#: Words with these endings are not plurals, although they end with an s.
_NO_PLURAL: Final = ("ss", "us", "is")


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order: folded words, numbers, pairs of spaceless characters.

    The endings of English plurals, past and progressive forms are removed. This is done in the same
    way everywhere, and need not be right for every word.
    """
    words: list[str] = _TERM.findall(text)
    if text.isascii():
        return list(map(_TERMS.__getitem__, words))
    all_terms: list[str] = []
    for word in words:
        if not word.isascii() and _SPACELESS.match(word):
            pairs = [word[at : at + 2] for at in range(len(word) - 1)]
            all_terms.extend(pairs or [word])
        # A word of invisible characters has no term.
        elif term := _TERMS[word]:
            all_terms.append(term)
    return all_terms


class _TermsOfWords(dict[str, str]):
    """Word -> its term. Words are added when they are looked up; all are dropped at the limit."""

    def __missing__(self, word: str) -> str:
        if len(word) >= _LONGEST_WORD:
            return fold(word[:_LONGEST_WORD])
        term = _term(word)
        if len(self) >= _MAX_KNOWN:
            self.clear()
        self[word] = term
        return term


_TERMS: Final = _TermsOfWords()


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

    __slots__ = ("_common", "_postings", "_size")

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts by their terms; a text is identified by its position in `texts`."""
        self._size = len(texts)
        #: term -> the number of its text, once for each time that it occurs there.
        occurrences: defaultdict[str, list[int]] = defaultdict(list)
        lengths = array("d")
        for number, text in enumerate(texts):
            text_terms = terms(text)
            lengths.append(float(len(text_terms)))
            for term in text_terms:
                occurrences[term].append(number)
        average = (math.fsum(lengths) / self._size or 1.0) if self._size else 1.0
        penalties = array("d", (_K1 * (1 - _B + _B * length / average) for length in lengths))
        #: term -> its weight, the numbers of its texts, and what it adds to the score of each.
        self._postings: dict[str, tuple[float, Sequence[int], Sequence[float]]] = {}
        #: The terms that are left out because most texts have them.
        self._common: set[str] = set()
        weight_of_one = self._inverse_document_frequency(1)
        while occurrences:
            term, numbers = occurrences.popitem()
            if len(numbers) == 1 and weight_of_one:  # most terms
                impact = weight_of_one * (_K1 + 1) / (1 + penalties[numbers[0]])
                self._postings[term] = (weight_of_one, (numbers[0],), (impact,))
                continue
            counts = Counter(numbers)
            weight = self._inverse_document_frequency(len(counts))
            if weight:
                impacts = [
                    weight * count * (_K1 + 1) / (count + penalties[number])
                    for number, count in counts.items()
                ]
                self._postings[term] = (weight, array("I", counts), array("d", impacts))
            else:
                self._common.add(term)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, term: str) -> bool:
        return term in self._postings or term in self._common

    def _inverse_document_frequency(self, count: int) -> float:
        """Return the weight of a term that occurs in `count` texts; 0 for a very common one."""
        if count > max(_COMMON_TEXTS, _COMMON_SHARE * self._size):
            return 0.0
        return math.log(1 + (self._size - count + 0.5) / (count + 0.5))

    def weight(self, term: str) -> float:
        """Return the weight of a term: the rarer, the larger; 0 where it occurs nowhere."""
        posting = self._postings.get(term)
        return posting[0] if posting else 0.0

    def best(self, query: str, count: int) -> list[int]:
        """Return the positions of the texts most like a query, best first.

        Texts of equal score are in their order. Those that share no term with the query come last.
        """
        return self.best_of_terms(dict.fromkeys(terms(query)), count)

    def best_of_terms(self, query_terms: Iterable[str], count: int) -> list[int]:
        """Return what `best` returns, for the distinct terms of a query."""
        scores: dict[int, float] = {}
        score_of: Callable[[int, float], float] = scores.get
        for term in query_terms:
            posting = self._postings.get(term)
            if posting is not None:
                for number, impact in zip(posting[1], posting[2], strict=True):
                    scores[number] = score_of(number, 0.0) + impact
        count = min(count, self._size)
        ranked = nsmallest(count, ((-score, number) for number, score in scores.items()))
        best = [number for _, number in ranked]
        without_score = (number for number in range(self._size) if number not in scores)
        while len(best) < count:
            best.append(next(without_score))
        return best
