"""The weights of the judge of groundtypes, which `CausalNLI.judge()` loads."""

from pathlib import Path
from typing import Final

__all__ = ["FOLDER"]

#: The folder with `adapter_model.safetensors`, `adapter_config.json`, `judge.json`, `SHA256SUMS`.
FOLDER: Final = Path(__file__).parent / "model"
