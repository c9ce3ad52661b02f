"""The question is in front of a passage only if the sentence is too short without it."""

import pytest

from groundtypes import References
from groundtypes.entailment.questions import build_questions, sentences_with_claims

REFERENCES = References.of("Andre Weiss taught at Dijon from 1950 to 1961.")
QUESTION = "How many years was Andre Weiss at Dijon?"


@pytest.mark.parametrize(
    ("text", "in_front"),
    [
        ("11 years.", True),
        ("In Dijon.", True),
        ("Andre Weiss taught at the university of Dijon for 11 years.", False),
    ],
)
def test_a_fragment_is_judged_with_its_question(text: str, in_front: bool) -> None:
    [asked] = build_questions(text, REFERENCES, QUESTION)
    assert [pair.premise.startswith(QUESTION) for pair in asked.pairs] == [in_front]


def test_without_a_question_the_premise_is_the_passage() -> None:
    [asked] = build_questions("11 years.", REFERENCES)
    assert [pair.premise for pair in asked.pairs] == [
        "Andre Weiss taught at Dijon from 1950 to 1961."
    ]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Good morning. The warranty covers two years.", "The warranty covers two years."),
        ("The rent is 500 euros. Good luck!", "The rent is 500 euros."),
        ("Yes. The rent is 500 euros.", "Yes. The rent is 500 euros."),
        ("Good morning, the rent is 500 euros.", "Good morning, the rent is 500 euros."),
    ],
)
def test_a_short_greeting_beside_a_sentence_is_not_judged(text: str, claim: str) -> None:
    assert [sentence.text for sentence in sentences_with_claims(text)] == [claim]
