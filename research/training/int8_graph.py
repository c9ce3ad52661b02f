"""Products of int8 weights and of uint8 activations with fixed scales.

Weights have one scale per column (per row in the word embeddings), and activations *fixed* scales.
Scales computed at run time would depend on the batch: the scores of a pair would change with the
pairs beside it. The word embeddings stay int8 in memory.

Weights use 7 of the 8 bits by default: processors without VNNI add two products in 16 bits, and
with 8-bit weights the sum saturates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from training.onnx_graph import Array, Channels, Graph, Linear, rounded_weights

__all__ = ["Int8Graph"]

#: Channels larger than this multiple of the median channel are scaled down before rounding. Of 0.5,
#: 1, 1.5, 2 and 3, this value gives the logits closest to the original ones on the pairs that set
#: the scales.
_OUTLIER: Final = 1.5


@dataclass
class Int8Graph(Graph):
    """A graph in int8."""

    #: The channels of each value by the first product with it.
    ranges: Mapping[str, Channels] = field(kw_only=True)
    weight_bits: int = 7

    def products(self, value: str, linears: Mapping[str, Linear]) -> list[str]:
        """Return `value @ weight + bias` for each weight and bias, by the names of the products."""
        first = next(iter(linears))
        self.measured[first] = value
        low, high, mean, _ = self.ranges[first]
        # Some channels are ten times as large as all others, which would leave these only a few
        # of the 256 steps. Such channels are scaled down, and their weights up.
        largest = np.maximum(np.abs(low), np.abs(high))
        factors = np.maximum(1, largest / (_OUTLIER * np.median(largest))).astype(np.float32)
        levelled = self.add("Mul", value, self.constant(f"{first}_even", 1 / factors))
        activation, scale, zero = self._quantised(levelled, low / factors, high / factors)
        outputs = []
        for name, (weight, bias) in linears.items():
            scaled = weight * factors[:, None]
            rounded, scales = rounded_weights(scaled, axis=0, bits=self.weight_bits)
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

    def lookup(self, name: str, table: Array, ids: str) -> str:
        """Return the rows of a table, which is stored in int8."""
        return self.rounded_lookup(name, table, ids)

    def _quantised(self, value: str, low: Array, high: Array) -> tuple[str, str, str]:
        """Return the names of a value quantised to uint8, of its scale and of its zero point."""
        bottom, top = min(0.0, float(low.min())), max(0.0, float(high.max()))
        scale = max(top - bottom, 1e-6) / 255
        names = (
            self.constant(f"{value}_scale", np.array(scale, np.float32)),
            self.constant(f"{value}_zero", np.array(round(-bottom / scale), np.uint8)),
        )
        return self.add("QuantizeLinear", value, *names), *names
