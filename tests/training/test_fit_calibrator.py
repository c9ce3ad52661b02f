"""The fit of the calibrator: it ends at the optimum, wherever it begins."""

import numpy as np
import pytest

from groundtypes.backends.calibration import FEATURES
from training import fit_calibrator
from training.fit_calibrator import Example, balanced, fit


def drawn(count: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    rows = np.c_[np.ones(count), rng.normal(size=(count, columns - 1))]
    truth = (rows @ np.linspace(-1, 2, columns) + rng.normal(size=count) > 0).astype(float)
    return rows, truth, np.full(count, 1 / count)


@pytest.mark.parametrize("start", [0.0, 1.0, -30.0, 400.0])
def test_the_regression_ends_where_its_slope_is_nought(start: float) -> None:
    rows, truth, counts = drawn(400, 6)
    weights = fit_calibrator._logistic(rows, truth, counts, np.full(6, start))
    said = 1 / (1 + np.exp(-(rows @ weights)))
    slope = rows.T @ (counts * (said - truth))
    slope[1:] += fit_calibrator._RIDGE * weights[1:]
    assert np.abs(slope).max() < 1e-4


def test_the_calibrator_tells_supported_texts_from_others() -> None:
    rng = np.random.default_rng(5)
    examples = []
    for number in range(200):
        supported = number % 2 == 0
        row = rng.normal(size=len(FEATURES))
        row[0], row[1] = 1.0, row[1] + (3.0 if supported else -3.0)
        other = np.array([1.0, -6.0, *np.zeros(len(row) - 2)])
        examples.append(Example((np.array([other, row]),), supported))
    assert balanced(examples, fit({"drawn": examples})) > 0.95
