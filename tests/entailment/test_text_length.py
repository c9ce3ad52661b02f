"""A sentence of a longer text is judged more leniently, by a weight of the engine."""

import math
from typing import Annotated

import pytest

from groundtypes import Entailed, Grounded, Judges, References, audit
from groundtypes.entailment import entail
from groundtypes.entailment.evidence_model import CONTRADICTION_FEATURES, FEATURES, TEXT_LENGTH
from groundtypes.entailment.questions import build_questions, sentences_with_claims
from groundtypes.scoring import Label
from groundtypes.testing import ScriptedNLI

FIRST = "The pier opened to visitors in May."
TEXT = f"{FIRST} The tower closes at noon on Sundays. The café has forty seats outside."


class Doubtful(ScriptedNLI):
    """Finds nothing entailed, but for texts of three sentences or more."""

    evidence_weights = {
        "entailment": dict.fromkeys(FEATURES, 0.0) | {"bias": -1.0, TEXT_LENGTH: 1.0},
        "contradiction": dict.fromkeys(CONTRADICTION_FEATURES, 0.0),
    }


class Whole(Grounded):
    text: Annotated[str, Entailed()]


class Mean(Grounded):
    text: Annotated[str, Entailed(require="mean")]


def test_each_sentence_of_a_text_knows_how_many_there_are() -> None:
    references = References.of("The harbour is old.")
    assert [each.sentences for each in build_questions(TEXT, references)] == [3, 3, 3]
    given = sentences_with_claims(TEXT)
    assert [each.sentences for each in build_questions(given, references)] == [1, 1, 1]
    known = build_questions(given[1:], references, sentences_in_all=3)
    assert [each.sentences for each in known] == [3, 3]


@pytest.mark.parametrize(("text", "label"), [(TEXT, "entailment"), (FIRST, "neutral")])
def test_the_length_of_a_text_weighs(text: str, label: str) -> None:
    judged = entail("The harbour is old.", text, nli=Doubtful())
    assert {sentence.label for sentence in judged} == {Label(label)}
    score = 1 / (1 + math.exp(1 - math.log(len(judged))))
    assert judged[0].scores.entailment == pytest.approx(score)


@pytest.mark.parametrize(("model", "text", "holds"), [
    (Whole, TEXT, True), (Whole, FIRST, False), (Mean, TEXT, False),
])  # fmt: skip
def test_only_a_text_of_which_every_sentence_has_to_hold_is_judged_so(
    model: type[Grounded], text: str, holds: bool
) -> None:
    context = {"references": "The harbour is old.", "judges": Judges(nli=Doubtful())}
    assert audit(model, {"text": text}, context=context).ok is holds


def test_a_text_of_very_many_sentences_is_one_of_twelve() -> None:
    many = " ".join(f"Gate {number} is open." for number in range(40))
    judged = entail("The harbour is old.", many, nli=Doubtful())
    assert judged[0].scores.entailment == pytest.approx(1 / (1 + math.exp(1 - math.log(12))))
