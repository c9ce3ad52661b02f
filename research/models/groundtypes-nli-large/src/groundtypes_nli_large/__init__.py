"""A larger NLI model for groundtypes; `groundtypes.backends.nli_onnx.OnnxNLI.large()` loads it."""

from pathlib import Path
from typing import Final

__all__ = ["FOLDER"]

#: The folder with `model.onnx`, `tokenizer.json`, `config.json` and `SHA256SUMS`.
FOLDER: Final = Path(__file__).parent / "model"
