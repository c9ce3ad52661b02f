"""The evidence for one statement: premises of a sentence, of several sentences, of one passage.

A passage of a hundred words hides the sentence that decides from a small model; a sentence alone
lacks what the text around it says, and a statement may combine several places. So a few premises of
each kind are selected. Equal texts are scored once: of a reference that is one sentence, all
premises are that sentence. Questions of the references that nothing answers are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.evidence.passage_index import (
    Passage,
    PassageIndex,
    select_passages,
    sentence_index,
)
from groundtypes.entailment.evidence.premises import Premise, compose_premise, said_at
from groundtypes.references import PerReferences, References
from groundtypes.text.bm25 import terms
from groundtypes.text.questions import asks, is_answer, stated

#: How many sentences are scored alone.
_SENTENCES: Final = 2
#: The characters of all evidence that is kept for a collection of references.
_MAX_CHARACTERS: Final = 8_000_000
#: How many more are looked at, as some may be questions.
_QUESTIONS: Final = 6
#: A sentence that begins like this refers to the one before it.
_LEANS: Final = re.compile(
    r"\W*(?:he|she|it|they|his|her|hers|its|their|theirs|this|that|these|those|such|there|then|"
    r"here|both|neither|either|otherwise|however|but|so|instead|also|too|another|the former|"
    r"the latter|the same|one of them|in that case)\b",
    re.IGNORECASE,
)
#: A list item, and a row of a table, which need the line above their list or table.
_ITEM: Final = re.compile(r"\s*(?:[-*\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s")
_ROW: Final = re.compile(r"[^\n]*(?:\||\t)")
#: How many items or rows above are skipped to find that line.
_MOST_ITEMS: Final = 40
#: A line of at most this many words without a closing mark is a heading.
_HEADING_WORDS: Final = 8
#: The longest line that is put in front of a sentence, in characters.
_MAX_INTRODUCTION: Final = 300


@dataclass(frozen=True, slots=True)
class Evidence:
    """The premises that are scored for one statement.

    Attributes:
        sentences: Those that are most similar to the statement, the closest first.
        composed: Several sentences that together have most words of the statement, if there are.
        passage: The most similar passage; `None` only if the references contain no text, or if it
            consists of questions.
    """

    sentences: tuple[Premise, ...]
    composed: Premise | None
    passage: Premise | None

    @property
    def premises(self) -> tuple[Premise, ...]:
        """All premises of distinct text: the sentences first, the passage last."""
        premises = (*self.sentences, self.composed, self.passage)
        distinct: dict[str, Premise] = {}
        for premise in premises:
            if premise is not None:
                distinct.setdefault(_on_one_line(premise.text), premise)
        return tuple(distinct.values())


#: The evidence that was selected last for each collection: each round of a validation asks for it.
_selected: Final = PerReferences(
    lambda _: BoundedCache[tuple[str, int], Evidence](max_weight=_MAX_CHARACTERS, weigh=_weigh)
)


def select_evidence(
    references: References, statement: str, max_sentences: int = _SENTENCES
) -> Evidence:
    """Return the evidence for a statement."""
    known, key = _selected(references), (statement, max_sentences)
    evidence = known.get(key)
    if evidence is None:
        evidence = _select_evidence(references, statement, max_sentences)
        known.put(key, evidence)
    return evidence


def _weigh(key: tuple[str, int], evidence: Evidence) -> int:
    statement, _ = key
    return len(statement) + sum(len(premise.text) for premise in evidence.premises)


def _select_evidence(references: References, statement: str, max_sentences: int) -> Evidence:
    passages = select_passages(references, statement, 1)
    if not passages:
        return Evidence((), None, None)
    sentences = tuple(_sentences(references, statement, max_sentences))
    several = len(sentence_index(references)) > 1
    composed = compose_premise(references, statement) if several else None
    passage = _premise(passages[0].text, passages[0])
    if sentences and references[passages[0].span.reference].structure is not None:
        passage = sentences[0]  # other rows would hide the one that decides
    return Evidence(sentences, composed, passage)


def _sentences(references: References, statement: str, count: int) -> Iterator[Premise]:
    """Yield the sentences that are most similar to a statement, each with what it needs."""
    index = sentence_index(references)
    statement_terms = frozenset(terms(statement))
    positions = index.most_similar_positions(statement, count + _QUESTIONS)
    # In long references, a sentence without a common word is an arbitrary one.
    if len(index) > count:
        positions = [
            position
            for position in positions
            if not statement_terms.isdisjoint(terms(index.text(position)))
        ]
    premises = (_sentence(index, position, statement_terms) for position in positions)
    yield from islice((premise for premise in premises if premise is not None), count)


def _sentence(
    index: PassageIndex, position: int, statement_terms: frozenset[str]
) -> Premise | None:
    """Return a sentence with what it needs; `None` for a question that nothing answers."""
    introduction = _introduction(index, position)
    if introduction is None:
        text, passages = said_at(index, position, statement_terms)
        quoted = "\n".join(passage.text for passage in passages)
        return Premise(text, passages, None if text == quoted else quoted) if text else None
    sentence = index.passage(position)
    return _premise(_on_one_line(f"{introduction.text} {sentence.text}"), introduction, sentence)


def _premise(quoted: str, *passages: Passage) -> Premise | None:
    text = stated(quoted)
    return Premise(text, passages, None if text == quoted else quoted) if text else None


def _introduction(index: PassageIndex, position: int) -> Passage | None:
    """Return the sentence that another one needs to be understood; `None` if it needs none."""
    if index.is_row(position):
        return None
    text = index.text(position)
    above = None
    if _ITEM.match(text):
        above = _line_above(index, position, _ITEM)
        if above is not None and not index.text(above).rstrip().endswith((":", "\uff1a")):
            above = None
    elif _ROW.match(text):
        above = _line_above(index, position, _ROW, first=True)
    elif _precedes(index, position) and (
        _LEANS.match(text)
        or _is_heading(before := index.text(position - 1))
        or (asks(before) and is_answer(before, text))
    ):
        above = position - 1
    if above is None or len(index.text(above)) > _MAX_INTRODUCTION:
        return None
    return index.passage(above)


def _line_above(
    index: PassageIndex, position: int, pattern: re.Pattern[str], *, first: bool = False
) -> int | None:
    """Return the position of the line above the lines that match, or of the first of them."""
    for _ in range(_MOST_ITEMS):
        if not _precedes(index, position):
            return position if first else None
        position -= 1
        if not pattern.match(index.text(position)):
            return position + 1 if first else position
    return None


def _precedes(index: PassageIndex, position: int) -> bool:
    """Whether the sentence before is of the same reference."""
    return position > 0 and index.number(position - 1) == index.number(position)


def _is_heading(text: str) -> bool:
    return len(text.split()) <= _HEADING_WORDS and not text.rstrip().endswith((".", "!", "?"))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
