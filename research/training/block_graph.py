"""Products of weights that are stored in blocks of 4 bits.

ONNX Runtime's `MatMulNBits` computes them. Each block of 32 weights of a column has a scale and a
zero point. ONNX Runtime rounds the activations to int8, in blocks of one token too, so that no
scale depends on the pairs beside a pair.

Kinds of product that suffer from 4 bits can have 8. `MatMulNBits` has these from ONNX Runtime 1.22
on only, so they are stored in int8 with a scale per column, and ONNX Runtime unpacks them to fp32
once, when it loads the model.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from onnx import TensorProto

from training.block_rounding import BLOCK, exact_blocks, rounded_blocks
from training.onnx_graph import Array, Channels, Graph, Linear, rounded_weights

__all__ = ["BlockGraph"]

#: Activations are rounded to int8. In fp32 (1), the products are no nearer to the original ones.
_ACCURACY_LEVEL: Final = 4


@dataclass
class BlockGraph(Graph):
    """A graph of 4-bit weights."""

    #: The channels of each value, with their moments, by the first product with it.
    ranges: Mapping[str, Channels] = field(kw_only=True)
    #: The kinds of product with 8 bits, of `encoder_graph.KINDS`.
    eight_bits: Collection[str] = ()

    def products(self, value: str, linears: Mapping[str, Linear]) -> list[str]:
        """Return `value @ weight + bias` for each weight and bias, by the names of the products."""
        first = next(iter(linears))
        self.measured[first] = value
        channels = self.ranges[first]
        outputs = []
        for name, (weight, bias) in linears.items():
            if name.rstrip("0123456789") in self.eight_bits:
                raw, values = self._unpacked_product(value, name, weight)
            else:
                raw, values = self._block_product(value, name, weight, channels.moments)
            # The mean rounding error is known, and is added to the bias.
            corrected = bias + channels.mean @ (weight - values)
            outputs.append(
                self.add("Add", raw, self.constant(f"{name}_bias", corrected.astype(np.float32)))
            )
        return outputs

    def lookup(self, name: str, table: Array, ids: str) -> str:
        """Return the rows of a table, which is stored in int8."""
        return self.rounded_lookup(name, table, ids)

    def _block_product(
        self, value: str, name: str, weight: Array, moments: Array | None
    ) -> tuple[str, Array]:
        """Return the product with 4-bit weights, and what these are worth."""
        blocks = exact_blocks(weight)
        if blocks is None:
            assert moments is not None
            blocks = rounded_blocks(weight, moments)
        # Half the precision is enough for a scale; the operator takes single precision only.
        scales = self.constant(f"{name}_scales", blocks.scales.reshape(-1))
        product = self.add(
            "MatMulNBits",
            value,
            self.constant(f"{name}_weight", blocks.packed),
            self.add("Cast", scales, to=TensorProto.FLOAT),
            self.constant(f"{name}_zeros", blocks.zeros.reshape(-1)),
            domain="com.microsoft",
            K=weight.shape[0],
            N=weight.shape[1],
            bits=4,
            block_size=BLOCK,
            accuracy_level=_ACCURACY_LEVEL,
        )
        return product, blocks.values

    def _unpacked_product(self, value: str, name: str, weight: Array) -> tuple[str, Array]:
        """Return the product with int8 weights, and what these are worth."""
        rounded, scales = rounded_weights(weight, axis=0, bits=8)
        stored = self.constant(f"{name}_weight", rounded)
        unpacked = self.add(
            "Mul",
            self.add("Cast", stored, to=TensorProto.FLOAT),
            self.constant(f"{name}_scales", scales),
        )
        return self.add("MatMul", value, unpacked), rounded * scales
