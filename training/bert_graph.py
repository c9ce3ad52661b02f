"""A BERT cross-encoder as an ONNX graph, operator by operator, in fp32 or in int8.

The graph is built by hand, not traced from PyTorch, for three reasons:

- The last layer is computed for the first token alone, which is all that the classifier reads.
- Weights are int8 with one scale per column (per row in the word embeddings), and activations are
  uint8 with *fixed* scales. Scales computed at run time would depend on the batch: the scores of a
  pair would change with the pairs beside it.
- The word embeddings stay int8 in memory.

Weights use 7 of the 8 bits by default: processors without VNNI add two products in 16 bits, and
with 8-bit weights the sum saturates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Array", "Bert", "Channels"]

#: Channels larger than this multiple of the median channel are scaled down before rounding. Of 0.5,
#: 1, 1.5, 2 and 3, this value gives the logits closest to the original ones on the pairs that set
#: the scales.
_OUTLIER: Final = 1.5
_INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
_OPSETS: Final = (("", 17), ("com.microsoft", 1))

Array = np.ndarray[Any, Any]
#: A weight, the right factor of a matrix product, and a bias.
Linear = tuple[Array, Array]
#: The least, the largest and the mean value of each channel.
Channels = tuple[Array, Array, Array]


@dataclass
class _Graph:
    """An ONNX graph under construction; values are named after the nodes that compute them."""

    ranges: Mapping[str, Channels] | None
    weight_bits: int = 7
    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    #: The name of a product with weights -> the name of its input, which is quantised.
    measured: dict[str, str] = field(default_factory=dict)

    def constant(self, name: str, value: Array) -> str:
        self.constants.setdefault(name, value)
        return name

    def numbers(self, *values: int) -> str:
        return self.constant("n" + "_".join(map(str, values)), np.array(values, np.int64))

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def quantised(self, value: str, low: Array, high: Array) -> tuple[str, str, str]:
        """Return the names of a value quantised to uint8, of its scale and of its zero point."""
        bottom, top = min(0.0, float(low.min())), max(0.0, float(high.max()))
        scale = max(top - bottom, 1e-6) / 255
        names = (
            self.constant(f"{value}_scale", np.array(scale, np.float32)),
            self.constant(f"{value}_zero", np.array(round(-bottom / scale), np.uint8)),
        )
        return self.add("QuantizeLinear", value, *names), *names

    def products(self, value: str, linears: Mapping[str, Linear]) -> list[str]:
        """Return `value @ weight + bias` for each weight and bias, by the names of the products."""
        first = next(iter(linears))
        self.measured[first] = value
        if self.ranges is None:
            return [self.plain(value, name, *linear) for name, linear in linears.items()]
        low, high, mean = self.ranges[first]
        # Some channels are ten times as large as all others, which would leave these only a few
        # of the 256 steps. Such channels are scaled down, and their weights up.
        largest = np.maximum(np.abs(low), np.abs(high))
        factors = np.maximum(1, largest / (_OUTLIER * np.median(largest))).astype(np.float32)
        levelled = self.add("Mul", value, self.constant(f"{first}_even", 1 / factors))
        activation, scale, zero = self.quantised(levelled, low / factors, high / factors)
        outputs = []
        for name, (weight, bias) in linears.items():
            scaled = weight * factors[:, None]
            rounded, scales = _rounded_weights(scaled, axis=0, bits=self.weight_bits)
            # The mean rounding error is known, and is added to the bias.
            bias = bias + (mean / factors) @ (scaled - rounded * scales)  # noqa: PLW2901 # the same bias, corrected
            outputs.append(
                self.add(
                    "MatMulIntegerToFloat",
                    activation,
                    self.constant(f"{name}_weight", rounded),
                    scale,
                    self.constant(f"{name}_scales", scales),
                    zero,
                    "",
                    self.constant(f"{name}_bias", bias.astype(np.float32)),
                    domain="com.microsoft",
                )
            )
        return outputs

    def plain(self, value: str, name: str, weight: Array, bias: Array) -> str:
        """Return `value @ weight + bias`, not quantised."""
        raw = self.add("MatMul", value, self.constant(f"{name}_weight", weight))
        return self.add("Add", raw, self.constant(f"{name}_bias", bias))

    def lookup(self, name: str, table: Array, ids: str) -> str:
        """Return the rows of a table."""
        if self.ranges is None:
            return self.add("Gather", self.constant(name, table), ids)
        rounded, scales = _rounded_weights(table, axis=1, bits=8)
        rows = self.add("Gather", self.constant(name, rounded), ids)
        row_scales = self.add("Gather", self.constant(f"{name}_scales", scales[:, None]), ids)
        return self.add("Mul", self.add("Cast", rows, to=TensorProto.FLOAT), row_scales)

    def model(self, outputs: Sequence[str]) -> Any:
        """Return the finished model."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in _INPUTS
        ]
        output_values = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs
        ]
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, "nli", inputs, output_values, constants)
        opsets = [helper.make_opsetid(*opset) for opset in _OPSETS]
        # Every ONNX Runtime that has these operators reads version 8 of the format.
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def _rounded_weights(weight: Array, axis: int, bits: int) -> tuple[Array, Array]:
    """Return the weights rounded to int8, and the scales along the other axis."""
    scales = np.maximum(np.abs(weight).max(axis=axis), 1e-8) / (2 ** (bits - 1) - 1)
    rounded = np.rint(weight / np.expand_dims(scales, axis)).astype(np.int8)
    return rounded, scales.astype(np.float32)


