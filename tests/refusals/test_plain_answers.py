"""What is found to answer by its words alone, the whole detector finds to answer, too."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.refusal_replies import written_replies
from groundtypes.refusals import detect
from groundtypes.refusals.detect import detect_refusal
from groundtypes.refusals.features import split_words
from groundtypes.refusals.plain_answers import is_plain_answer
from groundtypes.refusals.refusal import RefusalKind

_PLAIN = "The contract ends on the thirty-first of May, and the notice period is two months."


def test_the_whole_detector_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [row.text for row in written_replies() if is_plain_answer(row.text)]
    monkeypatch.setattr(detect, "is_plain_answer", lambda text: False)

    assert len(plain) > 100
    assert {detect_refusal(text).kind for text in plain} == {RefusalKind.ANSWER}


def test_a_plain_answer_is_english_and_has_no_word_of_a_refusal() -> None:
    assert is_plain_answer(_PLAIN)


@pytest.mark.parametrize(
    "text",
    [
        "The contract doesn't say when the notice period of the tenant ends.",
        "'Not' is the word that the sign has in the second of its three lines.",
        "Of which of the two contracts that you sent me shall I read the end?",
        f"Answer: {_PLAIN}",
        f"{_PLAIN} \u201cTwo months\u201d",
        "Please send the file again, and I'll have a look into that with pleasure.",
        "Der Vertrag endet am 31. Mai, und die Frist dauert genau zwei Monate.",
        "The contract.",
        _PLAIN * 4,
        "",
    ],
)
def test_all_else_is_read_by_the_whole_detector(text: str) -> None:
    assert not is_plain_answer(text)


@given(st.text(alphabet="ab' -.9\x01\x02\n\t\x00", max_size=30))
def test_ascii_words_are_those_of_the_pattern(opening: str) -> None:
    assert split_words(opening) == re.findall(r"[a-z]+(?:'[a-z]+)*|[\x01\x02]", opening)
