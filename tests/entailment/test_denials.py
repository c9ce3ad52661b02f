"""A statement that denies what its sentence says, or the other way round, is not entailed."""

import pytest

from groundtypes import References
from groundtypes.entailment import entail
from groundtypes.entailment.denials import denials
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
    ("The mayor went to the fair.", "The mayor did not go to the fair.", ("not", False)),
    ("The clerk lied to the guests.", "The clerk did not lie to the guests.", ("not", False)),
    ("There is no 24-hour desk.", "There is a 24-hour desk.", ("no", True)),
    # An answer particle, an idiom or another clause does not stand for the negation.
    ("No, dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("No. Dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("Yes, dogs are allowed in the hall.", "No, dogs are not allowed in the hall.", ("not", False)),
    ("The pool is heated in May, no?", "The pool is not heated in May.", ("not", False)),
    ("The pool is heated in May, isn't it?", "The pool is not heated in May.", ("not", False)),
    ("No problem: the pool is heated in May.", "The pool is not heated in May.", ("not", False)),
    ("No doubt the pool is heated in May.", "The pool is not heated in May.", ("not", False)),
    ("Why not? The pool is heated in May.", "The pool is not heated in May.", ("not", False)),
    ("The pool is heated in May (not a joke).", "The pool is not heated in May.", ("not", False)),
    ("The pool is heated, not cooled, in May.", "The pool is not heated in May.", ("not", False)),
    ("The pool is heated not only in May.", "The pool is not heated in May.", ("not", False)),
    # Expressions that deny.
    ("The door was locked.", "At no time was the door locked.", ("At no time", False)),
    (
        "Guests may open the window.",
        "Under no circumstances may guests open the window.",
        ("Under no circumstances", False),
    ),
    ("The drink contains sugar.", "The drink is free of sugar.", ("is free of", False)),
    ("The gel contains alcohol.", "The gel is alcohol-free.", ("is alcohol free", False)),
    ("The bridge is safe.", "The bridge is anything but safe.", ("anything but", False)),
    ("The flight was cancelled.", "The flight was nearly cancelled.", ("nearly", False)),
    ("The pool is heated.", "It is untrue that the pool is heated.", ("It is untrue that", False)),
    ("The pool is heated.", "The claim that the pool is heated is wrong.", ("is wrong", False)),
    # Other letters.
    ("The pool is \uff4e\uff4f\uff54 heated.", "The pool is heated.", ("not", True)),
    ("The pool is \U0001d427\U0001d428\U0001d42d heated.", "The pool is heated.", ("not", True)),
    ("The pool is heated.", "The pool is n\u043et heated.", ("not", False)),
    ("The pool is heated.", "The pool is **n**ot heated.", ("not", False)),
    # A main clause.
    (
        "Keep the door closed and do not feed the birds.",
        "Keep the door closed and feed the birds.",
        ("not", True),
    ),
    (
        "Dogs are allowed inside, and children pay nothing.",
        "Dogs are not allowed inside. Children pay nothing.",
        ("not", False),
    ),
    (
        "The sauna is heated.",
        "The pool is heated, but the sauna is not heated.",
        ("not", False),
    ),
]
#: Statement and sentence with the same words, of which another one is denied.
MOVED = [
    ("It sells wine, not bread.", "It sells bread, not wine.", ("bread", "wine")),
    ("It sells not bread but wine.", "It sells bread but not wine.", ("bread", "wine")),
    (
        "Anna cannot swim, but Ben can swim.",
        "Anna can swim, but Ben cannot swim.",
        ("swim", "swim"),
    ),
    (
        "Guests do not pay, members do.",
        "Members do not pay, guests do.",
        ("Guests", "members"),
    ),
    (
        "It does not stop in Bern, only in Thun.",
        "It does not stop in Thun, only in Bern.",
        ("Bern", "Thun"),
    ),
    ("Adults do not pay, children do.", "Adults pay, children do not.", ("pay", "children")),
    (
        "If it does not rain, the tour takes place.",
        "If it rains, the tour does not take place.",
        ("rain", "take"),
    ),
    ("She did not promise to leave.", "She promised not to leave.", ("promise", "leave")),
    ("He said that she did not lie.", "He did not say that she lied.", ("lie", "say")),
    ("All guests did not pay.", "Not all guests paid.", ("pay", "all")),
    ("Those who smoke cannot apply.", "Those who do not smoke can apply.", ("apply", "smoke")),
]
#: Statement and sentence of which the one may follow from the other, or too little is known.
OTHERS = [
    ("Dogs are not allowed in the hall.", "Dogs are not allowed in the hall."),
    ("Dogs must not enter the hall.", "Dogs are not allowed in the hall."),
    ("Dogs are never not allowed in the hall.", "Dogs are allowed in the hall."),
    ("Dogs are not allowed in the hall.", "Dogs are allowed in the garden."),
    ("Not open.", "Open."),
    ("It is no hall and not a gate.", "It is never a hall and a gate or not."),
    ("No, dogs are not allowed in the hall.", "Dogs are not allowed in the hall."),
    ("Dogs are allowed in the hall.", "No, dogs are allowed in the hall."),
    ("No, dogs are not allowed.", "Q: May I bring my dog? A: No, dogs are not allowed."),
    ("Smoking is prohibited here.", "Smoking is not permitted here."),
    ("It is possible to change it.", "It is not impossible to change it."),
    ("No dogs are allowed.", "Dogs are not allowed."),
    ("No dogs and no cats are allowed.", "Dogs and cats are not allowed."),
    ("Neither dogs nor cats are allowed.", "Dogs and cats are not allowed."),
    ("There are no chairs.", "There aren't any chairs."),
    ("The flat does not have a garden.", "The flat has no garden."),
    ("Nobody may enter the hall.", "No one may enter the hall."),
    ("The price is $20.", "The price is $20, not $30."),
    ("The hotel has 20 rooms.", "The hotel has 20 rooms and no restaurant."),
    ("The pool is heated.", "The pool is heated, but the sauna is not heated."),
    ("It offers tea and cake.", "It offers not only tea but also cake."),
    ("The fee is at most 20 euros.", "The fee is no more than 20 euros."),
    ("The fee is due.", "The fee is due whether or not you attend."),
    ("The fee is due whether you attend.", "The fee is due whether you attend or not."),
    ("The pool is heated in May.", "Is the pool not heated in May? It is heated."),
    ("The pool is heated in May.", "The pool is ~~not~~ heated in May."),
    ("On Sundays, dogs are allowed inside.", "On weekdays, dogs are not allowed inside."),
    ("If the seal is broken, tell us.", "If the seal is not broken, you can return the box."),
    ("Tea is sold and, not, it.", "Is the not a, the not."),
    ("He has not paid yet.", "He has not yet paid."),
    ("Cats and dogs are not allowed.", "Dogs and cats are not allowed."),
    (
        "The rooms are clean but they are not large.",
        "The rooms are not large, but they are clean.",
    ),
    ("Do not let the cat out.", "Do not open the door and let the cat out."),
    ("It does not seem to work.", "It seems not to work."),
    ("The museum is not open in winter.", "The museum is not open in winter but open in May."),
]


