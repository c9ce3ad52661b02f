"""What decides on a statement whatever the scores of its evidence are.

A small model sees that all words of a statement are there, and overlooks whose value it has, or
what is denied. Each rule is narrow and was counted on written claims (`docs/entailment.md`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.changed_words import weaker_word
from groundtypes.entailment.clause_numbers import number_of_another_clause
from groundtypes.entailment.closed_classes import other_of_class
from groundtypes.entailment.completed_clauses import is_completed_clause
from groundtypes.entailment.copied_sentences import is_copied
from groundtypes.entailment.differences import Differences
from groundtypes.entailment.exchanged_words import exchanged_words
from groundtypes.entailment.opposite_words import excepted, not_only, opposite_words
from groundtypes.entailment.other_doers import other_doer
from groundtypes.entailment.questions import EntailmentQuestion
from groundtypes.entailment.reasons import (
    MainDifference,
    denied,
    exchange,
    in_exchanged_places,
    left_out,
    nothing_said,
    opposite,
    unsaid,
)
from groundtypes.entailment.reported_speech import only_reported
from groundtypes.entailment.unsaid_denials import denies_unsaid, is_unknown, says_nothing
from groundtypes.scoring import Label, NLIScores
from groundtypes.text.sentences import sentence_spans

__all__ = [
    "Ruling",
    "entailed_as_copied",
    "ruling",
    "without_contradiction",
    "without_entailment",
]


class Ruling(NamedTuple):
    """That a statement is not entailed, whether it is contradicted, and why if it is known."""

    contradicts: bool
    reason: MainDifference | None


def ruling(
    question: EntailmentQuestion, differences: Differences, scores: NLIScores
) -> Ruling | None:
    """Return what is decided of a statement; `None` if the scores of all its evidence decide."""
    if differences.exchanged is not None:
        return Ruling(contradicts=True, reason=exchange(differences.exchanged))
    if (denial := differences.denials.found) is not None:
        return Ruling(denial.contradicts, denied(denial))
    values = differences.values
    words = words_of(question.statement)
    if says_nothing(words) and question.user_question is None:
        is_copied_number = bool(words.numbers) and values["contained"] > 0
        if is_copied_number or entailed_as_copied(question):
            return None
        return Ruling(contradicts=False, reason=nothing_said())
    texts = [grain.text for grain in question.evidence.grains]
    sentences = sorted({text[start:end] for text in texts for start, end in sentence_spans(text)})
    if (verb := only_reported(question.statement, sentences)) is not None:
        return Ruling(contradicts=False, reason=left_out(verb))
    if values["contained"] == 0:
        changed = _changed(question.statement, sentences, texts)
        if changed is not None:
            return changed
    unknown_words = values["words not in references"]
    if is_unknown(words, unknown_words, has_question=question.user_question is not None):
        return Ruling(contradicts=False, reason=nothing_said())
    if denies_unsaid(question.statement, texts, unknown_words, scores.entailment):
        # What the scores contradict has another reason.
        is_open = scores.label is not Label.CONTRADICTION
        return Ruling(contradicts=False, reason=unsaid() if is_open else None)
    return None


def _changed(statement: str, sentences: Sequence[str], texts: Sequence[str]) -> Ruling | None:
    """Return that a sentence has the statement's words, but says something else with them."""
    if (number := number_of_another_clause(statement, sentences)) is not None:
        return Ruling(contradicts=True, reason=exchange(number))
    if (subjects := other_doer(statement, sentences)) is not None:
        return Ruling(contradicts=False, reason=opposite(*subjects))
    for sentence in sentences:
        if (exchanged := exchanged_words(statement, sentence)) is not None:
            return Ruling(contradicts=True, reason=in_exchanged_places(*exchanged))
        if (weaker := weaker_word(statement, sentence)) is not None:
            return Ruling(contradicts=False, reason=left_out(weaker))
        if (other := other_of_class(statement, sentence, texts)) is not None:
            return Ruling(contradicts=True, reason=opposite(*other))
        if (exception := excepted(statement, sentence)) is not None:
            word, contradicts = exception
            return Ruling(contradicts, reason=left_out(word))
        if (only := not_only(statement, sentence)) is not None:
            return Ruling(contradicts=True, reason=left_out(only))
        words = opposite_words(statement, sentence)
        if words is not None and not _is_said_elsewhere(statement, words[0], sentence, sentences):
            return Ruling(contradicts=False, reason=opposite(*words))
    return None


def _is_said_elsewhere(statement: str, word: str, sentence: str, sentences: Iterable[str]) -> bool:
    """Whether another sentence has all content words of a statement, and this one."""
    wanted = words_of(statement).content
    texts = words_of(word).texts
    return any(
        wanted <= words_of(other).content and texts <= words_of(other).texts
        for other in sentences
        if other != sentence
    )


def entailed_as_copied(question: EntailmentQuestion) -> bool:
    """Whether a statement is one of its closest sentences, word for word, or a clause of one."""
    # Sentences of a list have the line above it; those of the whole passage do not.
    sentences = [grain.text for grain in question.evidence.sentences]
    return is_copied(question.statement, sentences) or any(
        is_completed_clause(question.statement, sentence) for sentence in sentences
    )


def without_contradiction(scores: NLIScores) -> NLIScores:
    """Return the scores of a statement that a sentence says in the same words."""
    return NLIScores(scores.entailment, scores.neutral + scores.contradiction, 0.0)


def without_entailment(scores: NLIScores, *, contradicts: bool) -> NLIScores:
    """Return the scores of a statement that is not entailed, and perhaps contradicted."""
    entailment, neutral, contradiction = scores.entailment, scores.neutral, scores.contradiction
    if contradicts:
        return NLIScores(entailment=0.0, neutral=neutral, contradiction=entailment + contradiction)
    return NLIScores(entailment=0.0, neutral=entailment + neutral, contradiction=contradiction)
