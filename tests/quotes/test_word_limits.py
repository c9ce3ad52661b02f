"""Counting the words of a quote at a glance."""

from hypothesis import given
from hypothesis import strategies as st

from groundtypes.quotes.word_limits import _surely_within, count_words

_PIECES = st.one_of(
    st.text(st.characters(max_codepoint=127), max_size=12),
    st.sampled_from(
        "a an ab Paris isn't 17th 1.5 x-y e.g. -LRB- | * _it_ --- \n $5 C3PO".split(" ")
    ),
)


@given(st.lists(_PIECES, max_size=25).map(" ".join), st.integers(0, 12), st.integers(0, 30))
def test_what_is_sure_at_a_glance_is_what_the_count_says(text: str, least: int, most: int) -> None:
    if _surely_within(text, least, most):
        assert least <= count_words(text) <= most


def test_an_ordinary_sentence_is_sure_at_a_glance() -> None:
    sentence = "The bridge, which opened in 1932, is 503 metres long."
    assert _surely_within(sentence, 2, 80)
    assert not _surely_within(sentence, 2, 5)
