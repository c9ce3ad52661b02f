"""Pairs fit the window: the premise loses its end first, the hypothesis only what it must."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import Pair
from groundtypes.backends.tokenization import PairTokenizer, window_of
from groundtypes.errors import BackendError


def encode(texts: Sequence[str]) -> list[list[int]]:
    return [[100 + len(word) for word in text.split()] for text in texts]


def encode_pair(first: str, second: str) -> tuple[list[int], list[int]]:
    one, two = encode([first, second])
    return [1, *one, 2, *two, 3], [0] * (len(one) + 2) + [1] * (len(two) + 1)


def words(count: int) -> str:
    return "a " * count


@given(first=st.integers(0, 60), second=st.integers(0, 60), window=st.integers(5, 50))
def test_a_pair_fits_and_keeps_all_it_can(first: int, second: int, window: int) -> None:
    (pair,) = PairTokenizer(encode, encode_pair, window).tokenize(
        [Pair(words(first), words(second))]
    )
    room = window - 3
    read_of_second = pair.types.count(1) - 1
    assert len(pair.ids) == len(pair.types) == min(room, first + second) + 3
    assert pair.cut == (read_of_second < second)
    assert read_of_second == min(second, max(room // 2, room - first))
    if first + second <= room:
        assert (pair.ids, pair.types) == encode_pair(words(first), words(second))


def test_each_text_is_encoded_once() -> None:
    seen: list[str] = []

    def counting(texts: Sequence[str]) -> list[list[int]]:
        seen.extend(texts)
        return encode(texts)

    tokenizer = PairTokenizer(counting, encode_pair, 50)
    seen.clear()
    tokenizer.tokenize([Pair("premise", f"claim {number % 3}") for number in range(9)])
    assert sorted(seen) == ["claim 0", "claim 1", "claim 2", "premise"]


def test_no_more_is_encoded_than_can_be_read() -> None:
    lengths: list[int] = []

    def measuring(texts: Sequence[str]) -> list[list[int]]:
        lengths.extend(map(len, texts))
        return encode(texts)

    (pair,) = PairTokenizer(measuring, encode_pair, 50).tokenize([Pair("a " * 10**6, "b" * 10**6)])
    assert max(lengths) <= 50 * 12
    assert pair.cut


def test_lone_surrogates_are_made_readable() -> None:
    seen: list[str] = []

    def strict(texts: Sequence[str]) -> list[list[int]]:
        seen.extend(text.encode().decode() for text in texts)
        return encode(texts)

    PairTokenizer(strict, encode_pair, 50).tokenize([Pair("it \ud800 is", "\ud83d\ude00")])
    assert seen[-2:] == ["it \ufffd is", "\U0001f600"]


def test_a_tokenizer_that_joins_pairs_in_an_unknown_way_is_refused() -> None:
    with pytest.raises(BackendError, match="not understood"):
        PairTokenizer(encode, lambda first, second: ([1, 2, 3], [0, 0, 0]), 50)


def test_a_window_that_holds_no_pair_is_refused() -> None:
    with pytest.raises(BackendError, match="4 tokens holds no pair"):
        PairTokenizer(encode, encode_pair, 4)


@pytest.mark.parametrize(
    ("config", "stated", "window"),
    [
        ({"max_position_embeddings": 512}, (), 512),
        ({"max_position_embeddings": 512, "max_length": 320}, (), 320),
        ({"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1}, (), 512),
        ({"max_position_embeddings": 130, "model_type": "roberta", "pad_token_id": 1}, (), 128),
        ({"max_position_embeddings": 8192}, (), 512),
        ({"max_position_embeddings": 512}, (10**30,), 512),
        ({"max_position_embeddings": 512}, (256,), 256),
        ({"max_position_embeddings": -1}, (), 512),
        ({}, (None,), 512),
    ],
)
def test_the_window_is_the_least_that_is_stated(
    config: dict[str, object], stated: tuple[object, ...], window: int
) -> None:
    assert window_of(config, *stated) == window
