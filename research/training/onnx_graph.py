"""An ONNX graph under construction, and how a product with weights is computed in it.

`Graph` computes everything in fp32. Its subclasses round the weights, and perhaps what the weights
are multiplied with; what a model computes (`encoder_graph.py`) does not depend on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Array", "Channels", "Graph", "Linear", "rounded_weights"]

_OPSETS: Final = (("", 17), ("com.microsoft", 1))

Array = np.ndarray[Any, Any]
#: A weight, the right factor of a matrix product, and a bias.
Linear = tuple[Array, Array]


class Channels(NamedTuple):
    """What is known of each channel of a value, from the pairs of the calibration."""

    least: Array
    largest: Array
    mean: Array
    #: The mean product of each two channels, where it was measured.
    moments: Array | None = None


@dataclass
class Graph:
    """A graph in fp32; values are named after the nodes that compute them."""

    inputs: Sequence[str] = ()
    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    #: The name of the first product with a value -> the name of this value.
    measured: dict[str, str] = field(default_factory=dict)

    def constant(self, name: str, value: Array) -> str:
        """Return the name of a constant, which is added once."""
        self.constants.setdefault(name, value)
        return name

    def numbers(self, *values: int) -> str:
        """Return the name of a constant list of integers."""
        return self.constant("n" + "_".join(map(str, values)), np.array(values, np.int64))

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node, and return the name of its output."""
        output = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def products(self, value: str, linears: Mapping[str, Linear]) -> list[str]:
        """Return `value @ weight + bias` for each weight and bias, by the names of the products."""
        self.measured[next(iter(linears))] = value
        return [self.plain(value, name, *linear) for name, linear in linears.items()]

    def plain(self, value: str, name: str, weight: Array, bias: Array) -> str:
        """Return `value @ weight + bias` in fp32."""
        raw = self.add("MatMul", value, self.constant(f"{name}_weight", weight))
        return self.add("Add", raw, self.constant(f"{name}_bias", bias))

    def lookup(self, name: str, table: Array, ids: str) -> str:
        """Return the rows of a table."""
        return self.add("Gather", self.constant(name, table), ids)

    def rounded_lookup(self, name: str, table: Array, ids: str) -> str:
        """Return the rows of a table that is stored in int8 with a scale for each row."""
        rounded, scales = rounded_weights(table, axis=1, bits=8)
        rows = self.add("Gather", self.constant(name, rounded), ids)
        row_scales = self.add("Gather", self.constant(f"{name}_scales", scales[:, None]), ids)
        return self.add("Mul", self.add("Cast", rows, to=TensorProto.FLOAT), row_scales)

    def model(self, outputs: Sequence[str]) -> Any:
        """Return the finished model."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in self.inputs
        ]
        output_values = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs
        ]
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, "nli", inputs, output_values, constants)
        opsets = [helper.make_opsetid(*opset) for opset in _OPSETS]
        # Every ONNX Runtime that has these operators reads version 8 of the format.
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def rounded_weights(weight: Array, axis: int, bits: int) -> tuple[Array, Array]:
    """Return the weights rounded to int8, and the scales along the other axis."""
    scales = np.maximum(np.abs(weight).max(axis=axis), 1e-8) / (2 ** (bits - 1) - 1)
    rounded = np.rint(weight / np.expand_dims(scales, axis)).astype(np.int8)
    return rounded, scales.astype(np.float32)
