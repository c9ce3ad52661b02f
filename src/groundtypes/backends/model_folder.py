"""The folder of an exported model: `model.onnx`, `tokenizer.json`, `config.json`, `SHA256SUMS`.

A folder that states checksums is believed only when all of them are right. What is checked is what
is used: each file is read once.
"""

import hashlib
import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import BackendError

__all__ = ["SUMS", "ModelFolder"]

SUMS: Final = "SHA256SUMS"
_TOKENIZER: Final = "tokenizer.json"
_CONFIG: Final = "config.json"


class ModelFolder:
    """The files of one model; `None` stands for the model that groundtypes brings."""

    def __init__(self, path: str | Path | None) -> None:
        """Take a folder, or a single `.onnx` file whose neighbours are used."""
        self._folder: Traversable
        self._model: str | None = None
        if path is None:
            self.name = "the bundled model"
            self._folder = files("groundtypes") / "backends" / "bundled_nli"
        else:
            path = Path(path)
            self.name = str(path)
            if path.suffix == ".onnx":
                path, self._model = path.parent, path.name
            self._folder = path
        self._digests: dict[str, str] = {}
        self._sums: dict[str, str] | None = None

    @property
    def digest(self) -> str:
        """The hash of all files read so far."""
        parts = sorted(self._digests.values())
        return hashlib.sha256("".join(parts).encode()).hexdigest()

    def config(self) -> dict[str, Any]:
        """Return the configuration."""
        text = self._read(_CONFIG)
        try:
            found = json.loads(text)
        except ValueError as error:
            raise BackendError(f"{_CONFIG} of {self.name} is no JSON.") from error
        if not isinstance(found, dict):
            raise BackendError(f"{_CONFIG} of {self.name} is no JSON object.")
        return found

    def tokenizer(self) -> bytes:
        """Return the content of `tokenizer.json`."""
        return self._read(_TOKENIZER)

    def model(self) -> bytes:
        """Return the content of the model file: `model.onnx`, or the only `.onnx` file."""
        return self._read(self._model or self._only_model())

    def _only_model(self) -> str:
        names = [name for name in self._names() if name.endswith(".onnx")]
        if "model.onnx" in names:
            return "model.onnx"
        if len(names) != 1:
            found = ", ".join(sorted(names)[:5]) or "none"
            raise BackendError(f"{self.name} holds no model.onnx and no single .onnx file: {found}")
        return names[0]

    def _names(self) -> list[str]:
        try:
            return [entry.name for entry in self._folder.iterdir()]
        except OSError as error:
            raise BackendError(f"There is no folder with a model: {self.name}") from error

    def _read(self, name: str) -> bytes:
        if self._sums is None:
            self._sums = self._checksums()
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise BackendError(f"{name} of {self.name} cannot be read: {error}") from error
        digest = hashlib.sha256(data).hexdigest()
        if self._sums and self._sums.get(name) != digest:
            raise BackendError(
                f"{name} of {self.name} is not the file that {SUMS} names: it was cut off or "
                "changed. Install or export it again."
            )
        self._digests[name] = f"{name} {digest}\n"
        return data

    def _checksums(self) -> dict[str, str]:
        """Return the digest of each file; none where the folder states none.

        The bundled model always states them, so that none can be taken away from it.
        """
        if SUMS not in self._names():
            if self.name == "the bundled model":
                raise BackendError(f"The bundled model has lost its {SUMS}. Install it again.")
            return {}
        text = (self._folder / SUMS).read_bytes().decode("ascii", "replace")
        lines = (line.split(maxsplit=1) for line in text.splitlines())
        # sha256sum marks binary mode by an asterisk before the name.
        sums = {parts[1].strip().lstrip("*"): parts[0].lower() for parts in lines if len(parts) > 1}
        if not sums:
            raise BackendError(f"{SUMS} of {self.name} holds no checksums.")
        return sums
