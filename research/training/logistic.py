"""Logistic regression with a ridge, for few features."""

from typing import Any, Final

import numpy as np

__all__ = ["Array", "logistic"]

Array = np.ndarray[Any, Any]

_STEPS: Final = 60
_SMALL: Final = 1e-6


def logistic(rows: Array, truth: Array, counts: Array, start: Array, ridge: float) -> Array:
    """Return the weights of a regression, by Newton's method with shorter steps.

    Each row counts as often as `counts` says; the first feature, the bias, has no ridge.
    """
    penalty = np.full(rows.shape[1], ridge)
    penalty[0] = 0.0

    def loss(weights: Array) -> float:
        missed = np.logaddexp(0.0, -(2 * truth - 1) * (rows @ weights))
        return float(np.sum(counts * missed) + 0.5 * np.sum(penalty * weights**2))

    weights = start.copy()
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (counts * (expected - truth)) + penalty * weights
        curve = (rows * (counts * expected * (1 - expected))[:, None]).T @ rows
        step = np.linalg.solve(curve + np.diag(penalty + 1e-9), slope)
        # Far from the optimum a full step overshoots, and the next one even more.
        while loss(weights - step) > loss(weights) and float(np.abs(step).max()) > _SMALL:
            step = step / 2
        weights = weights - step
        if float(np.abs(step).max()) < _SMALL:
            break
    return weights
