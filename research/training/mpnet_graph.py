"""An MPNet cross-encoder as an ONNX graph.

It differs from BERT in four places: there are no token types; the positions of tokens are counted
from 2 on; every layer adds the same relative position bias to the scores of attention; and the
classifier has a dense layer of its own instead of the pooler's.
"""

import math
from typing import Final

import numpy as np
from onnx import TensorProto

from training.encoder_graph import Encoder, LayerNames
from training.onnx_graph import Array, Graph

__all__ = ["MPNet", "position_buckets"]

#: transformers takes these two numbers from no configuration.
_BUCKETS: Final = 32
_MAX_DISTANCE: Final = 128


class MPNet(Encoder):
    """An `MPNetForSequenceClassification`: the weights and sizes of its checkpoint."""

    inputs = ("input_ids", "attention_mask")
    prefix = "mpnet"
    first_position = 2  # after that of the padding, 1
    layer_names = LayerNames(
        query="attention.attn.q",
        key="attention.attn.k",
        value="attention.attn.v",
        out="attention.attn.o",
        attention_norm="attention.LayerNorm",
    )

    def embed(self, graph: Graph) -> str:
        """Return the normalised sum of the embeddings of words and positions."""
        words, positions = (
            self.weight(f"mpnet.embeddings.{name}_embeddings.weight")
            for name in ("word", "position")
        )
        # The position of a token that only fills a batch is of no matter: no other token sees it.
        rows = graph.add(
            "Slice",
            graph.constant("positions", positions[self.first_position :]),
            graph.numbers(0),
            graph.add("Shape", "input_ids", start=1, end=2),
            graph.numbers(0),
        )
        total = graph.add("Add", graph.lookup("words", words, "input_ids"), rows)
        return self.normalise(graph, total, "mpnet.embeddings.LayerNorm")

    def attention_bias(self, graph: Graph, padding: str) -> tuple[str, str]:
        """Return the relative position bias of each head plus the padding.

        The buckets of all pairs of positions are a constant, of which a batch uses the corner of
        its length; the bias is computed once for all layers.
        """
        length = graph.add("Shape", "input_ids", start=1, end=2)
        buckets = graph.add(
            "Slice",
            graph.constant("buckets", position_buckets(self.window)),
            graph.numbers(0, 0),
            graph.add("Concat", length, length, axis=0),
            graph.numbers(0, 1),
        )
        table = np.ascontiguousarray(self.weight("mpnet.encoder.relative_attention_bias.weight").T)
        bias = graph.add(
            "Gather",
            graph.constant("position_bias", table),
            graph.add("Cast", buckets, to=TensorProto.INT32),
            axis=1,
        )
        everywhere = graph.add("Add", graph.add("Unsqueeze", bias, graph.numbers(0)), padding)
        first = graph.add("Slice", everywhere, graph.numbers(0), graph.numbers(1), graph.numbers(2))
        return everywhere, first

    def classify(self, graph: Graph, first: str) -> str:
        """Return the logits from the first token."""
        # Not quantised: these layers are small, and their precision decides the label.
        dense = graph.add("Tanh", graph.plain(first, "dense", *self.linear("classifier.dense")))
        return graph.plain(dense, "classifier", *self.linear("classifier.out_proj"))


def position_buckets(window: int) -> Array:
    """Return the bucket of the distance between each two positions, as an array of uint8.

    Rows are the tokens that attend, columns those that they attend to. Half of the buckets are for
    tokens that follow. Of each half, half are for single distances, and the others for ranges that
    grow by a factor, up to `_MAX_DISTANCE` (section 2.1 of https://arxiv.org/abs/1910.10683).
    """
    distance = np.arange(window)[:, None] - np.arange(window)
    half, exact = _BUCKETS // 2, _BUCKETS // 4
    length = np.abs(distance)
    # In single precision, as transformers computes it: powers of two lie at the ends of ranges.
    ratio = np.log(np.maximum(length, 1).astype(np.float32) / np.float32(exact))
    far = exact + (ratio / np.float32(math.log(_MAX_DISTANCE / exact)) * (half - exact)).astype(int)
    buckets: Array = np.where(length < exact, length, np.minimum(far, half - 1))
    buckets += np.where(distance < 0, half, 0)
    return buckets.astype(np.uint8)
