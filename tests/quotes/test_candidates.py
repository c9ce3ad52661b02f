"""Where a quote is looked for first, when one of its words is misspelt or stands elsewhere, too."""

import pytest

from groundtypes import find_quote
from groundtypes.quotes.candidates import CandidateSearch
from groundtypes.quotes.word_index import WordIndex

_FILLER = " ".join(f"Report {number} followed in its own time." for number in range(40))
_SENTENCE = "Every assessment of the committee was published before the municipality decided."
_TEXT = (
    "The municipality asked the committee for one assessment. Another assessment was refused. "
    f"{_FILLER} {_SENTENCE} {_FILLER} No committee wrote to the municipality again."
)


@pytest.mark.parametrize("typo", ["muncipality", "asessment", "commitee"])
def test_the_place_where_two_long_words_agree_is_tried_first(typo: str) -> None:
    right = {"munc": "municipality", "ases": "assessment", "comm": "committee"}[typo[:4]]
    quote = _SENTENCE.replace(right, typo)
    [place] = CandidateSearch(WordIndex([_TEXT]), quote).from_long_word()
    start, offset = place.anchors[0]
    assert _TEXT[start - offset :].startswith(_SENTENCE[:offset]) or abs(
        start - offset - _TEXT.index(_SENTENCE)
    ) <= len(right) - len(typo)
    match = find_quote(quote, [_TEXT], fuzzy=True)
    assert match is not None
    assert match.text == _SENTENCE


def test_long_words_that_never_agree_name_no_place() -> None:
    quote = "The committee sent one munificence for each further assessment here."
    assert list(CandidateSearch(WordIndex([_TEXT]), quote).from_long_word()) == []
    assert find_quote(quote, [_TEXT], fuzzy=True) is None
