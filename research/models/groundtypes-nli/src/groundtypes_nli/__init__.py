"""The models that `groundtypes[nli]` runs: the bundled NLI model and the refusal model."""

from pathlib import Path
from typing import Final

__all__ = ["NLI", "REFUSALS"]

#: The folder of the NLI model: `model.onnx`, `tokenizer.json`, `config.json` and `SHA256SUMS`.
NLI: Final = Path(__file__).parent / "nli"
#: The folder of the refusal model, with files of the same names.
REFUSALS: Final = Path(__file__).parent / "refusals"
