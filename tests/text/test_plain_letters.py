"""Letters in their plain form, without emphasis."""

import pytest

from groundtypes.text.plain_letters import plain_letters


@pytest.mark.parametrize(
    "text",
    [
        "\uff4e\uff4f\uff54",
        "\U0001d427\U0001d428\U0001d42d",
        "n\u043et",
        "n\u03bft",
        "\u0274ot",
        "no\u00adt",
        "**n**ot",
        "n*o*t",
        "<b>n</b>ot",
    ],
)
def test_a_word_in_other_letters_is_the_word(text: str) -> None:
    assert plain_letters(text) == "not"


@pytest.mark.parametrize("text", ["it is ~~not~~ so", "it is <del>not</del> so"])
def test_what_is_struck_out_is_left_out(text: str) -> None:
    assert plain_letters(text).split() == ["it", "is", "so"]


@pytest.mark.parametrize(
    "text",
    [
        "\u041f\u0440\u0438\u0432\u0435\u0442",
        "\u03b1 = 3",
        "2*3*4",
        "5 < 6 > 4",
        "caf\u00e9",
        "~5~",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert plain_letters(text) == text
