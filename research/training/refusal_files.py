"""Writing the files of the refusal models that groundtypes reads without numpy."""

import json
from array import array
from collections.abc import Mapping, Sequence

from groundtypes.refusals.linear_model import KINDS, LinearModel

__all__ = ["bytes_of_hashed", "bytes_of_linear", "linear_model"]

#: The outputs of a linear model: whether a text declines, and one for each kind.
_OUTPUTS = 1 + len(KINDS)


def bytes_of_linear(
    weights: Mapping[tuple[str, ...], tuple[int, ...]],
    steps: tuple[float, ...],
    biases: tuple[float, ...],
) -> bytes:
    """Return the file of a linear model in which the n-grams have these weights."""
    ngrams = sorted(weights)
    header = {"groups": len(ngrams), "steps": steps, "biases": biases}
    lines = "\n".join(" ".join(ngram) for ngram in ngrams)
    columns = ([weights[ngram][output] for ngram in ngrams] for output in range(_OUTPUTS))
    body = b"".join(array("b", column).tobytes() for column in columns)
    return b"\n".join((json.dumps(header).encode(), lines.encode(), body))


def linear_model(
    weights: Mapping[tuple[str, ...], tuple[int, ...]],
    steps: tuple[float, ...],
    biases: tuple[float, ...],
) -> LinearModel:
    """Return the linear model in which the n-grams have these weights."""
    return LinearModel.from_bytes(bytes_of_linear(weights, steps, biases))


def bytes_of_hashed(
    weights: Sequence["array[int]"], steps: Sequence[float], biases: Sequence[float]
) -> bytes:
    """Return the file of a hashed model, given the weights, step and bias of each output."""
    header = {"steps": steps, "biases": biases}
    tables = b"".join(table.tobytes() for table in weights)
    return json.dumps(header).encode() + b"\n" + tables