@dataclass(frozen=True)
class Bert:
    """The weights and sizes of a checkpoint."""

    weights: Mapping[str, Array]
    config: Mapping[str, Any]

    def linear(self, name: str) -> tuple[Array, Array]:
        """Return the transposed weight, as the right factor of a product, and the bias."""
        weight = self.weights[f"{name}.weight"].astype(np.float32)
        return np.ascontiguousarray(weight.T), self.weights[f"{name}.bias"].astype(np.float32)

    def graph(self, ranges: Mapping[str, Channels] | None = None, weight_bits: int = 7) -> _Graph:
        """Return the graph that computes `logits`; int8 if ranges are given."""
        graph = _Graph(ranges, weight_bits)
        hidden = self._embed(graph)
        padding = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = graph.add("Unsqueeze", padding, graph.numbers(1, 2))
        padding = graph.add("Sub", padding, graph.constant("one", np.array(1, np.float32)))
        padding = graph.add("Mul", padding, graph.constant("far", np.array(1e4, np.float32)))
        layers = self.config["num_hidden_layers"]
        for number in range(layers):
            hidden = self._layer(graph, number, hidden, padding, first_only=number == layers - 1)
        first = graph.add("Squeeze", hidden, graph.numbers(1))
        # Not quantised: these layers are small, and their precision decides the label.
        pooled = graph.add("Tanh", graph.plain(first, "pooler", *self.linear("bert.pooler.dense")))
        logits = graph.plain(pooled, "classifier", *self.linear("classifier"))
        graph.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
        return graph

    def _embed(self, graph: _Graph) -> str:
        tables = {
            name: self.weights[f"bert.embeddings.{name}_embeddings.weight"].astype(np.float32)
            for name in ("word", "position", "token_type")
        }
        words = graph.lookup("words", tables["word"], "input_ids")
        types = graph.add("Gather", graph.constant("types", tables["token_type"]), "token_type_ids")
        shape = graph.add("Shape", "input_ids", start=1, end=2)
        positions = graph.add(
            "Slice",
            graph.constant("positions", tables["position"]),
            graph.numbers(0),
            shape,
            graph.numbers(0),
        )
        total = graph.add("Add", graph.add("Add", words, types), positions)
        return self._normalise(graph, total, "bert.embeddings.LayerNorm")

    def _layer(
        self, graph: _Graph, number: int, hidden: str, padding: str, *, first_only: bool
    ) -> str:
        base = f"bert.encoder.layer.{number}"
        queried = hidden
        if first_only:
            queried = graph.add(
                "Slice", hidden, graph.numbers(0), graph.numbers(1), graph.numbers(1)
            )
        context = self._attend(graph, number, queried, hidden, padding)
        (out,) = graph.products(
            context, {f"out{number}": self.linear(f"{base}.attention.output.dense")}
        )
        attended = self._normalise(
            graph, graph.add("Add", out, queried), f"{base}.attention.output.LayerNorm"
        )
        (wide,) = graph.products(
            attended, {f"wide{number}": self.linear(f"{base}.intermediate.dense")}
        )
        wide = graph.add("Gelu", wide, domain="com.microsoft")
        (narrow,) = graph.products(wide, {f"narrow{number}": self.linear(f"{base}.output.dense")})
        return self._normalise(
            graph, graph.add("Add", narrow, attended), f"{base}.output.LayerNorm"
        )

    def _attend(self, graph: _Graph, number: int, queried: str, hidden: str, padding: str) -> str:
        heads = self.config["num_attention_heads"]
        size = self.config["hidden_size"] // heads
        base = f"bert.encoder.layer.{number}.attention.self"

        def split(value: str, order: Sequence[int]) -> str:
            value = graph.add("Reshape", value, graph.numbers(0, 0, heads, size))
            return graph.add("Transpose", value, perm=order)

        names = {name: f"{name}{number}" for name in ("query", "key", "value")}
        linears = {value: self.linear(f"{base}.{name}") for name, value in names.items()}
        weight, bias = linears[names["query"]]
        scale = np.float32(size**-0.5)
        linears[names["query"]] = weight * scale, bias * scale
        if queried == hidden:
            query, key, value = graph.products(hidden, linears)
        else:
            (query,) = graph.products(queried, {names["query"]: linears.pop(names["query"])})
            key, value = graph.products(hidden, linears)
        query, key, value = (
            split(query, (0, 2, 1, 3)),
            split(key, (0, 2, 3, 1)),
            split(value, (0, 2, 1, 3)),
        )
        scores = graph.add("Add", graph.add("MatMul", query, key), padding)
        attended = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
        attended = graph.add("Transpose", attended, perm=(0, 2, 1, 3))
        return graph.add("Reshape", attended, graph.numbers(0, 0, heads * size))

    def _normalise(self, graph: _Graph, value: str, name: str) -> str:
        scale, bias = (
            graph.constant(f"{name}.{part}", self.weights[f"{name}.{part}"].astype(np.float32))
            for part in ("weight", "bias")
        )
        epsilon = self.config.get("layer_norm_eps", 1e-12)
        return graph.add("LayerNormalization", value, scale, bias, axis=-1, epsilon=epsilon)
