"""Batches have little padding, and one that memory does not hold is halved."""

from collections.abc import Sequence
from threading import Barrier
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.backends.batching import plan_batches, run_in_batches
from groundtypes.errors import BackendError, MissingJudgeError

LENGTHS = st.lists(st.integers(min_value=1, max_value=600), max_size=60)


@given(lengths=LENGTHS, budget=st.integers(min_value=1, max_value=2000))
def test_every_text_is_in_one_batch_and_no_batch_is_over_the_budget(
    lengths: list[int], budget: int
) -> None:
    batches = plan_batches(lengths, budget)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        padded = len(batch) * max(lengths[place] for place in batch)
        assert padded <= budget or len(batch) == 1


@given(lengths=LENGTHS)
def test_batches_go_from_long_to_short(lengths: list[int]) -> None:
    sorted_lengths = [lengths[place] for batch in plan_batches(lengths, 700) for place in batch]
    assert sorted_lengths == sorted(lengths, reverse=True)


class Small:
    """A model whose memory holds so many texts at once."""

    def __init__(self, holds: int, error: Exception) -> None:
        self.holds = holds
        self.error = error
        self.sizes: list[int] = []

    def __call__(self, places: Sequence[int]) -> list[int]:
        self.sizes.append(len(places))
        if len(places) > self.holds:
            raise self.error
        return [place * 10 for place in places]


def run(model: Small, count: int = 8) -> dict[int, int]:
    outputs: dict[int, int] = {}
    for places, answers in run_in_batches([5] * count, 1000, model):
        outputs.update(zip(places, answers, strict=True))
    return outputs


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB"),
        RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
        RuntimeError("Failed to allocate memory for requested buffer of size 4294967296"),
        RuntimeError("std::bad_alloc"),
    ],
    ids=["python", "cuda", "torch", "onnxruntime", "c++"],
)
def test_a_batch_that_memory_does_not_hold_is_halved_until_it_does(error: Exception) -> None:
    model = Small(2, error)
    assert run(model) == {place: place * 10 for place in range(8)}
    assert model.sizes == [8, 4, 2, 2, 4, 2, 2]


def test_a_single_pair_that_memory_does_not_hold_is_a_mistake_with_its_size() -> None:
    with pytest.raises(BackendError, match="single pair of 5 tokens") as caught:
        run(Small(0, MemoryError()))
    assert isinstance(caught.value.__cause__, MemoryError)


def test_any_other_failure_is_a_mistake_at_once() -> None:
    model = Small(0, ValueError("bad shape"))
    with pytest.raises(BackendError, match="bad shape"):
        run(model)
    assert model.sizes == [8]


def test_a_mistake_stays_what_it_is() -> None:
    with pytest.raises(MissingJudgeError):
        run(Small(0, MissingJudgeError("none")))


def test_too_few_rows_are_a_mistake() -> None:
    with pytest.raises(BackendError, match="1 rows for 3 pairs"):
        list(run_in_batches([1, 1, 1], 100, lambda places: [0]))


def test_several_batches_are_run_at_once_and_come_in_their_order() -> None:
    both_run = Barrier(2)

    def model(places: Sequence[int]) -> list[int]:
        both_run.wait(timeout=20)  # it breaks unless two batches are run at the same time
        return [place * 10 for place in places]

    lengths = [9, 8, 7, 6]
    outputs = list(run_in_batches(lengths, 9, model, at_once=2))
    assert outputs == [([place], [place * 10]) for place in range(4)]


def test_no_batch_begins_after_one_that_failed() -> None:
    sizes = []

    def model(places: Sequence[int]) -> list[int]:
        sizes.append(len(places))
        raise ValueError("bad shape")

    with pytest.raises(BackendError, match="bad shape"):
        list(run_in_batches([1] * 500, 1, model, at_once=2))
    assert len(sizes) < 500


def test_no_batch_begins_once_nobody_reads() -> None:
    begun = []

    def model(places: Sequence[int]) -> list[int]:
        begun.append(places)
        sleep(0.01)
        return list(places)

    running = run_in_batches([1] * 500, 1, model, at_once=2)
    next(running)
    running.close()
    stopped_at = len(begun)
    assert stopped_at < 500
    sleep(0.05)
    assert len(begun) == stopped_at
