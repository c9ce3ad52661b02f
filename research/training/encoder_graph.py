"""A cross-encoder as an ONNX graph, operator by operator: what BERT and its relatives share.

The graph is built by hand, not traced from PyTorch, for three reasons:

- The last layer is computed for the first token alone, where the classifier reads no other.
- How a product with weights is computed is chosen apart from the model: in fp32, in int8
  (`int8_graph.py`) or from blocks of 4 bits (`block_graph.py`).
- No scale is computed from a batch: the scores of a pair do not change with the pairs beside it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from onnx import TensorProto, helper

from training.onnx_graph import Array, Graph, Linear

__all__ = ["KINDS", "Encoder", "LayerNames"]

#: The products with weights in each layer; the number of the layer follows in their names.
KINDS: Final = ("query", "key", "value", "out", "wide", "narrow")


@dataclass(frozen=True)
class LayerNames:
    """What the parts of a layer are called in a checkpoint."""

    query: str
    key: str
    value: str
    out: str
    attention_norm: str
    wide: str = "intermediate.dense"
    narrow: str = "output.dense"
    norm: str = "output.LayerNorm"


@dataclass(frozen=True)
class Encoder(ABC):
    """The weights and sizes of a checkpoint."""

    weights: Mapping[str, Array]
    config: Mapping[str, Any]

    #: What the model reads.
    inputs: ClassVar[Sequence[str]]
    #: Before the names of all weights but those of the classifier.
    prefix: ClassVar[str]
    layer_names: ClassVar[LayerNames]
    #: The row of the first token in the table of positions.
    first_position: ClassVar[int] = 0
    #: Whether the classifier reads the first token alone.
    reads_first: ClassVar[bool] = True

    @property
    def window(self) -> int:
        """How many tokens the encoder reads at once."""
        return int(self.config["max_position_embeddings"]) - self.first_position

    def build(self, graph: Graph) -> Graph:
        """Add all that computes `logits` to an empty graph, and return the graph."""
        graph.inputs = self.inputs
        hidden = self.embed(graph)
        padding = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = graph.add("Unsqueeze", padding, graph.numbers(1, 2))
        padding = graph.add("Sub", padding, graph.constant("one", np.array(1, np.float32)))
        padding = graph.add("Mul", padding, graph.constant("far", np.array(1e4, np.float32)))
        biases = self.attention_bias(graph, padding)
        layers = self.config["num_hidden_layers"]
        for number in range(layers):
            first_only = self.reads_first and number == layers - 1
            hidden = self._layer(graph, number, hidden, biases, first_only=first_only)
        logits = self.classify(graph, self.pool(graph, hidden))
        graph.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
        return graph

    def pool(self, graph: Graph, hidden: str) -> str:
        """Return what the classifier reads of the output of the last layer: the first token."""
        return graph.add("Squeeze", hidden, graph.numbers(1))

    @abstractmethod
    def embed(self, graph: Graph) -> str:
        """Return the input of the first layer."""

    @abstractmethod
    def attention_bias(self, graph: Graph, padding: str) -> tuple[str, str]:
        """Return what is added to the scores of attention: of all tokens, and of the first alone.

        `padding` is what hides the tokens that only fill a batch.
        """

    @abstractmethod
    def classify(self, graph: Graph, pooled: str) -> str:
        """Return the logits, from what `pool` returned."""

    def linear(self, name: str) -> Linear:
        """Return the transposed weight, as the right factor of a product, and the bias."""
        return np.ascontiguousarray(self.weight(f"{name}.weight").T), self.weight(f"{name}.bias")

    def weight(self, name: str) -> Array:
        """Return a weight in fp32."""
        return self.weights[name].astype(np.float32)

    def normalise(self, graph: Graph, value: str, name: str) -> str:
        """Return the value after the layer norm of this name."""
        scale, bias = (
            graph.constant(f"{name}.{part}", self.weight(f"{name}.{part}"))
            for part in ("weight", "bias")
        )
        epsilon = self.config.get("layer_norm_eps", 1e-12)
        return graph.add("LayerNormalization", value, scale, bias, axis=-1, epsilon=epsilon)

    def _layer(
        self, graph: Graph, number: int, hidden: str, biases: tuple[str, str], *, first_only: bool
    ) -> str:
        base, names = f"{self.prefix}.encoder.layer.{number}", self.layer_names
        queried, bias = hidden, biases[0]
        if first_only:
            queried = graph.add(
                "Slice", hidden, graph.numbers(0), graph.numbers(1), graph.numbers(1)
            )
            bias = biases[1]
        context = self._attend(graph, number, queried, hidden, bias)
        (out,) = graph.products(context, {f"out{number}": self.linear(f"{base}.{names.out}")})
        attended = self.normalise(
            graph, graph.add("Add", out, queried), f"{base}.{names.attention_norm}"
        )
        (wide,) = graph.products(attended, {f"wide{number}": self.linear(f"{base}.{names.wide}")})
        wide = graph.add("Gelu", wide, domain="com.microsoft")
        (narrow,) = graph.products(wide, {f"narrow{number}": self.linear(f"{base}.{names.narrow}")})
        return self.normalise(graph, graph.add("Add", narrow, attended), f"{base}.{names.norm}")

    def _attend(self, graph: Graph, number: int, queried: str, hidden: str, bias: str) -> str:
        heads = self.config["num_attention_heads"]
        size = self.config["hidden_size"] // heads

        def split(value: str, order: Sequence[int]) -> str:
            value = graph.add("Reshape", value, graph.numbers(0, 0, heads, size))
            return graph.add("Transpose", value, perm=order)

        linears = self._attention_linears(number, np.float32(size**-0.5))
        query_name = next(iter(linears))
        if queried == hidden:
            query, key, value = graph.products(hidden, linears)
        else:
            (query,) = graph.products(queried, {query_name: linears.pop(query_name)})
            key, value = graph.products(hidden, linears)
        query, key, value = (
            split(query, (0, 2, 1, 3)),
            split(key, (0, 2, 3, 1)),
            split(value, (0, 2, 1, 3)),
        )
        scores = graph.add("Add", graph.add("MatMul", query, key), bias)
        attended = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
        attended = graph.add("Transpose", attended, perm=(0, 2, 1, 3))
        return graph.add("Reshape", attended, graph.numbers(0, 0, heads * size))

    def _attention_linears(self, number: int, scale: np.float32) -> dict[str, Linear]:
        """Return the weights of query, key and value by the names of their products."""
        base, names = f"{self.prefix}.encoder.layer.{number}", self.layer_names
        weight, bias = self.linear(f"{base}.{names.query}")
        return {
            f"query{number}": (weight * scale, bias * scale),
            f"key{number}": self.linear(f"{base}.{names.key}"),
            f"value{number}": self.linear(f"{base}.{names.value}"),
        }
