"""The index returns the texts that share their rarest terms with a query: BM25."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.bm25 import LexicalIndex, terms

TERMS: dict[str, tuple[str, str]] = {
    "case": ("PARIS", "paris"),
    "plurals": ("towers boxes cities", "tower boxe city"),
    "past": ("named planned walked", "name plan walk"),
    "progressive": ("naming planning walking", "name plan walk"),
    "possessive": ("the tower’s", "the tower’"),
    "thousands": ("1,200 people", "1200 people"),
    "full width": ("Ｐａｒｉｓ", "paris"),
    "decomposed": ("cafe\u0301", "café"),
    "markdown": ("**tower**", "tower"),
}


@pytest.mark.parametrize(("one", "other"), TERMS.values(), ids=TERMS)
def test_words_that_differ_in_form_only_are_one_term(one: str, other: str) -> None:
    assert terms(one)[0] == terms(other)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.5", "15"), ("2018", "2019"), ("bus", "bu"), ("thing", "th"), ("is", "i"), ("red", "r")],
)
def test_words_that_differ_are_two_terms(one: str, other: str) -> None:
    assert terms(one) != terms(other)


def test_scripts_without_spaces_have_pairs_of_characters() -> None:
    assert terms("東京都 は A") == ["東京", "京都", "は", "a"]


@pytest.mark.parametrize("text", ["", "  ", "!?", "\0", "\ud800", "\U0001f600", "\u200b\u00ad"])
def test_what_has_no_word_has_no_term(text: str) -> None:
    assert terms(text) == []


def brute_force(texts: list[str], query: str) -> list[float]:
    """BM25 as it stands in the books, with the index's rule for common terms."""
    counts = [Counter(terms(text)) for text in texts]
    average = sum(count.total() for count in counts) / len(texts) or 1.0
    scores = [0.0] * len(texts)
    for term in set(terms(query)):
        holding = sum(term in count for count in counts)
        if holding > max(64, len(texts) / 10):
            continue
        weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for number, count in enumerate(counts):
            length = 1 - 0.75 + 0.75 * count.total() / average
            scores[number] += weight * count[term] * 2.2 / (count[term] + 1.2 * length)
    return scores


_TEXT = st.lists(
    st.sampled_from("the a of tower towers built paris rome 1889 1,200 東京 , .".split()),
    max_size=12,
).map(" ".join)


@given(st.lists(_TEXT, min_size=1, max_size=12), _TEXT)
def test_the_order_is_that_of_bm25_by_brute_force(texts: list[str], query: str) -> None:
    scores = brute_force(texts, query)
    order = LexicalIndex(texts).best(query, len(texts))
    assert sorted(order) == list(range(len(texts)))
    ranked = [scores[number] for number in order]
    assert ranked == pytest.approx(sorted(scores, reverse=True))
    without_score = [number for number in order if scores[number] == 0.0]
    assert without_score == sorted(without_score)


@given(st.lists(st.text(max_size=40), max_size=5), st.text(max_size=20))
def test_every_text_can_be_indexed_and_queried(texts: list[str], query: str) -> None:
    assert sorted(LexicalIndex(texts).best(query, 9)) == list(range(len(texts)))


def test_a_term_that_occurs_in_many_texts_has_no_weight() -> None:
    texts = [f"the tower number {number}" for number in range(90)]
    index = LexicalIndex([*texts[:65], "bridges", *texts[65:]])
    assert index.best("the tower", 2) == [0, 1]
    assert index.weight("tower") == 0.0
    scores = brute_force(texts, "the tower number 80")
    assert LexicalIndex(texts).best("the tower number 80", 1) == [scores.index(max(scores))] == [80]


def test_texts_of_equal_score_are_in_their_order() -> None:
    assert LexicalIndex(["in Rome", "in Paris", "in Paris"]).best("Paris", 3) == [1, 2, 0]


def test_an_index_of_nothing_finds_nothing() -> None:
    assert LexicalIndex([]).best("Paris", 3) == []
    assert LexicalIndex(["", " "]).best("Paris", 3) == [0, 1]


def test_a_rare_term_weighs_more_and_one_that_is_nowhere_nothing() -> None:
    index = LexicalIndex(["in Rome", "in Paris", "in Berlin"])
    rare, common, nowhere = map(index.weight, terms("Rome in Oslo"))
    assert rare > common > nowhere == 0.0


def test_more_words_than_are_remembered_have_their_terms() -> None:
    text = " ".join(f"w{number}x" for number in range(20_000))
    assert terms(text) == text.split() == terms(text)
    assert terms("Walking dogs") == ["walk", "dog"]
