"""Review bands: the bound holds on draws whose risk is known, and labels decide something."""

import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Calibration, Judges, calibrate
from groundtypes.backends.operating_point import ReviewBand
from groundtypes.calibration.review_bands import (
    ReviewBandResult,
    allowed_errors,
    find_band,
    labels_needed,
    starts_of,
)
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.errors import CalibrationError, ContextError
from tests.backends.test_operating_point import calibration
from tests.calibration.rows import engine, labelled, overlapping, separated

_RISK, _DELTA = 0.05, 0.05
_DRAWS, _TEXTS = 300, 300


def _tail(errors: int, texts: int, risk: Fraction) -> Fraction:
    """P(X <= errors), X ~ Binomial(texts, risk), without rounding."""
    terms = (math.comb(texts, k) * risk**k * (1 - risk) ** (texts - k) for k in range(errors + 1))
    return sum(terms, Fraction(0))


@pytest.mark.parametrize(("risk", "level"), [(0.05, 0.025), (0.2, 0.01), (0.5, 0.3), (0.9, 0.05)])
def test_the_test_allows_as_many_errors_as_the_binomial_tail_does(
    risk: float, level: float
) -> None:
    allowed = allowed_errors(200, risk, level)
    assert len(allowed) == 201
    for texts in range(0, 201, 40):
        errors = allowed[texts]
        if errors >= 0:
            assert _tail(errors, texts, Fraction(risk)) <= level
        assert _tail(errors + 1, texts, Fraction(risk)) > level
    assert allowed.index(0) == labels_needed(risk, level)


def test_a_large_number_of_texts_is_tested_as_exactly() -> None:
    texts, risk, level = 200_000, 0.05, 0.01
    errors = allowed_errors(texts, risk, level)[-1]

    def tail(errors: int) -> float:
        logs = (
            math.lgamma(texts + 1) - math.lgamma(k + 1) - math.lgamma(texts - k + 1)
            + k * math.log(risk) + (texts - k) * math.log1p(-risk)
            for k in range(errors + 1)
        )  # fmt: skip
        return math.fsum(map(math.exp, logs))

    assert tail(errors) <= level < tail(errors + 1)


def test_few_texts_have_one_start_and_many_have_more_at_a_smaller_level() -> None:
    assert starts_of(100, 0.05, 0.025) == ([72], 0.025)
    assert starts_of(400, 0.05, 0.025) == ([86, 172], 0.0125)


#: The probability that a text with this score is right, by what the scores are like.
_RIGHT: dict[str, Callable[[float], float]] = {
    "good": lambda score: 1.0 / (1.0 + math.exp(-16.0 * (score - 0.5))),
    "just too bad": lambda score: 0.945 if score >= 0.5 else 0.055,
    "without meaning": lambda _: 0.5,
    "exchanged": lambda score: 1.0 - score,
    "in waves": lambda score: 0.95 + 0.049 * math.sin(40.0 * score),
}


def _drawn(right: Callable[[float], float], seed: int, digits: int) -> list[ScoredRow]:
    numbers = random.Random(seed)
    scores = [round(numbers.random(), digits) for _ in range(_TEXTS)]
    return [
        ScoredRow(score, numbers.random() < right(score), str(number))
        for number, score in enumerate(scores)
    ]


def _breaks(found: ReviewBandResult, right: Callable[[float], float], digits: int) -> bool:
    """Whether the true risk beyond one of the limits is above the risk that was asked for."""
    band = found.band
    scores = [round((at + 0.5) / 2_000, digits) for at in range(2_000)]
    for decision in ("accept", "reject"):
        decided = [right(score) for score in scores if band.decision(score) == decision]
        if decided:
            mean = math.fsum(decided) / len(decided)
            if (1.0 - mean if decision == "accept" else mean) > _RISK:
                return True
    return False


@pytest.mark.parametrize("digits", [6, 1], ids=["distinct scores", "eleven scores"])
@pytest.mark.parametrize("name", _RIGHT)
def test_the_bound_is_broken_in_at_most_the_share_of_draws_that_delta_allows(
    name: str, digits: int
) -> None:
    right, broken, reviewed = _RIGHT[name], 0, 0
    known: dict[Any, bool] = {}
    for seed in range(_DRAWS):
        found = find_band(_drawn(right, seed, digits), 0.5, _RISK, _DELTA)
        reviewed += found.reviewed
        limits = (found.band.low, found.band.high)
        if limits != (None, None):
            if limits not in known:
                known[limits] = _breaks(found, right, digits)
            broken += known[limits]
    error = math.sqrt(_DELTA * (1.0 - _DELTA) / _DRAWS)
    assert broken / _DRAWS <= _DELTA + 3.0 * error
    share = reviewed / (_DRAWS * _TEXTS)
    # A bound that let nobody decide anything would hold as well.
    assert share < 0.7 if name == "good" else share > 0.4


