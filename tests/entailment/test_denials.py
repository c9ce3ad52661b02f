"""A statement that a negation alone tells from its sentence is not entailed."""

import pytest

from groundtypes import References
from groundtypes.entailment import entail
from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.denials import denial
from groundtypes.scoring import Label

#: Statement, sentence, the negation, and whether the statement has it.
DENIED = [
    ("Dogs are not allowed in the hall.", "Dogs are allowed in the hall.", ("not", True)),
    ("Dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("The pool opens on Sundays.", "The pool does not open on Sundays.", ("not", False)),
    ("Opened boxes can be returned.", "Opened boxes cannot be returned.", ("cannot", False)),
    ("The bridge isn't closed to lorries.", "The bridge is closed to lorries.", ("isn't", True)),
    ("Trams stop at the old mill.", "Trams no longer stop at the old mill.", ("no longer", False)),
    ("The guard never leaves the gate.", "The guard leaves the gate.", ("never", True)),
    (
        "The session is not now at ten, not in the evening.",
        "The session is now at ten, not in the evening.",
        ("not", True),
    ),
    ("No tickets are sold on board.", "Tickets are sold on board.", ("No", True)),
]
#: Statement and sentence of which the one may follow from the other, or too little is known.
OTHERS = [
    ("Dogs are not allowed in the hall.", "Dogs are not allowed in the hall."),
    ("Dogs must not enter the hall.", "Dogs are not allowed in the hall."),
    ("Dogs are never not allowed in the hall.", "Dogs are allowed in the hall."),
    ("Dogs are not allowed in the hall.", "Dogs are allowed in the garden."),
    ("In the hall dogs are allowed.", "Dogs are not allowed in the hall."),
    ("Not open.", "Open."),
    ("It is no hall and not a gate.", "It is never a hall and a gate or not."),
]


@pytest.mark.parametrize(("statement", "sentence", "expected"), DENIED)
def test_a_negation_that_alone_differs_is_found(
    statement: str, sentence: str, expected: tuple[str, bool]
) -> None:
    found = denial(words_of(statement), [sentence])
    assert found == expected
    (judged,) = entail(References.of([f"{sentence} There are chairs."]), statement)
    assert judged.label is not Label.ENTAILMENT
    assert judged.difference is not None
    assert expected[0] in judged.difference


@pytest.mark.parametrize(("statement", "sentence"), OTHERS)
def test_what_differs_in_more_is_left_to_the_model(statement: str, sentence: str) -> None:
    assert denial(words_of(statement), [sentence]) is None


def test_a_sentence_that_says_the_same_goes_before() -> None:
    statement = words_of("The gate is open at night.")
    sentences = ("The gate is not open at night.", "The gate is open at night.")
    assert denial(statement, sentences) is None
    assert denial(statement, [" ".join(sentences)]) is None
    assert denial(statement, []) is None
