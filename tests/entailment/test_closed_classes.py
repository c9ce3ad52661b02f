"""Another weekday, month, season or direction in the words of a sentence."""

import pytest

from groundtypes import Label
from groundtypes.entailment import entail
from groundtypes.entailment.closed_classes import other_of_class

OTHER = [
    ("On Mondays the pool is closed.", "The pool is closed on Tuesdays.", ("Tuesdays", "Mondays")),
    ("The market is on Saturday in the Old Square.", "The market is on Sunday.",
     ("Sunday", "Saturday")),
    ("Students get 20 % off on weekdays.", "Students get 20 % off at weekends.",
     ("weekends", "weekdays")),
    ("The pass opens in May.", "The pass opens in June.", ("June", "May")),
    ("Turn left at the mill.", "Turn right at the mill.", ("right", "left")),
    ("The north gate is closed.", "The south gate is closed.", ("south", "north")),
    ("The bar opens in the evening.", "The bar opens in the morning.", ("morning", "evening")),
]  # fmt: skip
OPEN = [
    ("The pool is open until May.", "The pool is open in April."),
    ("The work is done by May.", "The work is done by June."),
    ("The pool is open from Monday to Friday.", "The pool is open on Tuesday."),
    ("The pool is not open on Monday.", "The pool is not open on Tuesday."),
    ("The pool is open on Monday.", "The pool is open on Monday."),
    ("The pool is open on Monday.", "The sauna is hot on Tuesday."),
    ("The pool is open on Mondays.", "On Mondays the pool is open."),
]


@pytest.mark.parametrize(("sentence", "statement", "found"), OTHER)
def test_another_word_of_the_class_is_found(
    sentence: str, statement: str, found: tuple[str, str]
) -> None:
    assert other_of_class(statement, sentence, [sentence]) == found


@pytest.mark.parametrize(("sentence", "statement"), OPEN)
def test_nothing_is_found_where_both_may_hold(sentence: str, statement: str) -> None:
    assert other_of_class(statement, sentence, [sentence]) is None


@pytest.mark.parametrize(
    "other",
    [
        "It is also open on Tuesdays.",
        "It is open from Monday to Friday.",
        "It is open daily.",
        "It is open on weekdays.",
    ],
)
def test_what_another_sentence_may_say_is_left_to_the_model(other: str) -> None:
    sentence = "The pool is open on Saturday."
    assert other_of_class("The pool is open on Tuesday.", sentence, [sentence]) is not None
    assert other_of_class("The pool is open on Tuesday.", sentence, [sentence, other]) is None


def test_the_message_names_both_words() -> None:
    [found] = entail("On Mondays the pool is closed.", "The pool is closed on Tuesdays.")
    assert found.label is Label.CONTRADICTION
    assert found.because == "; the sentence says 'Tuesdays' where the passage says 'Mondays'"