def run(rows: Any, risk: float | None = _RISK, **options: Any) -> Any:
    return calibrate(rows, judges=Judges(nli=engine()), risk=risk, **options)


def _spread(count: int, **more: Any) -> list[dict[str, Any]]:
    """Rows of which the higher half of the scores is right."""
    return [labelled(n / count, 2 * n >= count, n, **more) for n in range(count)]


def test_enough_labels_without_an_error_decide_both_sides_and_few_decide_none() -> None:
    found = run(_spread(200))
    band = found.calibration.band
    assert band.low < found.threshold <= band.high
    assert (found.review.reviewed, found.review.accepted.errors) == (0, 0)
    assert [band.decision(score) for score in (0.0, 1.0)] == ["reject", "accept"]
    few = run(_spread(100))
    assert (few.calibration.band.low, few.calibration.band.high) == (None, None)
    assert few.calibration.band.decision(1.0) == few.calibration.band.decision(0.0) == "review"
    assert (few.review.accepted.needed, few.review.accepted.missing) == (72, 44)
    assert "takes 72 labelled texts at or above the threshold, and there are 50" in str(
        few.review.accepted.advice
    )
    # With these labels more, nothing else is lacking.
    assert run(_spread(144)).review.accepted.limit is not None


def test_an_error_among_the_safest_texts_is_told_and_does_not_stop_many_labels() -> None:
    rows = _spread(200)
    rows[-1]["label"] = False
    side = run(rows).review.accepted
    assert (side.limit, side.found, side.missing) == (None, 1, 0)
    assert "of the 72 texts with the highest scores, 1 is wrong" in str(side.advice)
    many = [labelled(n / 900, (2 * n >= 900) is (n % 150 > 0), n) for n in range(900)]
    found = run(many).review
    assert found.accepted.limit is not None
    assert found.accepted.errors > 0


def test_scores_of_two_values_decide_all_or_nothing() -> None:
    two = [labelled(0.9 if n % 2 else 0.1, bool(n % 2), n) for n in range(200)]
    found = run(two)
    assert (found.calibration.band.low, found.calibration.band.high) == (0.1, 0.9)
    noisy = [{**row, "label": row["label"] is (n > 19)} for n, row in enumerate(two)]
    assert run(noisy).review.reviewed == 200


_REFUSED: dict[str, tuple[list[dict[str, Any]], str]] = {
    "labels exchanged": ([{**r, "label": not r["label"]} for r in _spread(200)], "exchanged"),
    "equal scores": ([labelled(0.5, n % 2, n) for n in range(200)], "do not rise"),
    "no wrong row": ([labelled(n / 200, True, n) for n in range(200)], "0 unsupported"),
    "no right row": ([labelled(n / 200, False, n) for n in range(200)], "0 supported"),
    "a score that is NaN": (
        [*_spread(200), {"text": "x", "label": True, "score": math.nan}],
        "its score is nan",
    ),
}


@pytest.mark.parametrize(("rows", "told"), _REFUSED.values(), ids=_REFUSED.keys())
def test_rows_that_give_no_threshold_give_no_band(rows: Any, told: str) -> None:
    with pytest.raises(CalibrationError, match=told):
        run(rows)


@pytest.mark.parametrize(
    "options",
    [{"risk": 0.0}, {"risk": 1.0}, {"risk": math.nan}, {"delta": 0.0}, {"delta": 1.0}],
    ids=repr,
)
def test_a_risk_or_a_delta_that_makes_no_sense_is_a_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(ContextError, match=r"`(risk|delta)`"):
        run(separated(), **options)


def test_texts_on_the_same_references_are_counted_since_the_bound_takes_them_as_independent() -> (
    None
):
    assert run(_spread(200)).review.dependent == 0
    shared = [{**row, "references": ["The tower has a score."]} for row in _spread(200)]
    assert run(shared).review.dependent == 199


def test_without_a_risk_there_is_no_band() -> None:
    found = run(overlapping(), risk=None)
    assert (found.review, found.calibration.band) == (None, None)
    assert found.to_dict()["review"] is None


def test_the_file_keeps_the_band(tmp_path: Path) -> None:
    found = run(_spread(200))
    found.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == found.calibration
    json.dumps(found.to_dict(), allow_nan=False)
    # A file of before has none.
    plain = json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))
    del plain["band"]
    (tmp_path / "plain.json").write_text(json.dumps(plain), encoding="utf-8")
    assert Calibration.load(tmp_path / "plain.json").band is None


@pytest.mark.parametrize(("low", "high"), [(0.8, None), (None, 0.7), (0.9, 0.95), (0.1, 0.2)])
def test_a_band_without_the_threshold_is_refused(low: float | None, high: float | None) -> None:
    band = ReviewBand(low=low, high=high, risk=0.05, delta=0.05)
    with pytest.raises(CalibrationError, match="between which scores are reviewed"):
        calibration(0.8, band=band)
