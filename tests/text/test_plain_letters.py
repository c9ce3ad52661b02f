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
        "n\u200bot",
        "\u24dd\u24de\u24e3",
        "\u207f\u1d52\u1d57",
        "\u0274\u1d0f\u1d1b",
        "&#110;ot",
        "&#x6E;ot",
        "**n**ot",
        "n*o*t",
        "<b>n</b>ot",
    ],
)
def test_a_word_in_other_letters_is_the_word(text: str) -> None:
    assert plain_letters(text) == "not"


def test_a_zero_width_space_parts_two_words() -> None:
    assert plain_letters("is\u200bnot") == "is not"


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
        "x\u00b2",
        "&#39;",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert plain_letters(text) == text
