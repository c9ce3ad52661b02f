"""Statements in the words of a sentence, two of which have changed places."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.exchanged_words import exchanged_words
from groundtypes.text.sentences import sentence_spans

EXCHANGED = [
    ("The captain hired the mate.", "The mate hired the captain.", ("captain", "mate")),
    ("Shoes are included, wetsuits are not.", "Wetsuits are included, shoes are not.",
     ("Shoes", "wetsuits")),
    ("Laminitis is more common in ponies than in horses.",
     "Laminitis is more common in horses than in ponies.", ("ponies", "horses")),
    ("She loses hearing before sight, the vet says.", "She loses sight before hearing.",
     ("hearing", "sight")),
    ("Mr Blum pays the Rotary circle for the hall.",
     "The Rotary circle pays Mr Blum for the hall.", ("Mr", "Rotary")),
    ("Sara reports to Ms Chen.", "Ms Chen reports to Sara.", ("Sara", "Ms")),
    ("Mr Ito's car hit Lee's bike.", "Lee's bike hit Mr Ito's car.", ("Mr", "Lee")),
    ("Tea costs 5 euros and coffee costs 7 euros.",
     "Tea costs 7 euros and coffee costs 5 euros.", ("5", "7")),
    ("The north gate opens at 6 and the south gate at 9.",
     "The north gate opens at 9 and the south gate at 6.", ("6", "9")),
    ("Check-in is from 3 pm and check-out by 11 am.",
     "Check-in is from 11 am and check-out by 3 pm.", ("3", "11")),
    ("Ann bakes bread and Bo cleans windows.", "Bo bakes bread and Ann cleans windows.",
     ("Ann", "Bo")),
    ("Adults and children pay 6 and 3 euros respectively.",
     "Adults and children pay 3 and 6 euros respectively.", ("6", "3")),
]  # fmt: skip
SAME = [
    ("Ann met Bo in May.", "Bo met Ann in May."),
    ("Anna and Ben met.", "Ben and Anna met."),
    ("Anna Lee and Ben Lee met.", "Ben Lee and Anna Lee met."),
    ("Tea and coffee are free.", "Coffee and tea are free."),
    ("We sell bread, milk and tea daily.", "We sell tea, milk and bread daily."),
    ("We sell bread, milk, tea and cake.", "We sell tea, milk, bread and cake."),
    ("Ann sings and Bo does, too.", "Bo sings and Ann does, too."),
    ("The chair of the board is Ann.", "Ann is the chair of the board."),
    ("Tea costs 5 euros and coffee costs 7 euros.", "Coffee costs 7 euros and tea costs 5 euros."),
    ("The first hundred pages are old.", "The old pages are the first hundred."),
    ("Photography is free without flash.", "Photography without flash is free."),
    ("The captain hired the mate.", "The captain hired the mate."),
    ("", "The captain hired the mate."),
    ("The captain hired the mate.", ""),
]


@pytest.mark.parametrize(("sentence", "statement", "found"), EXCHANGED)
def test_two_words_that_changed_places_are_found(
    sentence: str, statement: str, found: tuple[str, str]
) -> None:
    assert exchanged_words(statement, sentence) == found


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_nothing_is_found_where_nothing_else_is_said(sentence: str, statement: str) -> None:
    assert exchanged_words(statement, sentence) is None


def test_no_supported_statement_of_the_written_claims_is_touched() -> None:
    touched = {True: 0, False: 0}
    for claim_set in claim_sets("tune"):
        sentences = [
            text[start:end] for text in claim_set.references for start, end in sentence_spans(text)
        ]
        for claim in claim_set.claims:
            if claim.form == "statement":
                touched[claim.supported] += any(
                    exchanged_words(claim.text, each) for each in sentences
                )
    assert touched[True] == 0
    assert touched[False] >= 10


def test_figures_that_changed_places_around_and_are_contradicted() -> None:
    references = "Tea costs 5 euros and coffee costs 7 euros."
    [found] = entail(references, "Tea costs 7 euros and coffee costs 5 euros.")
    assert found.label is Label.CONTRADICTION
    assert found.because == "; '5' and '7' have changed places"
