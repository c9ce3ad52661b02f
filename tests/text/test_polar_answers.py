"""A bare "yes" or "no" is judged as what it says of the user's question."""

import pytest

from groundtypes import Label, References
from groundtypes.entailment import entail
from groundtypes.entailment.questions import build_questions
from groundtypes.text.polar_answers import is_polar, polar_statement


@pytest.mark.parametrize(
    ("question", "answer", "text", "statement"),
    [
        ("Is parking free?", "Yes.", "Parking is free.", "Parking is free."),
        ("Is parking free?", "No, it isn't.", "", "Parking is not free."),
        ("Are dogs allowed inside?", "Of course!", "", "Dogs are allowed inside."),
        ("Does the night train stop in Ely?", "No", "The night train runs daily.",
         "The night train does not stop in Ely."),
        ("May I smoke on the balcony?", "Yes, you may.", "", "I may smoke on the balcony."),
        ("If it rains, is the pool open?", "No.", "", "If it rains, the pool is not open."),
        ("Is there parking on site?", "Yes, there is.", "", "There is parking on site."),
        ("Do you have any rooms?", "No.", "", "You do not have any rooms."),
        ("Is it red or blue?", "Yes.", "", None),
        ("Are all rooms free?", "No.", "", None),
        ("Isn't parking free?", "No.", "", None),
        ("When does it open?", "Yes.", "", None),
        ("Is parking free?", "Yes, on Sundays.", "", None),
        ("Is parking free?", "Parking is free.", "", None),
        ("Is parking " + "x" * 1_000 + "?", "Yes.", "", None),
        ("", "Yes.", "", None),
    ],
)  # fmt: skip
def test_a_question_and_its_answer_make_a_statement(
    question: str, answer: str, text: str, statement: str | None
) -> None:
    assert polar_statement(question, answer, [text]) == statement


@pytest.mark.parametrize("text", ["Yes, it is not.", "No, it is.", "", "No. 5", "Yes " * 1_000])
def test_what_is_no_bare_answer(text: str) -> None:
    assert not is_polar(text)


@pytest.mark.parametrize(
    ("references", "question", "true", "false"),
    [
        ("Is parking free? No.", "Is parking free?", "No.", "Yes."),
        ("Is parking free? Yes.", "Is parking free?", "Yes.", "No."),
        ("Dogs are not allowed inside.", "Are dogs allowed inside?", "No.", "Of course!"),
        ("The oven has a timer.", "Does the oven have a timer?", "Yes.", "No, it does not."),
    ],
)  # fmt: skip
def test_only_the_true_answer_is_entailed(
    references: str, question: str, true: str, false: str
) -> None:
    [right] = entail(references, true, question=question)
    [wrong] = entail(references, false, question=question)
    assert right.label is Label.ENTAILMENT
    assert wrong.label is not Label.ENTAILMENT
    assert (right.text, wrong.text) == (true, false)


def test_the_question_does_not_precede_premises_of_a_statement_made_of_it() -> None:
    references = References.of("Parking is free.")
    [asked] = build_questions("Yes.", references, "Is parking free?")
    assert asked.preceding_question is None
    assert [(pair.premise, pair.hypothesis) for pair in asked.pairs] == [
        ("Parking is free.", "Parking is free.")
    ]
