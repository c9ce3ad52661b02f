"""Writing the files of the refusal models that groundtypes reads without numpy."""

import json
import sys
from array import array
from collections.abc import Mapping, Sequence

from groundtypes.refusals.convolution import Parameters
from groundtypes.refusals.linear_model import KINDS, LinearModel
from groundtypes.refusals.multilingual_model import Table

__all__ = ["bytes_of_convolution", "bytes_of_hashed", "bytes_of_linear", "linear_model"]

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
    surface: tuple[Table, Sequence[float]],
    classes: tuple[Table, Sequence[float]],
    biases: Sequence[float],
) -> bytes:
    """Return the file of a multilingual model, given weights and steps of each group."""
    header = {"surface_steps": surface[1], "class_steps": classes[1], "biases": biases}
    pairs = zip(surface[0], classes[0], strict=True)
    weights = b"".join(table.tobytes() for pair in pairs for table in pair)
    return json.dumps(header).encode() + b"\n" + weights


def bytes_of_convolution(parameters: Parameters) -> bytes:
    """Return the file of a convolutional model."""
    words = "\n".join(parameters.words).encode()
    header = {
        "dimensions": parameters.dimensions,
        "words": len(parameters.words),
        "text": len(words),
        "step": parameters.step,
        "biases": parameters.biases,
        "weights": parameters.weights,
        "output_biases": parameters.output_biases,
    }
    numbers = parameters.marks + parameters.classes + parameters.filters
    if sys.byteorder == "big":
        numbers.byteswap()
    vectors = parameters.vectors.tobytes()
    return b"".join((json.dumps(header).encode(), b"\n", words, vectors, numbers.tobytes()))
