"""The evidence in a language that an engine reads, of a reference that has several languages.

A reference with a text and its translation has the sentence that decides in one of them. The other
language would only be shown to the engine as it is beside that sentence, and its scores would mean
nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from groundtypes.entailment.questions import EntailmentQuestion
from groundtypes.evidence.grains import Evidence
from groundtypes.evidence.premises import Grain
from groundtypes.languages import engine_languages, is_in_other_language, seems_to_be_in

__all__ = ["in_read_languages"]


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
    closest, grains = evidence.sentences[0], evidence.grains
    others = [grain for grain in grains if is_in_other_language(grain.text, languages)]
    if not others or closest in others or not seems_to_be_in(closest.text, languages):
        return question
    reference = closest.passages[0].span.reference
    if any(span.reference != reference for grain in others for span in grain.spans):
        return question
    left_out = {grain.text for grain in others}

    def is_read(grain: Grain | None) -> bool:
        return grain is not None and grain.text not in left_out

    return replace(
        question,
        evidence=Evidence(
            tuple(filter(is_read, evidence.sentences)),
            evidence.composed if is_read(evidence.composed) else None,
            evidence.passage if is_read(evidence.passage) else closest,
        ),
    )
