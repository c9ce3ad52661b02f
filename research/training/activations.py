"""What the products with weights multiply, measured on pairs before anything is rounded."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnxruntime as ort

from training.onnx_graph import Array, Channels, Graph

__all__ = ["Feed", "measured_channels", "session"]

#: The inputs of a model for one pair.
Feed = Mapping[str, Array]


def session(model: Any) -> Any:
    """Return a session that runs a model."""
    options = ort.SessionOptions()
    options.log_severity_level = 3
    return ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def measured_channels(plain: Graph, feeds: Sequence[Feed], *, moments: bool) -> dict[str, Channels]:
    """Return the channels of each value that weights multiply, by the first product with it.

    With `moments`, these include the mean products of each two channels.
    """
    names = list(dict.fromkeys(plain.measured.values()))
    running = session(plain.model(["logits", *names]))
    rows: dict[str, list[tuple[Array, Array, Array]]] = {name: [] for name in names}
    sums: dict[str, Array] = {}
    counts = dict.fromkeys(names, 0)
    for feed in feeds:
        for name, value in zip(names, running.run(None, dict(feed))[1:], strict=True):
            tokens = value.reshape(-1, value.shape[-1])
            rows[name].append((tokens.min(axis=0), tokens.max(axis=0), tokens.mean(axis=0)))
            if moments:
                sums[name] = sums.get(name, 0) + tokens.T @ tokens
                counts[name] += len(tokens)
    found = {}
    for name in names:
        least, largest, means = zip(*rows[name], strict=True)
        found[name] = Channels(
            np.min(least, axis=0),
            np.max(largest, axis=0),
            np.mean(means, axis=0),
            sums[name] / counts[name] if moments else None,
        )
    return {product: found[value] for product, value in plain.measured.items()}
