"""The evidence in a language that an engine reads, and the check that it is in one.

The language of a sentence is told together with the text that it is from. A reference with a text
and its translation has the sentence that decides in one of them. The other language would only be
shown to the engine as it is beside that sentence, and its scores would mean nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from groundtypes.backends.languages import (
    check_languages,
    engine_languages,
    is_in_other_language,
    seems_to_be_in,
)
from groundtypes.entailment.evidence.premises import Premise
from groundtypes.entailment.evidence.statement_evidence import Evidence
from groundtypes.entailment.questions import EntailmentQuestion

#: How many characters before and after a passage tell its language together with it.
_AROUND: Final = 1_000


def check_evidence_languages(
    questions: Sequence[EntailmentQuestion], engine: Any, pairs: Sequence[Any]
) -> None:
    """Raise if a sentence, or the evidence for it, is in a language that the engine does not read.

    Args:
        questions: All questions, of one text or of several.
        engine: The engine.
        pairs: Those of their pairs that it is to be asked.

    Raises:
        LanguageError: A statement or a premise is.
    """

    def around(text: str) -> str:
        for question in questions:
            if question.statement == text:
                others = (other for other in questions if other is not question)
                return " ".join(
                    other.hypothesis.text
                    for other in others
                    if other.references is question.references
                )
        for question in questions:
            for pair, premise in zip(question.pairs, question.evidence.premises, strict=True):
                if pair.premise == text:
                    return _around(question, premise)
        return ""

    check_languages(engine, pairs, around)


def _around(question: EntailmentQuestion, premise: Premise) -> str:
    """Return what stands around a premise in its references."""
    parts = []
    for span in premise.spans:
        text = question.references[span.reference].text
        parts += [text[max(0, span.start - _AROUND) : span.start], text[span.end :][:_AROUND]]
    return " ".join(parts)


def in_read_languages(
    questions: Sequence[EntailmentQuestion], engine: Any
) -> list[EntailmentQuestion]:
    """Return the questions without premises in other languages than the closest sentence.

    They are left out if the closest sentence is in a language that the engine reads and they are of
    the same reference. Premises of other references stay: that an engine cannot read them is a
    mistake.
    """
    languages = engine_languages(engine)
    if languages is None:
        return list(questions)
    return [_in_read_languages(question, languages) for question in questions]


def _in_read_languages(
    question: EntailmentQuestion, languages: tuple[str, ...]
) -> EntailmentQuestion:
    evidence = question.evidence
    if not evidence.sentences:
        return question
    closest, premises = evidence.sentences[0], evidence.premises
    others = [
        premise
        for premise in premises
        if is_in_other_language(premise.text, languages, partial(_around, question, premise))
    ]
    if not others or closest in others or not seems_to_be_in(closest.text, languages):
        return question
    reference = closest.passages[0].span.reference
    if any(span.reference != reference for premise in others for span in premise.spans):
        return question
    left_out = {premise.text for premise in others}

    def is_read(premise: Premise | None) -> bool:
        return premise is not None and premise.text not in left_out

    return replace(
        question,
        evidence=Evidence(
            tuple(filter(is_read, evidence.sentences)),
            evidence.composed if is_read(evidence.composed) else None,
            evidence.passage if is_read(evidence.passage) else closest,
        ),
    )
