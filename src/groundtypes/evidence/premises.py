"""From references to premises: the few passages that may decide a hypothesis.

A collection of references is cut into passages and indexed once, when a premise is first selected
from it, and then for as long as it lives; collections of the same content are one object.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

from groundtypes.references import PerReferences, References, Span
from groundtypes.text.bm25 import LexicalIndex, terms
from groundtypes.text.chunks import passage_spans
from groundtypes.text.sentences import sentence_spans

__all__ = [
    "ComposedPremise",
    "Premise",
    "composed_premise",
    "question_premise",
    "select_premises",
]

#: The end of a question that stands in front of a premise has at most so many characters.
_QUESTION: Final = 300
#: The sentences from which a premise is composed are chosen among so many.
_CANDIDATES: Final = 32
#: What a sentence must add of the weight of all words, and the characters of all sentences.
_LEAST_GAIN: Final = 0.05
_COMPOSED: Final = 1_200


@dataclass(frozen=True, slots=True)
class Premise:
    """A passage of a reference, cut out by its span."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class ComposedPremise:
    """Sentences from here and there, in the order of the references."""

    text: str
    parts: tuple[Premise, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where each of the sentences stands."""
        return tuple(part.span for part in self.parts)


def select_premises(references: References, hypothesis: str, count: int = 5) -> list[Premise]:
    """Return the passages of all references that are most like a hypothesis, best first.

    Those are at most `count`, and all of them where there are no more. A passage that says word
    for word the same as another is returned once.

    Raises:
        ValueError: `count` is not positive.
    """
    if count < 1:
        raise ValueError(f"select at least one premise, not {count}")
    return _cut(references).passages.best(hypothesis, count)


def composed_premise(
    references: References, hypothesis: str, sentences: int = 4
) -> ComposedPremise | None:
    """Return the few sentences that together say most words of a hypothesis, as one premise.

    They may stand in several references, for a claim that was merged from them. Each sentence is
    the one that adds most of what the others lack, rare words counting more; where a sentence adds
    nothing, there are fewer. `None`: no sentence has a word of the hypothesis that tells anything.
    """
    held = _cut(references).sentences
    parts = tuple(held.premise(position) for position in held.covering(hypothesis, sentences))
    if not parts:
        return None
    return ComposedPremise(" ".join(" ".join(part.text.split()) for part in parts), parts)


def question_premise(question: str | None, premise: str) -> str:
    """Return the premise with the question on its own line in front.

    Of a long question only the end stands there: whole sentences of at most 300 characters in
    all, for a question ends with what is asked.
    """
    if question is None or not (asked := question.strip()):
        return premise
    if len(asked) > _QUESTION:
        tail = asked[-4 * _QUESTION :]
        spans = sentence_spans(tail)
        begin = spans[-1][0]
        for start, _ in reversed(spans):
            if len(tail) - start > _QUESTION:
                break
            begin = start
        asked = tail[begin:][-_QUESTION:].strip()
    return f"{' '.join(asked.split())}\n{premise}"


class _Stretches:
    """Stretches of all references, in order."""

    def __init__(
        self, references: "_Texts", cut: Callable[[str], Sequence[tuple[int, int]]]
    ) -> None:
        self._ids, self._texts = references
        self._places = [
            (number, start, end)
            for number, text in enumerate(self._texts)
            for start, end in cut(text)
        ]

    @cached_property
    def index(self) -> LexicalIndex:
        """The index, which a single stretch does without."""
        return LexicalIndex(list(map(self.text, range(len(self._places)))))

    def text(self, position: int) -> str:
        """Return the words of a stretch."""
        number, start, end = self._places[position]
        return self._texts[number][start:end]

    def premise(self, position: int) -> Premise:
        """Return a stretch with its place."""
        number, start, end = self._places[position]
        return Premise(self.text(position), Span(self._ids[number], start, end))

    def best(self, hypothesis: str, count: int) -> list[Premise]:
        """Return the stretches most like a hypothesis, best first, none twice."""
        if len(self._places) == 1:
            return [self.premise(0)]
        wanted = count
        while True:
            positions = self.index.best(hypothesis, wanted)
            # The first of those that say the same stays.
            distinct = {self.text(position): position for position in reversed(positions)}
            if len(distinct) >= count or wanted >= len(self._places):
                kept = set(distinct.values())
                chosen = [position for position in positions if position in kept]
                return list(map(self.premise, chosen[:count]))
            wanted *= 4

    def covering(self, hypothesis: str, count: int) -> list[int]:
        """Return the stretches that together have most words of a hypothesis, in their order."""
        weights = {term: self.index.weight(term) for term in terms(hypothesis)}
        open_terms = {term for term, weight in weights.items() if weight > 0}
        least = _LEAST_GAIN * sum(weights.values())
        candidates = {
            position: open_terms.intersection(terms(self.text(position)))
            for position in self.index.best_of_terms(sorted(open_terms), _CANDIDATES)
        }
        chosen: list[int] = []
        room = _COMPOSED
        while open_terms and candidates and len(chosen) < count:
            # On a tie the first in the order of the index, which is the one most like it.
            position = max(
                candidates, key=lambda one: sum(weights[term] for term in candidates[one])
            )
            gained = candidates.pop(position) & open_terms
            if not gained or sum(weights[term] for term in gained) < least:
                break
            if len(self.text(position)) > room:
                continue
            room -= len(self.text(position))
            chosen.append(position)
            open_terms -= gained
            candidates = {one: held & open_terms for one, held in candidates.items()}
        return sorted(chosen)


_Texts = tuple[tuple[str, ...], tuple[str, ...]]


class _Cut:
    """The passages and the sentences of a collection, each cut when first asked for."""

    def __init__(self, references: References) -> None:
        # Not the references: what holds its own key in a weak dictionary never leaves it.
        self._texts: _Texts = (references.ids, references.texts)
        self._lock = Lock()
        self._passages: _Stretches | None = None
        self._sentences: _Stretches | None = None

    @property
    def passages(self) -> _Stretches:
        """The passages of all references."""
        with self._lock:
            if self._passages is None:
                self._passages = _Stretches(self._texts, passage_spans)
            return self._passages

    @property
    def sentences(self) -> _Stretches:
        """The sentences of all references."""
        with self._lock:
            if self._sentences is None:
                self._sentences = _Stretches(self._texts, sentence_spans)
            return self._sentences


_cut: Final = PerReferences(_Cut)
