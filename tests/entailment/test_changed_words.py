"""Statements in the words of a sentence, with one of them stronger."""

import pytest

from corpora.written_claims import claim_sets
from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.changed_words import weaker_word
from groundtypes.text.sentences import sentence_spans

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


@pytest.mark.parametrize(("sentence", "statement", "word"), WEAKER)
def test_a_weaker_word_that_is_left_out_is_found(sentence: str, statement: str, word: str) -> None:
    assert weaker_word(statement, sentence) == word


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_nothing_is_found_where_nothing_else_is_said(sentence: str, statement: str) -> None:
    assert weaker_word(statement, sentence) is None


def test_no_supported_statement_of_the_written_claims_is_touched() -> None:
    touched = {True: 0, False: 0}
    for claim_set in claim_sets("tune"):
        sentences = [
            text[start:end] for text in claim_set.references for start, end in sentence_spans(text)
        ]
        for claim in claim_set.claims:
            if claim.form == "statement":
                touched[claim.supported] += any(weaker_word(claim.text, each) for each in sentences)
    assert touched[True] == 0
    assert touched[False] >= 2


def test_the_message_names_what_changed() -> None:
    [stronger] = entail("Fees may be refunded within 30 days.", "Fees are refunded within 30 days.")
    assert stronger.label is Label.NEUTRAL
    assert stronger.because == "; 'may' stands in the passage and not in the sentence"


def test_what_another_sentence_says_is_entailed() -> None:
    references = "In some years fees may be refunded. This year, fees are refunded."
    [found] = entail(references, "This year, fees are refunded.")
    assert found.label is Label.ENTAILMENT
