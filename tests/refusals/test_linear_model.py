"""The model of refusals: what is written is what is read, and a damaged file is a mistake."""

import hashlib
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.refusal_sets import part
from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import features, linear_model, model_file
from groundtypes.refusals.english import is_english
from groundtypes.refusals.features import (
    ngrams,
    normalise,
    split_words,
    to_tokens,
    words_outside_quotations,
)
from groundtypes.refusals.linear_model import LinearModel
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.vocabulary import may_decline
from training.refusal_templates import examples

_WORD = st.text("abcdefgh<>é", min_size=1, max_size=5)
_NGRAM = st.lists(_WORD, min_size=1, max_size=4).map(tuple)
_WEIGHTS = st.tuples(*[st.integers(-127, 127)] * 4)


def _tokens(text: str) -> list[str]:
    opening = normalise(text, opening_spans(text))
    return to_tokens(words_outside_quotations(opening, split_words(opening)), is_whole=True)


@given(st.dictionaries(_NGRAM, _WEIGHTS, min_size=1, max_size=20))
def test_a_written_model_is_read_as_it_was(weights: dict[tuple[str, ...], tuple[int, ...]]) -> None:
    model = LinearModel.from_weights(weights, (0.1, 0.2, 0.3, 0.4), (1.0, -1.0, 0.5, 0.0))
    assert LinearModel.from_bytes(model.to_bytes()) == model


@given(
    st.dictionaries(_NGRAM, _WEIGHTS, min_size=1, max_size=20),
    st.lists(st.text("ab", min_size=1, max_size=1), max_size=12),
)
def test_the_ngrams_that_are_found_are_those_of_the_model_where_they_begin(
    weights: dict[tuple[str, ...], tuple[int, ...]], tokens: list[str]
) -> None:
    short = {tuple(word[:1] for word in ngram): numbers for ngram, numbers in weights.items()}
    model = LinearModel.from_weights(short, (0.1,) * 4, (0.0,) * 4)
    names = model.ngrams
    assert names == sorted(short)
    assert dict(zip(names, zip(*model.weights, strict=True), strict=True)) == short
    found, starts = model.find_ngrams(tokens)
    assert {names[number] for number in found if number >= 0} == short.keys() & set(ngrams(tokens))
    assert len(starts) == len(tokens) + 1
    for position, (start, end) in enumerate(pairwise(starts)):
        for number in found[start:end]:
            length = len(names[number])
            assert number < 0 or tuple(tokens[position : position + length]) == names[number]


@given(_WEIGHTS, _WEIGHTS)
def test_an_ngram_counts_once_however_often_it_occurs_in_an_opening(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    model = LinearModel.from_weights({("a",): one, ("b",): other}, (0.1,) * 4, (0.3,) * 4)
    often, _ = model.find_ngrams(["a", "b", "a", "x", "a"])
    once, _ = model.find_ngrams(["a", "b"])
    assert model.outputs(often) == model.outputs(once)


def test_the_model_in_the_package_is_small_and_the_one_that_its_checksum_names() -> None:
    folder = files("groundtypes.refusals") / "data"
    data = (folder / "refusals.bin").read_bytes()
    wanted = (folder / "refusals.bin.sha256").read_text(encoding="ascii").split()[0]
    assert len(data) <= 3_000_000
    assert hashlib.sha256(data).hexdigest() == wanted


def test_a_damaged_model_is_a_mistake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "refusals.bin").write_bytes(b"{}\n")
    (tmp_path / "data" / "refusals.bin.sha256").write_text("0" * 64)
    monkeypatch.setattr(model_file, "files", lambda _: tmp_path)
    linear_model.load_model.cache_clear()
    try:
        with pytest.raises(BackendError):
            detect_refusal("I cannot help with that.")
    finally:
        linear_model.load_model.cache_clear()


def test_no_written_example_that_declines_is_passed_over_by_the_guard() -> None:
    passed = [
        text
        for text, kind in examples(3)
        if kind != "answer"
        and not may_decline(split_words(normalise(text, opening_spans(text))))
        and detect_refusal(text).kind == "answer"
    ]
    assert passed == []


def test_written_examples_of_several_words_are_recognised_as_english() -> None:
    for text, _ in examples(2):
        opening = normalise(text, opening_spans(text))
        words = split_words(opening)
        if len(words) > 3 and "Je ne" not in text:
            assert is_english(words, is_ascii=opening.isascii()), text


def test_examples_are_the_same_each_time() -> None:
    assert list(examples(2)) == list(examples(2))


def test_rows_keep_their_part() -> None:
    parts = [part(f"row-{number}") for number in range(1000)]
    assert parts == [part(f"row-{number}") for number in range(1000)]
    assert 550 < parts.count("train") < 650
    assert 160 < parts.count("test") < 240


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One sentence here only.", 1),
        ("The U.S. Senate met at 5 p.m. on Monday. It rained then.", 2),
        ("First of all it rained. Then it snowed a bit. It froze after that. " * 9, 3),
        ("", 0),
        (" \n\t ", 0),
        ("I'm sorry. I cannot help with that request.", 1),
        ("It rained a whole day\n\nThen it snowed for weeks", 2),
        ("東京は日本の首都です。とても大きな都市で、人口も多いです。", 1),
    ],
)
def test_an_opening_is_cut_into_sentences(text: str, count: int) -> None:
    assert len(opening_spans(text)) == count


@given(st.text(max_size=1500))
def test_spans_of_an_opening_are_in_order_inside_the_text(text: str) -> None:
    before = 0
    for start, end in opening_spans(text):
        assert before <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        before = end


def test_ngrams_mark_where_sentences_begin_and_the_text_ends() -> None:
    text = "I cannot help with that request. It is against the rules."
    found = set(ngrams(_tokens(text)))
    assert ("<t>", "i", "can", "not") in found
    assert ("<s>", "it") in found
    assert ("rules", "</t>") in found


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("I can't help.", "I cannot help."),
        ("I cannot help.", "I can not help."),
        ("I won't do it.", "I will not do it."),
        ("It doesn't say.", "It does not say."),
        ("I’m afraid we’ve nothing.", "I am afraid we have nothing."),
        ("There's no date; that's all.", "There is no date; that is all."),
        ("They'd refuse, I'll not.", "They would refuse, I will not."),
        ("The 'document' is silent.", "The document is silent."),
    ],
)
def test_contractions_read_like_what_they_stand_for(said: str, same: str) -> None:
    assert _tokens(said) == _tokens(same)


@pytest.mark.parametrize("word", ["don't", "mustn't", "wasn't", "can't", "model's", "nobody'd"])
def test_a_contraction_may_decline_like_its_first_half(word: str) -> None:
    assert may_decline([word])


def test_so_many_short_words_are_remembered_and_no_more() -> None:
    tokens_of_words = features._TokensOfWords()
    max_entries, max_length = tokens_of_words._MAX_ENTRIES, tokens_of_words._MAX_LENGTH
    assert tokens_of_words["x" * (max_length + 1)] == ("x" * (max_length + 1),)
    assert not tokens_of_words
    for number in range(max_entries + 50):
        assert tokens_of_words[f"word{number}"] == (f"word{number}",)
    assert len(tokens_of_words) == max_entries
