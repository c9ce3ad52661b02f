"""Statements in the words of a sentence, with two exchanged or one of them stronger."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.changed_words import exchanged_words, weaker_word
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
]  # fmt: skip
WEAKER = [
    ("Fees may be refunded.", "Fees are refunded.", "may"),
    ("Fees may be refunded.", "Fees must be refunded.", "may"),
    ("The mate tried to stop the leak.", "The mate stopped the leak.", "tried"),
    ("Almost all rooms have a bath.", "All rooms have a bath.", "Almost"),
    ("Some members of the board voted.", "All members of the board voted.", "Some"),
    ("The road is expected to reopen in May.", "The road will reopen in May.", "expected"),
    ("On Sundays the shop might close at nine, says Ann.", "The shop closes at nine.", "might"),
]
SAME = [
    ("Ann met Bo in May.", "Bo met Ann in May."),
    ("She came in May 2021 with him.", "She came in 2021 with him."),
    ("Tea and coffee are free.", "Coffee and tea are free."),
    ("Photography is free without flash.", "Photography without flash is free."),
    ("Fees may be refunded.", "Fees may be refunded."),
    ("Fees must be refunded.", "Fees may be refunded."),
    ("All members voted.", "Some members voted."),
    ("The shop closes at nine.", "The shop may close at nine."),
    ("The captain hired the mate.", "The captain hired the mate."),
    ("", "The captain hired the mate."),
    ("The captain hired the mate.", ""),
]


@pytest.mark.parametrize(("sentence", "statement", "found"), EXCHANGED)
def test_two_words_that_changed_places_are_found(
    sentence: str, statement: str, found: tuple[str, str]
) -> None:
    assert exchanged_words(statement, sentence) == found


@pytest.mark.parametrize(("sentence", "statement", "word"), WEAKER)
def test_a_weaker_word_that_is_left_out_is_found(sentence: str, statement: str, word: str) -> None:
    assert weaker_word(statement, sentence) == word


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_nothing_is_found_where_nothing_else_is_said(sentence: str, statement: str) -> None:
    assert exchanged_words(statement, sentence) is None
    assert weaker_word(statement, sentence) is None


def test_no_supported_statement_of_the_written_claims_is_touched() -> None:
    touched = {True: 0, False: 0}
    for claim_set in claim_sets("tune"):
        sentences = [
            text[start:end] for text in claim_set.references for start, end in sentence_spans(text)
        ]
        for claim in claim_set.claims:
            if claim.form == "statement":
                touched[claim.supported] += any(
                    exchanged_words(claim.text, each) or weaker_word(claim.text, each)
                    for each in sentences
                )
    assert touched[True] == 0
    assert touched[False] >= 10


def test_the_message_names_what_changed() -> None:
    [swapped] = entail("The captain hired the mate in May.", "The mate hired the captain in May.")
    assert swapped.label is Label.CONTRADICTION
    assert swapped.because == "; 'captain' and 'mate' have changed places"
    [stronger] = entail("Fees may be refunded within 30 days.", "Fees are refunded within 30 days.")
    assert stronger.label is Label.NEUTRAL
    assert stronger.because == "; 'may' stands in the passage and not in the sentence"


def test_what_another_sentence_says_is_entailed() -> None:
    references = "In some years fees may be refunded. This year, fees are refunded."
    [found] = entail(references, "This year, fees are refunded.")
    assert found.label is Label.ENTAILMENT
