"""The table of refusals: what is written is what is read, and a damaged file is a mistake."""

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import BackendError, detect_refusal
from groundtypes.text import refusal_model
from groundtypes.text.declining import (
    folded_words,
    groups,
    may_decline,
    plain_head,
    row_of,
    words_of,
)
from groundtypes.text.heads import head_spans
from groundtypes.text.phrases import foreign_phrase
from groundtypes.text.refusal_model import Table, packed, unpacked
from training.refusal_frames import examples
from training.refusal_sets import part

_WORD = st.text("abcdefgh<>é", min_size=1, max_size=5)
_GROUP = st.lists(_WORD, min_size=1, max_size=4).map(tuple)
_WEIGHTS = st.tuples(*[st.integers(-127, 127)] * 4)


@given(st.dictionaries(_GROUP, _WEIGHTS, min_size=1, max_size=20))
def test_a_packed_table_is_read_as_it_was(weights: dict[tuple[str, ...], tuple[int, ...]]) -> None:
    table = Table.of(weights, (0.1, 0.2, 0.3, 0.4), (1.0, -1.0, 0.5, 0.0))
    assert unpacked(packed(table)) == table


@given(
    st.dictionaries(_GROUP, _WEIGHTS, min_size=1, max_size=20),
    st.lists(st.text("ab", min_size=1, max_size=1), max_size=12),
    st.lists(_WORD, max_size=3, unique=True),
)
def test_what_a_table_knows_of_a_row_are_its_groups_each_once(
    weights: dict[tuple[str, ...], tuple[int, ...]], row: list[str], alone: list[str]
) -> None:
    short = {tuple(word[:1] for word in group): numbers for group, numbers in weights.items()}
    table = Table.of(short, (0.1,) * 4, (0.0,) * 4)
    assert table.weights == short
    wanted = [short[group] for group in short.keys() & set(groups(row))]
    wanted += [short[word,] for word in alone if (word,) in short]
    assert sorted(table.known(row, alone)) == sorted(wanted)


def test_the_table_in_the_package_is_small_and_the_one_that_its_checksum_names() -> None:
    folder = files("groundtypes.text") / "data"
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
    found = set(groups(row_of(folded_words(plain_head(text, head_spans(text))), whole=True)))
    assert ("<t>", "i", "can", "not") in found
    assert ("<s>", "it") in found
    assert ("rules", "</t>") in found
