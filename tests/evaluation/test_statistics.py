"""Means of a run with their intervals, and two runs compared."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.evaluation import aggregate, compare


def _run(*scores: float | None) -> list[dict[str, float | None]]:
    return [{"answer_by_context": score} for score in scores]


def test_the_mean_counts_only_rows_that_have_the_metric() -> None:
    result = aggregate(_run(1.0, None, 0.0))["answer_by_context"]
    assert (result.mean, result.rows) == (0.5, 2)
    assert aggregate([]) == {}


def test_the_same_rows_give_the_same_interval_and_more_rows_a_smaller_one() -> None:
    generator = random.Random(5)
    values = [generator.random() for _ in range(400)]
    few, many = aggregate(_run(*values[:40])), aggregate(_run(*values))
    assert few == aggregate(_run(*values[:40]))
    means = [run["answer_by_context"] for run in (few, many)]
    widths = [mean.high - mean.low for mean in means]
    assert widths[1] < widths[0]


def test_the_normal_and_the_bootstrap_interval_are_nearly_the_same() -> None:
    generator = random.Random(6)
    values = [generator.random() for _ in range(2_000)]
    bootstrap = aggregate(_run(*values[:1_999]))["answer_by_context"]
    normal = aggregate(_run(*values))["answer_by_context"]
    assert bootstrap.low == pytest.approx(normal.low, abs=0.005)
    assert bootstrap.high == pytest.approx(normal.high, abs=0.005)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_the_mean_lies_in_its_interval_up_to_the_tails(values: list[float]) -> None:
    result = aggregate(_run(*values))["answer_by_context"]
    assert 0.0 <= result.low <= result.high <= 1.0
    assert result.low - 0.35 <= result.mean <= result.high + 0.35


def test_a_small_difference_in_every_row_is_clear_because_the_rows_are_paired() -> None:
    generator = random.Random(7)
    first = [generator.random() * 0.9 for _ in range(60)]
    second = [value + 0.05 for value in first]
    result = compare(_run(*first), _run(*second))["answer_by_context"]
    assert result.clear
    assert result.mean == pytest.approx(0.05)
    assert (result.larger, result.smaller, result.same) == (60, 0, 0)
    assert not compare(_run(*first), _run(*first))["answer_by_context"].clear


def test_rows_without_the_metric_in_one_run_are_not_compared() -> None:
    result = compare(_run(1.0, None, 0.0), _run(None, 1.0, 1.0))["answer_by_context"]
    assert (result.rows, result.mean) == (1, 1.0)


def test_runs_of_different_length_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="2 and 1"):
        compare(_run(1.0, 0.0), _run(1.0))


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, 95.0])
def test_a_level_is_a_probability(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        aggregate(_run(1.0, 0.0), level=level)