@pytest.mark.parametrize(("statement", "sentence", "expected"), DENIED)
def test_a_negation_that_alone_differs_is_found(
    statement: str, sentence: str, expected: tuple[str, bool]
) -> None:
    found = denials(statement, [sentence]).found
    assert found is not None
    assert (found.negation, found.is_stated, found.moved) == (*expected, None)
    entailed = entail(References.of([f"{sentence} There are chairs."]), statement)
    assert any(
        judged.label is not Label.ENTAILMENT and expected[0] in (judged.difference or "")
        for judged in entailed
    )


@pytest.mark.parametrize(("statement", "sentence", "denied"), MOVED)
def test_a_negation_of_another_word_is_found(
    statement: str, sentence: str, denied: tuple[str, str]
) -> None:
    found = denials(statement, [sentence]).found
    assert found is not None
    assert found.moved == denied
    assert not found.contradicts
    (judged,) = entail(References.of([f"{sentence} There are chairs."]), statement)
    assert judged.label is not Label.ENTAILMENT
    assert denials(sentence, [sentence]) == (True, None)


@pytest.mark.parametrize(("statement", "sentence"), OTHERS)
def test_what_differs_in_more_is_left_to_the_model(statement: str, sentence: str) -> None:
    assert denials(statement, [sentence]).found is None


def test_with_and_without_something_are_no_contradiction() -> None:
    sentence = "You may enter without a ticket."
    found = denials("You may enter with a ticket.", [sentence]).found
    assert found is not None
    assert not found.contradicts


def test_in_another_order_a_denial_does_not_contradict() -> None:
    found = denials("In the hall dogs are allowed.", ["Dogs are not allowed in the hall."]).found
    assert found is not None
    assert not found.contradicts


def test_a_sentence_that_says_the_same_goes_before() -> None:
    statement = "The gate is open at night."
    sentences = ("The gate is not open at night.", "The gate is open at night.")
    assert denials(statement, sentences).found is None
    assert denials(statement, [" ".join(sentences)]).found is None
    assert denials(statement, []).found is None


def test_a_sentence_of_many_negations_is_not_compared() -> None:
    statement = "The gate is open at night " + "not " * 400
    assert denials(statement, ["The gate is open at night " + "not " * 300]).found is None


@pytest.mark.parametrize(
    "particle", ["No, ", "No. ", "No \u2013 ", "No; ", "No: ", "No! ", "Nope, "]
)
def test_an_answer_particle_is_no_negation(particle: str) -> None:
    references = References.of(["Dogs are not allowed in the tower. It opens at 9 am."])
    true = entail(references, f"{particle}Dogs are not allowed in the tower.")
    assert {judged.label for judged in true} == {Label.ENTAILMENT}
    false = entail(references, f"{particle}Dogs are allowed in the tower.")
    assert Label.CONTRADICTION in {judged.label for judged in false}
