"""Quotations are the words between quotation marks, whatever the marks, and never code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.quotations import quotations


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('It says "the tower is tall".', ["the tower is tall"]),
        ("It says “the tower is tall.”", ["the tower is tall."]),
        ("Da steht „der Turm ist hoch“ oder »sehr hoch«.", ["der Turm ist hoch", "sehr hoch"]),
        ("On lit « la tour est haute ».", ["la tour est haute"]),
        ("「塔は高い」と『書いてある』。", ["塔は高い", "書いてある"]),
        ('He said “never "ever" again”.', ['never "ever" again']),
        ('A 5" disk and a 3" disk are "quite small".', ["quite small"]),
        ('It says "the tower\nis tall".', ["the tower\nis tall"]),
        ('It says "the tower\n\nis tall".', []),
        ('("the tower", **"the hill"**)', ["the tower", "the hill"]),
        ('Call `print("the tower is tall")`.', []),
        (
            '```python\nsay("the tower is tall")\n```\n"But this is quoted."',
            ["But this is quoted."],
        ),
        ('It says "call `run()` and wait".', ["call `run()` and wait"]),
        ("It's the tower's height, 'they say'.", []),
        ('Nothing "" and " " and “ ”.', []),
        ('One " alone', []),
    ],
)
def test_the_words_between_quotation_marks_are_found(text: str, quoted: list[str]) -> None:
    assert list(quotations(text)) == quoted


@given(st.text(alphabet='ab "\n`“”„«»', max_size=80))
def test_what_is_quoted_stands_in_the_text(text: str) -> None:
    assert all(quote in text for quote in quotations(text))


def test_hostile_texts_take_linear_time() -> None:
    for text in ('"' * 100_000, '"a ' * 100_000, "“«„" * 30_000, '`"' * 50_000):
        assert len(list(quotations(text))) < 100_000
