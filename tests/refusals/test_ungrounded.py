"""Long replies that begin by saying that the passages do not tell abstain."""

import pytest

from groundtypes import detect_refusal

_REST = (
    "The first passage is a price list for spare parts, the second one a letter from the caretaker "
    "about the keys to the cellar, and the third one describes how the stairwell is to be cleaned "
    "in winter, which tools are to be used for it, and who has to pay for the salt and the sand."
)


@pytest.mark.parametrize(
    "begin",
    [
        "Based on the provided passages, the salary of the director cannot be established.",
        "Based on the documents you shared, this question can't be answered.",
        "Based on the provided passages, I am unable to determine how many people came.",
        "Given the context provided, it is not possible to say when it opened.",
    ],
)
def test_a_long_reply_that_cannot_tell_abstains(begin: str) -> None:
    text = f"{begin} {_REST}"
    found = detect_refusal(text)
    assert found.kind == "abstention"
    assert found.span == (0, len(begin))
    assert detect_refusal(f"{begin} However, it opened in 1932. {_REST}").kind != "abstention"


@pytest.mark.parametrize(
    "begin",
    [
        "Based on the provided passages, the lift was last inspected in May.",
        "Based on the provided passages, the lift cannot be used by children.",
        "According to the text, the cause of the fire cannot be established.",
        "From the station, I cannot tell you how lovely the walk is.",
    ],
)
def test_a_long_reply_that_denies_something_else_answers(begin: str) -> None:
    assert detect_refusal(f"{begin} {_REST}").kind == "answer"
