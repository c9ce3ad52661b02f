"""Passages are whole sentences that fit a model's window, with overlap."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.chunks import chunk_spans
from groundtypes.text.sentences import sentence_spans

SENTENCES = [f"This sentence of eight words has number {number}." for number in range(20)]


def cut(text: str, words: int) -> list[str]:
    return [text[start:end] for start, end in chunk_spans(text, words)]


def test_a_text_that_fits_is_one_chunk() -> None:
    assert cut(" ".join(SENTENCES[:5]), 40) == [" ".join(SENTENCES[:5])]
    assert cut(" It is short.\n", 110) == ["It is short."]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_text_without_words_has_no_chunk(text: str) -> None:
    assert cut(text, 110) == []


def test_chunks_are_whole_sentences_and_overlap_by_one() -> None:
    chunks = cut(" ".join(SENTENCES), 40)
    assert chunks[0] == " ".join(SENTENCES[:5])
    assert chunks[1] == " ".join(SENTENCES[4:9])
    assert chunks[-1].endswith(SENTENCES[-1])


def test_a_sentence_of_more_than_a_third_of_a_chunk_is_not_repeated() -> None:
    assert cut(" ".join(SENTENCES[:4]), 20) == [
        " ".join(SENTENCES[:2]),
        " ".join(SENTENCES[2:4]),
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    text = "so " * 100
    assert [len(part.split()) for part in cut(text, 30)] == [30, 30, 30, 10]


def test_two_characters_count_as_a_word_in_scripts_without_spaces() -> None:
    assert [len(part) for part in cut("东京" * 100, 50)] == [100, 100]


@pytest.mark.parametrize("text", ["a" * 5_000, "!" * 5_000, "- " * 2_000, "\0" * 3_000])
def test_chunks_without_words_or_spaces_are_bounded_too(text: str) -> None:
    assert max(map(len, cut(text, 20))) <= 200


def test_a_chunk_has_at_least_one_word() -> None:
    with pytest.raises(ValueError, match="at least one"):
        chunk_spans("one", 0)


@given(
    st.lists(
        st.sampled_from(
            ["One two.", "Three four five six.", "x" * 60, "。", "东京", "\n\n", "- ", "! "]
        ),
        max_size=60,
    ).map(" ".join),
    st.integers(1, 30),
)
def test_chunks_hold_every_sentence_in_order_and_nothing_else(text: str, words: int) -> None:
    chunks = chunk_spans(text, words)
    assert all(start < end for start, end in chunks)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in pairwise(chunks))
    covered = set().union(*(range(start, end) for start, end in chunks))
    wanted = set().union(*(range(start, end) for start, end in sentence_spans(text)))
    assert {at for at in wanted - covered if not text[at].isspace()} == set()
    assert all(end - start <= max(16, 10 * words) for start, end in chunks)
