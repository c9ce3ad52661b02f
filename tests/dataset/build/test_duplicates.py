"""Texts that share nearly all their runs of words are found, and others are not taken for them."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.dataset.build.example_index import ExampleIndex, band_keys, resemblance, shingles
from tests.command_line import environment


def text_of(random_: random.Random, words: int) -> list[str]:
    return [f"word{random_.randrange(5000)}" for _ in range(words)]


def test_nearly_every_pair_that_resembles_by_nine_tenths_is_found(tmp_path: Path) -> None:
    random_ = random.Random(1)
    found = close = 0
    for number in range(300):
        words = text_of(random_, random_.randrange(60, 300))
        changed = list(words)
        for _ in range(random_.randrange(1, 4)):
            changed[random_.randrange(len(words))] = "changed"
        one, other = shingles(" ".join(words)), shingles(" ".join(changed))
        if resemblance(one, other) < 0.9:
            continue
        close += 1
        with ExampleIndex(tmp_path / f"{number}.sqlite", 0.9) as index:
            assert index.add(1, "00" * 12, None, " ".join(words), []) is None
            found += index.add(2, "01" * 12, None, " ".join(changed), []) is not None
    assert close > 100
    assert found >= 0.99 * close


def test_texts_that_differ_are_never_taken_for_duplicates(tmp_path: Path) -> None:
    random_ = random.Random(2)
    with ExampleIndex(tmp_path / "index.sqlite", 0.9) as index:
        for number in range(2000):
            text = " ".join(text_of(random_, 30))
            assert index.add(number, f"{number:024x}", None, text, []) is None


@given(st.text(max_size=200))
def test_a_text_resembles_itself_in_any_case_and_punctuation(text: str) -> None:
    runs = shingles(text)
    assert resemblance(runs, runs) == 1.0
    assert band_keys(runs) == band_keys(frozenset(runs))
    assert len(band_keys(runs)) == 8
    assert all(-(2**63) <= key < 2**63 for key in band_keys(runs))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello, big world again!", "hello BIG world... again"),
        ("今日は良い天気です", "今日は 良い天気です。"),
    ],
)
def test_case_punctuation_and_the_space_between_characters_do_not_count(
    one: str, other: str
) -> None:
    assert shingles(one) == shingles(other)


def test_one_character_more_is_a_small_change_in_scripts_without_spaces() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(100))
    assert 0.9 < resemblance(shingles(text), shingles(text + "\u9000")) < 1


def test_keys_are_the_same_in_every_process() -> None:
    code = (
        "from groundtypes.dataset.build.example_index import band_keys, shingles;"
        "print(band_keys(shingles('one two three four five six')))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment({"PYTHONHASHSEED": seed}),
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]


def test_a_long_text_takes_bounded_work() -> None:
    assert len(shingles("a b c d e f " * 2_000_000)) <= 200_000
