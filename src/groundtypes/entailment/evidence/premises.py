"""Premises of NLI pairs: a passage with the user's question in front, or several sentences."""

import math
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.entailment.evidence.passage_index import Passage, PassageIndex, sentence_index
from groundtypes.references import References, Span
from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import content_terms
from groundtypes.text.questions import has_question, stated
from groundtypes.text.sentences import sentence_spans

#: How many characters of the user's question are put in front of a premise, at most.
_MAX_QUESTION: Final = 300
#: How many sentences are considered for a composed premise.
_CANDIDATES: Final = 32
#: The share of the weight of all words of the hypothesis that each further sentence must add.
_MIN_GAIN: Final = 0.05
#: The longest composed premise, in characters.
_MAX_COMPOSED: Final = 1_200


@dataclass(frozen=True, slots=True)
class Premise:
    """A premise, and the sentences or the passage that it consists of.

    `quoted` are the words of the references, if the premise says them without questions.
    """

    text: str
    passages: tuple[Passage, ...]
    quoted: str | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the parts of the premise are in the references."""
        return tuple(passage.span for passage in self.passages)

    def most_similar(self, text: str) -> Span:
        """Return where the part is that shares most words with a text."""
        wanted = content_terms(text)
        return max(self.passages, key=lambda part: len(wanted & content_terms(part.text))).span


def compose_premise(
    references: References, hypothesis: str, max_sentences: int = 4
) -> Premise | None:
    """Return the few sentences that together cover most words of a hypothesis, as one premise.

    A claim may combine facts from several references, so the sentences may come from several. The
    search is greedy: the next sentence is the one that adds most words that are not covered yet,
    weighted by their rarity, and it stops when a sentence would add too little. The result is
    `None` if no sentence has a word of the hypothesis that is rare enough to count.
    """
    index = sentence_index(references)
    positions = _covering_sentences(index, hypothesis, max_sentences)
    if not positions:
        return None
    wanted = frozenset(terms(hypothesis))
    sentences = []
    for position in positions:
        text, [first, *_] = said_at(index, position, wanted)
        sentences.append(replace(first, text=text))
    text = " ".join(" ".join(sentence.text.split()) for sentence in sentences)
    return Premise(text, tuple(sentences))


def said_at(
    index: PassageIndex, position: int, statement_terms: frozenset[str]
) -> tuple[str, tuple[Passage, ...]]:
    """Return what a sentence says of a statement, and the passages that it is from.

    A question says something with the answer that follows it; `""` if nothing answers it.
    """
    text, last = index.with_answer(position)
    if index.is_row(position):
        # Without its other cells, a question would have no answer.
        whole = stated(text) != text
        row = index.passage(position) if whole else index.passage_about(position, statement_terms)
        return stated(row.text), (row,)
    return stated(text), tuple(index.passage(at) for at in range(position, last + 1))


def _covering_sentences(index: PassageIndex, hypothesis: str, max_sentences: int) -> list[int]:
    """Return the positions of the sentences that cover the hypothesis, in ascending order."""
    weights = {term: index.lexical.weight(term) for term in terms(hypothesis)}

    def weight(covered: set[str]) -> float:
        # `fsum` rounds once, so that the sum does not depend on the order of the set, which differs
        # from process to process.
        return math.fsum(weights[term] for term in covered)

    uncovered = {term for term, weight in weights.items() if weight > 0}
    min_gain = _MIN_GAIN * sum(weights.values())
    candidates = {
        position: uncovered.intersection(terms(index.text(position)))
        for position in index.lexical.best_of_terms(sorted(uncovered), _CANDIDATES)
        if not has_question(index.text(position)) or said_at(index, position, frozenset())[0]
    }
    chosen: list[int] = []
    characters_left = _MAX_COMPOSED
    while uncovered and candidates and len(chosen) < max_sentences:
        # On a tie `max` returns the first, which is the most similar to the hypothesis.
        position = max(candidates, key=lambda position: weight(candidates[position]))
        gained = candidates.pop(position) & uncovered
        if not gained or weight(gained) < min_gain:
            break
        length = len(index.text(position))
        if length > characters_left:
            continue
        characters_left -= length
        chosen.append(position)
        uncovered -= gained
        candidates = {position: covered & uncovered for position, covered in candidates.items()}
    return sorted(chosen)


def premise_with_question(user_question: str | None, premise: str) -> str:
    """Return the premise with the user's question on a line of its own in front.

    A question of more than 300 characters is cut to whole sentences at its end, because what is
    asked is usually at the end.
    """
    if user_question is None or not (question := user_question.strip()):
        return premise
    if len(question) > _MAX_QUESTION:
        question = _last_sentences(question)
    return f"{' '.join(question.split())}\n{premise}"


def _last_sentences(user_question: str) -> str:
    """Return the last sentences that fit into 300 characters, or the end of the last sentence."""
    tail = user_question[-4 * _MAX_QUESTION :]
    spans = sentence_spans(tail)
    begin = spans[-1][0]
    for start, _ in reversed(spans):
        if len(tail) - start > _MAX_QUESTION:
            break
        begin = start
    return tail[begin:][-_MAX_QUESTION:].strip()
