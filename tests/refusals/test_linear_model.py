"""The table of refusals: what is written is what is read, and a damaged file is a mistake."""

import hashlib
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import features as declining
from groundtypes.refusals import linear_model as refusal_model
from groundtypes.refusals.features import (
    groups,
    may_decline,
    own_words,
    plain_head,
    row_of,
    words_of,
)
from groundtypes.refusals.heads import head_spans
from groundtypes.refusals.linear_model import Table, packed, unpacked
from groundtypes.refusals.phrases import foreign_phrase
from training.refusal_frames import examples
from training.refusal_sets import part

_WORD = st.text("abcdefgh<>é", min_size=1, max_size=5)
_GROUP = st.lists(_WORD, min_size=1, max_size=4).map(tuple)
_WEIGHTS = st.tuples(*[st.integers(-127, 127)] * 4)


def _row(text: str) -> list[str]:
    head = plain_head(text, head_spans(text))
    return row_of(own_words(head, words_of(head)), whole=True)


@given(st.dictionaries(_GROUP, _WEIGHTS, min_size=1, max_size=20))
def test_a_packed_table_is_read_as_it_was(weights: dict[tuple[str, ...], tuple[int, ...]]) -> None:
    table = Table.of(weights, (0.1, 0.2, 0.3, 0.4), (1.0, -1.0, 0.5, 0.0))
    assert unpacked(packed(table)) == table


@given(
    st.dictionaries(_GROUP, _WEIGHTS, min_size=1, max_size=20),
    st.lists(st.text("ab", min_size=1, max_size=1), max_size=12),
)
def test_what_a_table_knows_of_a_row_are_its_groups_where_they_begin(
    weights: dict[tuple[str, ...], tuple[int, ...]], row: list[str]
) -> None:
    short = {tuple(word[:1] for word in group): numbers for group, numbers in weights.items()}
    table = Table.of(short, (0.1,) * 4, (0.0,) * 4)
    names = table.groups
    assert names == sorted(short)
    assert dict(zip(names, zip(*table.runs, strict=True), strict=True)) == short
    known, begins = table.known(row)
    assert {names[number] for number in known if number >= 0} == short.keys() & set(groups(row))
    assert len(begins) == len(row) + 1
    for at, (start, end) in enumerate(pairwise(begins)):
        for number in known[start:end]:
            assert number < 0 or tuple(row[at : at + len(names[number])]) == names[number]


@given(_WEIGHTS, _WEIGHTS)
def test_a_group_counts_once_however_often_it_stands_in_a_head(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    table = Table.of({("a",): one, ("b",): other}, (0.1,) * 4, (0.3,) * 4)
    often, _ = table.known(["a", "b", "a", "x", "a"])
    once, _ = table.known(["a", "b"])
    assert table.declines(often) == table.declines(once)
    assert table.kind(often) == table.kind(once)


def test_the_table_in_the_package_is_small_and_the_one_that_its_checksum_names() -> None:
    folder = files("groundtypes.refusals") / "data"
    data = (folder / "refusals.bin").read_bytes()
    wanted = (folder / "refusals.bin.sha256").read_text(encoding="ascii").split()[0]
    assert len(data) <= 3_000_000
    assert hashlib.sha256(data).hexdigest() == wanted


def test_a_damaged_table_is_a_mistake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "refusals.bin").write_bytes(b"{}\n")
    (tmp_path / "data" / "refusals.bin.sha256").write_text("0" * 64)
    monkeypatch.setattr(refusal_model, "files", lambda _: tmp_path)
    refusal_model.table.cache_clear()
    try:
        with pytest.raises(BackendError):
            detect_refusal("I cannot help with that.")
    finally:
        refusal_model.table.cache_clear()


def test_no_written_example_that_declines_is_passed_over_by_the_guard() -> None:
    passed = [
        text
        for text, kind in examples(3)
        if kind != "answer"
        and not may_decline(words_of(plain_head(text, head_spans(text))))
        and detect_refusal(text).kind == "answer"
    ]
    assert passed == []


def test_no_written_example_in_english_is_taken_for_another_language() -> None:
    for text, _ in examples(2):
        head = plain_head(text, head_spans(text))
        assert foreign_phrase(words_of(head), head) is None or "Je ne" in text


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
def test_a_head_is_cut_into_sentences(text: str, count: int) -> None:
    assert len(head_spans(text)) == count


@given(st.text(max_size=1500))
def test_spans_of_a_head_stand_in_order_inside_the_text(text: str) -> None:
    before = 0
    for start, end in head_spans(text):
        assert before <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        before = end


def test_groups_mark_where_sentences_begin_and_the_text_ends() -> None:
    text = "I cannot help with that request. It is against the rules."
    found = set(groups(_row(text)))
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
    assert _row(said) == _row(same)


@pytest.mark.parametrize("word", ["don't", "mustn't", "wasn't", "can't", "model's", "nobody'd"])
def test_a_contraction_is_looked_at_like_its_first_half(word: str) -> None:
    assert may_decline([word])


def test_so_many_short_words_are_remembered_and_no_more() -> None:
    folds = declining._Folds()
    most, longest = declining._Folds._MOST, declining._Folds._LONGEST
    assert folds["x" * (longest + 1)] == ("x" * (longest + 1),)
    assert not folds
    for number in range(most + 50):
        assert folds[f"word{number}"] == (f"word{number}",)
    assert len(folds) == most
