"""Statements in the words of a sentence that say the opposite, or what it excepts."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes.entailment import entail
from groundtypes.entailment.opposite_words import excepted, not_only, opposite_words
from groundtypes.scoring import Label
from groundtypes.text.sentences import sentence_spans

#: Sentence, statement, and the words that are opposites.
OPPOSITE = [
    ("Unvaccinated visitors may not enter.", "Vaccinated visitors may not enter.",
     ("Vaccinated", "Unvaccinated")),
    ("Non-members pay 5 euros.", "Members pay 5 euros.", ("Members", "Non-members")),
    ("Come at least 2 hours before take-off.", "Come at most 2 hours before take-off.",
     ("at most", "at least")),
    ("You must not pay at the door.", "You do not have to pay at the door.",
     ("do not have to", "must not")),
    ("You need not pay at the door.", "You can't pay at the door.", ("can't", "need not")),
    ("The shed is locked at nine, says Ann.", "The shed is unlocked at nine.",
     ("unlocked", "locked")),
    ("Photograph the damage before you cover it.", "Photograph the damage after you cover it.",
     ("after", "before")),
]  # fmt: skip
NO_OPPOSITE = [
    ("Trams run before and after noon.", "Trams run after noon."),
    ("The foam is flammable when wet.", "The foam is inflammable when wet."),
    ("The house was sold in May.", "The house was bought in May."),
    ("The shed is locked at nine.", "The shed is unlocked at ten."),
    ("They stand under the tree.", "They stand der the tree."),
    (
        "You may cancel free of charge up to 48 hours ahead.",
        "You may cancel free of charge at least 48 hours ahead.",
    ),
    ("You must not pay at the door.", "You may not pay at the door."),
    ("No boats are allowed in the lagoon.", "Boats are forbidden in the lagoon."),
    ("It is untrue that the shop is open.", "The shop is closed."),
    ("It is forbidden to leave the gate open.", "Leave the gate closed."),
    ("You need not leave the gate open.", "Leave the gate closed."),
    ("Is it?", "It is."),
    ("", ""),
]
#: Sentence, statement, the word that excepts it, and whether the sentence denies it.
EXCEPTED = [
    ("The pass is closed unless it is summer.", "The pass is closed in summer.", "unless", True),
    ("Refunds are given unless the ticket was used.",
     "Refunds are given even if the ticket was used.", "unless", True),
    ("He eats everything except bread.", "He eats bread.", "except", False),
    ("The garden is open from dawn to dusk, except on 24 December.",
     "The garden is open on 24 December.", "except", False),
    ("The garden is open, except on 24 December.", "The garden is open on 24 December.",
     "except", True),
    ("The garden is open, except on 24 December, which is a holiday.",
     "The garden is open on 24 December.", "except", True),
]  # fmt: skip
NOT_EXCEPTED = [
    ("Dogs are not allowed except in the yard.", "Dogs are allowed in the yard."),
    ("She eats little except bread.", "She eats bread."),
    ("He rarely leaves home except on Sundays.", "He leaves home on Sundays."),
    ("All shops except the bakery close at 5.", "All shops close at 5."),
    ("The pass is closed unless it is summer.", "The pass is not closed in summer."),
    ("The pass is closed unless it is summer.", "The pass is closed."),
    ("What can we do except wait?", "We can wait."),
    (
        "Trains run hourly, except on Sundays, when they run every two hours.",
        "Trains run on Sundays.",
    ),
]


@pytest.mark.parametrize(("sentence", "statement", "words"), OPPOSITE)
def test_an_opposite_in_the_same_place_is_found(
    sentence: str, statement: str, words: tuple[str, str]
) -> None:
    assert opposite_words(statement, sentence) == words
    [judged] = entail(sentence, statement)
    assert judged.label is not Label.ENTAILMENT


@pytest.mark.parametrize(("sentence", "statement"), NO_OPPOSITE)
def test_other_words_are_no_opposites(sentence: str, statement: str) -> None:
    assert opposite_words(statement, sentence) is None


@pytest.mark.parametrize(("sentence", "statement", "word", "is_denied"), EXCEPTED)
def test_what_a_sentence_excepts_does_not_hold(
    sentence: str,
    statement: str,
    word: str,
    is_denied: bool,
) -> None:
    assert excepted(statement, sentence) == (word, is_denied)
    [judged] = entail(sentence, statement)
    assert judged.label in {Label.CONTRADICTION, *([] if is_denied else [Label.NEUTRAL])}
    assert judged.because == f"; '{word}' stands in the passage and not in the sentence"


@pytest.mark.parametrize(("sentence", "statement"), NOT_EXCEPTED)
def test_what_is_said_beside_an_exception_is_not_excepted(sentence: str, statement: str) -> None:
    assert excepted(statement, sentence) is None


def test_not_only_denies_nothing() -> None:
    sentence = "Tom is not only late but also drunk."
    assert not_only("Tom is not late.", sentence) == "only"
    assert not_only("Tom is not only late.", sentence) is None
    assert not_only("Tom is not drunk.", sentence) is None
    [judged] = entail(sentence, "Tom is not late.")
    assert judged.label is Label.CONTRADICTION


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The bridge would be safe if it had been repaired.", "The bridge is safe."),
        ("The auditors failed to find the missing invoices.", "The auditors found them all."),
        ("The auditors failed to find the invoices.", "The auditors found the invoices."),
        ("Nobody doubts that Ann wrote the letter.", "Ann did not write the letter."),
        ("Anna called, but Ben did not.", "Ben called, but Anna did not."),
    ],
)
def test_what_a_sentence_supposes_fails_or_moves_is_not_entailed(
    sentence: str, statement: str
) -> None:
    [judged] = entail(sentence, statement)
    assert judged.label is not Label.ENTAILMENT


def test_an_opposite_that_another_sentence_has_is_not_refused() -> None:
    references = "The shed is locked at nine. From May on, the shed is unlocked at nine by Ann."
    [judged] = entail(references, "The shed is unlocked at nine.")
    assert judged.difference is None or "locked" not in judged.because


def test_no_supported_statement_of_the_written_claims_is_touched() -> None:
    touched = {True: 0, False: 0}
    for claim_set in [*claim_sets("train"), *claim_sets("tune")]:
        sentences = [
            text[start:end] for text in claim_set.references for start, end in sentence_spans(text)
        ]
        for claim in claim_set.claims:
            if claim.form == "statement":
                touched[claim.supported] += any(
                    (opposite_words(claim.text, each), not_only(claim.text, each)) != (None, None)
                    or excepted(claim.text, each) is not None
                    for each in sentences
                )
    assert touched[True] == 0
    assert touched[False] >= 20
