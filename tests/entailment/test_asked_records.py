"""A figure of another row than the one that the question names."""

import pytest

from groundtypes import Label, References
from groundtypes.entailment import entail
from groundtypes.entailment.asked_records import value_of_another_asked

ROOMS = (
    "| Room | Beds | Price per night |\n|---|---|---|\n| Alder | 2 | 80 euros |\n"
    "| Birch | 4 | 120 euros |\n| Cedar | 1 | 55 euros |\n"
)


@pytest.mark.parametrize(
    ("question", "answer", "owner"),
    [
        ("What does Birch cost?", "It costs 55 euros per night.", "Cedar"),
        ("How much is Birch?", "55 euros.", "Cedar"),
        ("How much is Birch?", "120 euros.", None),
        ("How much is Birch?", "Cedar is 55 euros.", None),
        ("How much cheaper than Birch is Cedar?", "55 euros.", None),
        ("Which is cheaper, Birch or Cedar?", "55 euros.", None),
        ("What is cheaper than Birch?", "55 euros.", None),
        ("How much is it?", "55 euros.", None),
        ("Birch.", "55 euros.", None),
    ],
)
def test_the_question_names_the_record(question: str, answer: str, owner: str | None) -> None:
    found = value_of_another_asked(question, answer, References.of(ROOMS))
    assert (found and found.belongs_to) == owner


def test_an_answer_with_the_price_of_another_room_is_contradicted() -> None:
    [found] = entail(ROOMS, "It costs 55 euros per night.", question="What does Birch cost?")
    assert found.label is Label.CONTRADICTION


def test_a_later_sentence_is_about_what_the_first_one_names() -> None:
    text = "Cedar has one bed and is a cheaper room. It costs 55 euros per night."
    found = entail(ROOMS, text, question="What does Birch cost?")
    assert not any("Birch" in sentence.because for sentence in found)
