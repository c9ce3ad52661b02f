"""Weights rounded to 4 bits in blocks, so that the outputs of their product change little.

The rows of a weight are rounded one after the other, and the error of each is made up for by the
rows that follow, as far as their inputs vary together (GPTQ, https://arxiv.org/abs/2210.17323).
Weights that were stored in such blocks before are stored in the same ones (`exact_blocks`).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from training.onnx_graph import Array

__all__ = ["BLOCK", "Blocks", "exact_blocks", "rounded_blocks"]

#: How many weights of a column share a scale.
BLOCK: Final = 32
#: How much of the range of a block the sixteen numbers cover, at least and at most: a smaller step
#: is worth more to the many small weights than the few large ones lose.
_SHARES: Final = np.linspace(0.72, 1.0, 8, dtype=np.float32)
#: This share of the mean square of the inputs is added to each, as if they varied on their own. Of
#: 0.003, 0.01, 0.03 and 0.1, this value left the least error on inputs that the rounding had not
#: seen.
_DAMPING: Final = 0.1
#: The number that stands for zero in blocks that are taken over, and how far a weight may be from
#: the nearest number of steps.
_ZERO: Final = 8
_TOLERANCE: Final = 0.01


@dataclass(frozen=True)
class Blocks:
    """A weight in blocks of 4 bits, in the layout of ONNX Runtime's `MatMulNBits`."""

    #: uint8, two weights in a byte, the first in the lower half: columns, blocks, 16.
    packed: Array
    #: float16, the size of a step: columns, blocks.
    scales: Array
    #: uint8, the number that stands for zero, two in a byte as above: columns, blocks / 2.
    zeros: Array
    #: What the weights are worth after rounding: rows, columns.
    values: Array


def rounded_blocks(weight: Array, moments: Array) -> Blocks:
    """Return the weight in blocks; `moments` are the mean products of each two of its inputs."""
    rows, columns = weight.shape
    padded = rows + -rows % BLOCK
    moments = np.pad(moments.astype(np.float64), (0, padded - rows))
    importance = np.maximum(np.diag(moments), 1e-12).astype(np.float32)
    factor = _inverse_factor(moments)
    remaining = np.zeros((padded, columns), np.float32)
    remaining[:rows] = weight
    numbers = np.zeros((padded, columns), np.float32)
    scales, zeros = (np.zeros((padded // BLOCK, columns), np.float32) for _ in range(2))
    for number in range(padded // BLOCK):
        start, end = number * BLOCK, (number + 1) * BLOCK
        scale, zero = _steps(remaining[start:end], importance[start:end])
        scales[number], zeros[number] = scale, zero
        errors = np.empty((BLOCK, columns), np.float32)
        for row in range(start, end):
            numbers[row] = np.clip(np.rint(remaining[row] / scale) + zero, 0, 15)
            error = remaining[row] - (numbers[row] - zero) * scale
            errors[row - start] = error / factor[row, row]
            remaining[row:end] -= np.outer(factor[row, row:end], errors[row - start])
        remaining[end:] -= factor[start:end, end:].T @ errors
    values = (numbers - np.repeat(zeros, BLOCK, axis=0)) * np.repeat(scales, BLOCK, axis=0)
    return Blocks(
        packed=_packed(numbers.T).reshape(columns, -1, BLOCK // 2),
        scales=np.ascontiguousarray(scales.T).astype(np.float16),
        zeros=_packed(zeros.T),
        values=np.ascontiguousarray(values[:rows]),
    )


def exact_blocks(weight: Array) -> Blocks | None:
    """Return the blocks in which a weight was stored; `None` if it was not stored in any.

    They are those of ggml's Q4_0: the largest weight of a block is eight steps below zero, or above
    it if the step is negative.
    """
    rows, columns = weight.shape
    if rows % BLOCK:
        return None
    blocks = weight.reshape(-1, BLOCK, columns)
    places = np.abs(blocks).argmax(axis=1)[:, None]
    steps = np.take_along_axis(blocks, places, axis=1) / -_ZERO
    numbers = blocks / np.where(steps == 0, 1, steps)
    nearest = np.rint(numbers)
    if np.abs(numbers - nearest).max() > _TOLERANCE or nearest.max() >= _ZERO:
        return None
    scales = steps[:, 0].T.astype(np.float16)
    stored = (nearest + _ZERO).reshape(rows, columns)
    return Blocks(
        packed=_packed(stored.T).reshape(columns, -1, BLOCK // 2),
        scales=np.ascontiguousarray(scales),
        zeros=_packed(np.full((columns, rows // BLOCK), _ZERO)),
        values=(nearest * scales.T.astype(np.float32)[:, None]).reshape(rows, columns),
    )


def _inverse_factor(moments: Array) -> Array:
    """Return the upper triangular factor of the inverse of the moments, which are damped."""
    damping = _DAMPING * np.trace(moments) / len(moments)
    inverse = np.linalg.inv(moments + max(damping, 1e-12) * np.eye(len(moments)))
    return np.linalg.cholesky((inverse + inverse.T) / 2).T.astype(np.float32)


def _steps(block: Array, importance: Array) -> tuple[Array, Array]:
    """Return the step and the number of zero for each column of a block, by the least error."""
    low, high = np.minimum(block.min(axis=0), 0), np.maximum(block.max(axis=0), 0)
    least = np.full(block.shape[1], np.inf, np.float32)
    best = np.ones_like(least), np.zeros_like(least)
    for low_share in _SHARES:
        for high_share in (low_share, np.float32(1)):
            step = (high * high_share - low * low_share) / 15
            # Rounded before it is used; the smallest numbers of float16 are too coarse.
            step = np.maximum(step, 1e-4).astype(np.float16).astype(np.float32)
            zero = np.clip(np.rint(-low * low_share / step), 0, 15)
            values = (np.clip(np.rint(block / step) + zero, 0, 15) - zero) * step
            loss = importance @ np.square(block - values)
            better = loss < least
            least = np.where(better, loss, least)
            best = np.where(better, step, best[0]), np.where(better, zero, best[1])
    return best


def _packed(numbers: Array) -> Array:
    """Return numbers of 4 bits two in a byte, along the last axis."""
    stored = np.pad(numbers.astype(np.uint8), ((0, 0), (0, numbers.shape[1] % 2)))
    return np.ascontiguousarray(stored[:, ::2] | (stored[:, 1::2] << 4))
