"""A statement that denies what its references do not speak of does not follow from them."""

import pytest

from groundtypes.entailment import entail
from groundtypes.entailment.alignment import words_of
from groundtypes.entailment.unsaid_denials import denies_unsaid, says_nothing
from groundtypes.scoring import Label

UNSAID = [
    ("The sky is blue.", "Dogs are not allowed inside."),
    ("Tom is a teacher.", "Tom is not a doctor."),
    ("Cats are allowed.", "Dogs are not allowed."),
    ("Breakfast is served at 8 am.", "The ticket is not refundable."),
    ("The lake is popular with swimmers in summer.", "Smoking isn't permitted."),
]
SAID = [
    ("Dogs must stay outside; pets are not allowed.", "Dogs are not allowed inside."),
    ("The gate is closed.", "The gate is not open."),
    ("The result is insignificant.", "The result is not significant."),
    ("Pets are prohibited.", "Dogs are not allowed inside."),
    ("Only members may vote.", "Outsiders may not vote."),
    ("The sky is blue.", "Dogs are allowed inside."),
]


@pytest.mark.parametrize(("reference", "statement"), UNSAID)
def test_what_is_not_mentioned_is_not_denied(reference: str, statement: str) -> None:
    assert denies_unsaid(statement, [reference], 0.5, 0.74)
    (judged,) = entail(reference, statement)
    assert judged.label is Label.NEUTRAL
    assert judged.difference is not None
    assert "do not speak of" in judged.difference


@pytest.mark.parametrize(("reference", "statement"), SAID)
def test_evidence_that_denies_or_excludes_something_is_left_to_the_model(
    reference: str, statement: str
) -> None:
    assert not denies_unsaid(statement, [reference], 1.0, 0.6)


def test_known_words_and_clear_scores_are_left_to_the_model() -> None:
    reference, statement = UNSAID[0]
    assert not denies_unsaid(statement, [reference], 0.4, 0.6)
    assert not denies_unsaid(statement, [reference], 1.0, 0.8)


def test_what_the_scores_contradict_keeps_its_own_reason() -> None:
    (judged,) = entail("The train left at nine.", "The train has not departed.")
    assert judged.label is Label.CONTRADICTION
    assert judged.difference == "'not' stands in the sentence and not in the passage"


@pytest.mark.parametrize("text", ["12", "A", "Yes.", "6 pm", "It is."])
def test_a_text_may_say_nothing(text: str) -> None:
    assert says_nothing(words_of(text))


@pytest.mark.parametrize("text", ["11 years", "Dogs", "20 rooms", "No smoking"])
def test_a_content_word_says_something(text: str) -> None:
    assert not says_nothing(words_of(text))


@pytest.mark.parametrize(
    ("text", "question", "label"),
    [
        ("12", None, Label.NEUTRAL),
        ("A", None, Label.NEUTRAL),
        ("Yes.", None, Label.NEUTRAL),
        ("9 am", None, Label.ENTAILMENT),
        ("9 am.", "When does the tower open?", Label.ENTAILMENT),
    ],
)
def test_a_text_that_says_nothing_is_not_entailed_unless_it_is_a_number_that_stands_there(
    text: str, question: str | None, label: Label
) -> None:
    (judged,) = entail("The tower opens at 9 am. Dogs may enter.", text, question=question)
    assert judged.label is label


@pytest.mark.parametrize("text", ["foo", "asap", "xx", "AAAA " * 60, "Foo bar."])
def test_a_text_of_unknown_words_is_not_entailed(text: str) -> None:
    [found] = entail("The shop sells bread.", text)
    assert found.label is not Label.ENTAILMENT
    assert found.because.endswith("says nothing that could follow from a passage")


@pytest.mark.parametrize("text", ["x" * 600, "ab" * 300, "AAAA " * 60])
def test_what_is_no_word_answers_no_question(text: str) -> None:
    found = entail("The shop sells bread.", text, question="Who owns the shop?")
    assert {sentence.label for sentence in found} == {Label.NEUTRAL}


def test_few_words_that_are_known_are_judged_by_the_model() -> None:
    [found] = entail("The shop sells bread.", "Bread sells.")
    assert "says nothing" not in found.because
