"""Tuning rows with all that their evidence gives: the pairs of each sentence and their scores.

The sets are the texts and pairs to tune on, claims written for this project, and sentences of their
references word for word, denied, and changed in meaning. No benchmark reports any of them.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from corpora import nli_sets
from corpora.rag_answers import rag_answers
from corpora.written_claims import claim_sets
from groundtypes import NLIScores, Pair, References
from groundtypes.entailment.differences import Differences, differences_of
from groundtypes.entailment.evidence.passage_index import sentence_index
from groundtypes.entailment.questions import EntailmentQuestion, build_questions
from groundtypes.scoring import Label
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.sentences import sentence_spans
from training.meaning_changes import changed_in_meaning
from training.negations import negated
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILED, Row, tune_rows

__all__ = ["COPIED", "WRITTEN", "Example", "Judged", "answer_examples", "example_sets"]

_SEED: Final = 5
#: The two halves of the written claims, by domain.
WRITTEN: Final = ("written, one half", "written, other half")
#: The set of copied and changed sentences.
COPIED: Final = "copied"
_LABELS: Final = {
    ENTAILMENT: Label.ENTAILMENT,
    NEUTRAL: Label.NEUTRAL,
    CONTRADICTION: Label.CONTRADICTION,
    NOT_ENTAILED: None,
}
#: What kinds of written claims are to their references; of the others it is not known.
_KINDS: Final = {
    **dict.fromkeys(("negation", "number", "role_swap", "comparison"), Label.CONTRADICTION),
    **dict.fromkeys(("added_detail", "cause_not_stated", "world_knowledge"), Label.NEUTRAL),
}
Score = Callable[[Sequence[Pair]], Sequence[NLIScores]]


@dataclass(frozen=True)
class Judged:
    """A sentence with its evidence, the scores of the network, and what differs."""

    question: EntailmentQuestion
    scores: tuple[NLIScores, ...]
    differences: Differences


@dataclass(frozen=True)
class Example:
    """A text by its sentences; its label, `None` if all that is known is "not entailed"."""

    sentences: tuple[Judged, ...]
    label: Label | None

    @property
    def supported(self) -> bool:
        """Whether the references entail the text."""
        return self.label is Label.ENTAILMENT


@dataclass(frozen=True)
class _Text:
    references: tuple[str, ...]
    text: str | list[Hypothesis]
    question: str | None
    label: Label | None


def example_sets(data: Path, score: Score, most: int) -> dict[str, list[Example]]:
    """Return the sets, each with at most `most` texts; twice as many of written claims."""
    sets: dict[str, list[_Text]] = {}
    for name, split in nli_sets.TUNING_TEXTS.items():
        sets[name] = [
            _Text(row.references, row.text, row.question, _label(supported=row.supported))
            for row in nli_sets.labelled_texts(data, name, split, most)
        ]
    for name, rows in tune_rows(data).items():
        sets[name] = [_pair(row) for row in _drawn(rows, most)]
    halves = _written()
    for name, half in zip(WRITTEN, halves, strict=True):
        sets[name] = _drawn([text for text, _ in half], 2 * most)
    references = sorted({text for half in halves for _, texts in half for text in texts})
    sets[COPIED] = _drawn(list(_copied(_drawn(references, most))), 2 * most)
    return {name: list(_judge(texts, score)) for name, texts in sets.items()}


def answer_examples(data: Path, score: Score) -> list[Example]:
    """Return the RAG answers to tune on, each with all its sentences."""
    texts = (
        _Text(
            answer.references, answer.text, answer.question, _label(supported=answer.is_faultless)
        )
        for answer in rag_answers(data, "tune")
    )
    return list(_judge(list(texts), score))


def _drawn(rows: Sequence[Any], most: int) -> list[Any]:
    rng = random.Random(_SEED)
    return rng.sample(list(rows), min(most, len(rows)))


def _label(*, supported: bool) -> Label | None:
    return Label.ENTAILMENT if supported else None


def _pair(row: Row) -> _Text:
    sentence = [Hypothesis(row.hypothesis, 0, len(row.hypothesis))]
    return _Text((row.premise,), sentence, None, _LABELS[row.target])


def _written() -> list[list[tuple[_Text, tuple[str, ...]]]]:
    """Return the written claims of the domains to tune on, in two halves of distinct domains."""
    sets = claim_sets("tune")
    domains = sorted({claim_set.domain for claim_set in sets})
    halves: list[list[tuple[_Text, tuple[str, ...]]]] = [[], []]
    for claim_set in sets:
        for claim in claim_set.claims:
            label = Label.ENTAILMENT if claim.supported else _KINDS.get(claim.kind)
            # Only an answer is to be read together with its question.
            question = claim_set.question if claim.form == "answer" else None
            text = _Text(claim_set.references, claim.text, question, label)
            half = halves[domains.index(claim_set.domain) % 2]
            half.append((text, claim_set.references))
    return halves


def _copied(references: Iterable[str]) -> Iterator[_Text]:
    """Yield sentences of references: word for word, denied, and otherwise changed in meaning."""
    rng = random.Random(_SEED)
    for reference in references:
        sentences = [reference[start:end] for start, end in sentence_spans(reference)]
        sentence = rng.choice(sentences)
        yield _Text((reference,), sentence, None, Label.ENTAILMENT)
        row = Row(reference, sentence, ENTAILMENT, "copied")
        denied = [row for row in negated(rng, [row], 1) if row.premise == reference]
        changed = changed_in_meaning(rng, sentence, reference)
        if denied and rng.random() < 0.5:
            yield _Text((reference,), denied[0].hypothesis, None, Label.CONTRADICTION)
        elif changed is not None and changed[1] != ENTAILMENT:
            yield _Text((reference,), changed[0], None, _LABELS.get(changed[1]))


def _judge(texts: Sequence[_Text], score: Score) -> Iterator[Example]:
    asked = [
        build_questions(text.text, References.of(list(text.references)), text.question)
        for text in texts
    ]
    scores = iter(score([pair for questions in asked for each in questions for pair in each.pairs]))
    for text, questions in zip(texts, asked, strict=True):
        sentences = tuple(
            Judged(
                question,
                tuple(next(scores) for _ in question.evidence.premises),
                differences_of(
                    question.statement,
                    question.evidence,
                    sentence_index(question.references).lexical.__contains__,
                ),
            )
            for question in questions
            if question.evidence.premises
        )
        if sentences:
            yield Example(sentences, text.label)
