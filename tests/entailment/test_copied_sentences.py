"""A statement that is a sentence of its references, word for word, is entailed."""

import pytest

from groundtypes.entailment import entail
from groundtypes.entailment.asides import without_asides
from groundtypes.entailment.copied_sentences import is_copied
from groundtypes.scoring import Label

KEYS = "The keys hang behind the door. He isn't here. Call again at noon."
BUS = "The bus, which does not stop in Ure, leaves at nine."


@pytest.mark.parametrize(
    ("reference", "statement"),
    [
        ("He is not here.", "He is not here."),
        (KEYS, "He is not here."),
        ("Yes, we can.", "We can."),
        ("That is all.", "That is all."),
        (BUS, "The bus leaves at nine."),
        ("The kiosk sells bread, not wine.", "The kiosk sells bread."),
        ("Paid guests, not members, sit upstairs.", "Paid guests sit upstairs."),
        ("Ann, who never learned to swim, bought a boat.", "Ann bought a boat."),
    ],
)
def test_a_copied_sentence_is_entailed(reference: str, statement: str) -> None:
    [judged] = entail(reference, statement)
    assert judged.label is Label.ENTAILMENT


@pytest.mark.parametrize(
    ("reference", "statement"),
    [
        ("He is not here.", "He is here."),
        (KEYS, "He is here."),
        ("Is he here?", "He is here."),
        ("Yes.", "Yes."),
        (BUS, "The bus does not leave at nine."),
        ("The cake, made without eggs, costs 4 euros.", "The cake does not cost 4 euros."),
        ("Ann, who never learned to swim, bought a boat.", "Ann never bought a boat."),
    ],
)
def test_another_one_is_not(reference: str, statement: str) -> None:
    [judged] = entail(reference, statement)
    assert judged.label is not Label.ENTAILMENT


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ('Tom lied: "He is here."', "He is here."),
        ('"He is here." That was a lie.', "He is here."),
        ("These are false: - He is here.", "He is here."),
        ("If he is here, call.", "He is here."),
        ("12", "12"),
    ],
)
def test_what_is_no_sentence_of_the_text_is_not_copied(text: str, statement: str) -> None:
    assert not is_copied(statement, [text])


@pytest.mark.parametrize(
    "sentence",
    [
        "The pool, if heated, opens at nine.",
        "The bridge, according to Tom, is safe.",
        "The pool, expected to open in May, has a slide.",
        "The gate, opened only if it rains, is green.",
        "Guests pay, not only in cash.",
        "They sell bread, wine, and cheese.",
    ],
)
def test_what_restricts_a_sentence_is_no_aside(sentence: str) -> None:
    assert without_asides(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "shorter"),
    [
        (BUS, "The bus leaves at nine."),
        ("The kiosk sells bread, not wine.", "The kiosk sells bread."),
        ("The cake, made without eggs, costs 4 euros.", "The cake costs 4 euros."),
        ("The cake, baked on Monday, costs 4 euros.", "The cake costs 4 euros."),
    ],
)
def test_asides_are_left_out(sentence: str, shorter: str) -> None:
    assert without_asides(sentence) == [shorter]
