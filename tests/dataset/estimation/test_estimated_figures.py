"""The arithmetic of an estimate: sums, intervals, and questions that are repeated."""

import random
from statistics import fmean

import pytest

from groundtypes.dataset.estimation.sampling import Interval, repetition, total


def test_what_is_wholly_known_has_no_uncertainty() -> None:
    assert total([3, 4, 5], 3) == Interval(12, 12, 12)
    assert total([], 0) == Interval(0, 0, 0)


def test_what_was_seen_is_the_least() -> None:
    found = total([0, 0, 90], 6)
    assert found.low == 90
    assert found.value == 180


def test_the_interval_of_a_skewed_sum_mostly_holds_it() -> None:
    generator = random.Random(1)
    population = [generator.lognormvariate(0, 0.5) for _ in range(200)]
    hits = 0
    for _ in range(400):
        found = total(generator.sample(population, 8), len(population))
        hits += found.low <= sum(population) <= found.high
    assert 0.9 <= hits / 400 <= 0.99


@pytest.mark.parametrize(
    ("questions", "different"),
    [
        pytest.param(range(6400), 6400, id="all different"),
        pytest.param([number % 40 for number in range(6400)], 40, id="few, often"),
        pytest.param([number % 3200 for number in range(6400)], 3200, id="each twice, far apart"),
        pytest.param([number // 2 for number in range(6400)], 3200, id="each twice, side by side"),
    ],
)
def test_how_many_questions_are_different_is_told_from_a_tenth(
    questions: list[int], different: int
) -> None:
    generator = random.Random(2)
    segments = [questions[start : start + 4] for start in range(0, 6400, 4)]
    generator.shuffle(segments)
    batches = [
        {question for segment in segments[start : start + 16] for question in segment}
        for start in range(0, 1600, 16)
    ]
    estimates = []
    for _ in range(20):
        sample = generator.sample(batches, 10)
        share = repetition(sample, len(batches))
        estimates.append(share * fmean(map(len, sample)) * len(batches))
    assert fmean(estimates) == pytest.approx(different, rel=0.25)


def test_without_questions_none_is_repeated() -> None:
    assert repetition([set(), set()], 10) == 1.0


def test_uncertainties_add_up_as_independent_ones() -> None:
    found = Interval(100, 97, 103).widened(0.04)
    assert [found.low, found.high] == pytest.approx([95, 105])
