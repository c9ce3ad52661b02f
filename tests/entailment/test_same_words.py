"""A statement that denies what its sentence says, or the other way round, is not entailed."""

import pytest

from groundtypes import References
from groundtypes.entailment import entail
from groundtypes.entailment.differences import Denial, same_words
from groundtypes.scoring import Label
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.polar_answers import without_particle

#: Statement, sentence, the negation, and whether the statement has it.
DENIED = [
    ("Dogs are not allowed in the hall.", "Dogs are allowed in the hall.", ("not", True)),
    ("Dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("The pool opens on Sundays.", "The pool does not open on Sundays.", ("not", False)),
    ("Opened boxes can be returned.", "Opened boxes cannot be returned.", ("cannot", False)),
    ("The bridge isn't closed to lorries.", "The bridge is closed to lorries.", ("isn't", True)),
    ("Trams stop at the old mill.", "Trams no longer stop at the old mill.", ("no longer", False)),
    ("The guard never leaves the gate.", "The guard leaves the gate.", ("never", True)),
    ("No tickets are sold on board.", "Tickets are sold on board.", ("No", True)),
    ("There is no 24-hour desk.", "There is a 24-hour desk.", ("no", True)),
    ("No, dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("No. Dogs are allowed in the hall.", "Dogs are not allowed in the hall.", ("not", False)),
    ("Yes, dogs are allowed in the hall.", "No, dogs are not allowed in the hall.", ("not", False)),
    ("The pool is \uff4e\uff4f\uff54 heated.", "The pool is heated.", ("not", True)),
    ("The pool is \U0001d427\U0001d428\U0001d42d heated.", "The pool is heated.", ("not", True)),
    ("The pool is heated.", "The pool is n\u043et heated.", ("not", False)),
    ("The pool is heated.", "The pool is **n**ot heated.", ("not", False)),
    (
        "Keep the door closed and do not feed the birds.",
        "Keep the door closed and feed the birds.",
        ("not", True),
    ),
    (
        "The session is not now at ten, not in the evening.",
        "The session is now at ten, not in the evening.",
        ("not", True),
    ),
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
    ("All guests did not pay.", "Not all guests paid."),
    ("It sells wine, not bread.", "It sells bread, not wine."),
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
    entailed = entail(References.of([f"{sentence} There are chairs."]), statement)
    assert any(
        judged.label is not Label.ENTAILMENT and expected[0] in (judged.difference or "")
        for judged in entailed
    )
    letters = without_particle(plain_letters(statement))
    assert same_words(letters, [sentence]).denial == Denial(*expected)


@pytest.mark.parametrize(("statement", "sentence"), OTHERS)
def test_what_differs_in_more_is_left_to_the_model(statement: str, sentence: str) -> None:
    assert same_words(without_particle(statement), [sentence]).denial is None


def test_a_sentence_that_says_the_same_goes_before() -> None:
    statement = "The gate is open at night."
    sentences = ("The gate is not open at night.", "The gate is open at night.")
    assert same_words(statement, sentences).denial is None
    assert same_words(statement, [" ".join(sentences)]).denial is None
    assert same_words(statement, []).denial is None


@pytest.mark.parametrize(
    ("text", "statement", "is_copied"),
    [
        ("The keys hang behind the door. He isn't here.", "He isn't here.", True),
        ("The keys hang\n  behind the door.", "the keys hang behind the door", True),
        ("Yes, we can all go.", "We can all go.", True),
        ("It costs $5 a day.", "It costs \u20ac5 a day.", False),
        ("It was -5 degrees.", "It was 5 degrees.", False),
        ('Tom lied: "He is here."', "He is here.", False),
        ('"He is here." That was a lie.', "He is here.", False),
        ("If he is here, call.", "He is here.", False),
        ("Is he here? He is here?", "He is here.", False),
        ("12", "12", False),
    ],
)
def test_a_statement_that_is_a_sentence_is_copied(
    text: str, statement: str, is_copied: bool
) -> None:
    assert same_words(statement, [text]).is_copied is is_copied


def test_an_answer_in_a_list_of_questions_is_entailed() -> None:
    text = "Q: May I bring my dog? A: No, dogs are not allowed.\nQ: Is there parking? A: Yes."
    [judged] = entail(References.of(text), "No, dogs are not allowed.")
    assert judged.label is Label.ENTAILMENT


@pytest.mark.parametrize(
    "particle", ["No, ", "No. ", "No \u2013 ", "No; ", "No: ", "No! ", "Nope, "]
)
def test_an_answer_particle_is_no_negation(particle: str) -> None:
    references = References.of(["Dogs are not allowed in the tower. It opens at 9 am."])
    true = entail(references, f"{particle}Dogs are not allowed in the tower.")
    assert {judged.label for judged in true} == {Label.ENTAILMENT}
    false = entail(references, f"{particle}Dogs are allowed in the tower.")
    assert Label.CONTRADICTION in {judged.label for judged in false}
