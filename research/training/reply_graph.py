"""The transformer of replies as an ONNX graph (`training.reply_network` is the same in torch)."""

from typing import Final

import numpy as np
from onnx import TensorProto

from training.block_rounding import BLOCK, exact_blocks
from training.encoder_graph import Encoder, LayerNames
from training.onnx_graph import Array, Graph

__all__ = ["ReplyEncoder"]

#: The number that stands for zero in a block of words.
_ZERO: Final = 8


class ReplyEncoder(Encoder):
    """The encoder, whose classifier reads the mean of its tokens.

    The vectors of words are stored in the blocks of 4 bits in which they came, without a loss.
    """

    inputs = ("input_ids", "attention_mask")
    prefix = "e5"
    layer_names = LayerNames(
        query="query",
        key="key",
        value="value",
        out="out",
        attention_norm="attention_norm",
        wide="wide",
        narrow="narrow",
        norm="norm",
    )
    reads_first = False

    def embed(self, graph: Graph) -> str:
        """Return the normalised sum of the vectors of words and positions."""
        words = _block_lookup(graph, self.weight("e5.words"))
        shape = graph.add("Shape", "input_ids", start=1, end=2)
        positions = graph.add(
            "Slice",
            graph.constant("positions", self.weight("e5.positions").astype(np.float16)),
            graph.numbers(0),
            shape,
            graph.numbers(0),
        )
        positions = graph.add("Cast", positions, to=TensorProto.FLOAT)
        return self.normalise(graph, graph.add("Add", words, positions), "e5.norm")

    def attention_bias(self, graph: Graph, padding: str) -> tuple[str, str]:  # noqa: ARG002 # other encoders add to it
        """Return the padding, which is the same for every token."""
        return padding, padding

    def pool(self, graph: Graph, hidden: str) -> str:
        """Return the mean of the tokens, without those that fill a batch."""
        weights = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
        total = graph.add(
            "ReduceSum",
            graph.add("Mul", hidden, graph.add("Unsqueeze", weights, graph.numbers(2))),
            graph.numbers(1),
            keepdims=0,
        )
        count = graph.add("ReduceSum", weights, graph.numbers(1), keepdims=1)
        return graph.add("Div", total, count)

    def classify(self, graph: Graph, pooled: str) -> str:
        """Return the four outputs."""
        return graph.plain(pooled, "output", *self.linear("output"))


def _block_lookup(graph: Graph, table: Array) -> str:
    """Return the rows of a table for the tokens of the input, from blocks of 4 bits.

    The operators are those of plain ONNX, which every version of ONNX Runtime has:
    `GatherBlockQuantized` came later.
    """
    blocks = exact_blocks(np.ascontiguousarray(table.T))
    assert blocks is not None, "the vectors of words are those of the checkpoint"
    count, width = table.shape
    packed = graph.constant("words", blocks.packed.reshape(count, -1))
    pairs = graph.add(
        "Reshape",
        graph.add("Cast", graph.add("Gather", packed, "input_ids"), to=TensorProto.FLOAT),
        graph.numbers(0, 0, width // BLOCK, BLOCK // 2, 1),
    )
    upper = graph.add("Floor", graph.add("Mul", pairs, _number(graph, 1 / 16)))
    lower = graph.add("Sub", pairs, graph.add("Mul", upper, _number(graph, 16)))
    numbers = graph.add(
        "Reshape",
        graph.add("Concat", lower, upper, axis=4),
        graph.numbers(0, 0, width // BLOCK, BLOCK),
    )
    scales = graph.add("Gather", graph.constant("words_scales", blocks.scales), "input_ids")
    scales = graph.add(
        "Unsqueeze", graph.add("Cast", scales, to=TensorProto.FLOAT), graph.numbers(3)
    )
    values = graph.add("Mul", graph.add("Sub", numbers, _number(graph, _ZERO)), scales)
    return graph.add("Reshape", values, graph.numbers(0, 0, width))


def _number(graph: Graph, value: float) -> str:
    return graph.constant(f"number_{value}", np.array(value, np.float32))
