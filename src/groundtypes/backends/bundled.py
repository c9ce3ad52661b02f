"""The default NLI engine, which runs the bundled model.

The files of the model are in the package `groundtypes-nli`. They are loaded with the first pair
that is scored.
"""

from typing import Final

from groundtypes.backends.nli_onnx import OnnxNLI

#: One engine for the whole process, so that its questions share batches and its scores a cache.
BUNDLED_NLI: Final = OnnxNLI()
