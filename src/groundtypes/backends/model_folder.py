"""The folder of an exported model: `model.onnx`, `tokenizer.json`, `config.json`, `SHA256SUMS`."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import BackendError

#: The file of checksums, in the format of `sha256sum`.
CHECKSUMS: Final = "SHA256SUMS"
_TOKENIZER: Final = "tokenizer.json"
_CONFIG: Final = "config.json"


class ModelFolder:
    """The files of one model, each read once, so that what was checked is what is used."""

    def __init__(self, path: str | Path, bundled: str | None = None) -> None:
        """Store a folder, or a single `.onnx` file with the others beside it.

        A model of `groundtypes-nli`, which messages call `bundled`, must have checksums.
        """
        path = Path(path)
        self._is_bundled = bundled is not None
        self._model: str | None = None
        self.name = bundled or str(path)
        if path.suffix == ".onnx":
            path, self._model = path.parent, path.name
        self._folder = path
        self._digests: dict[str, str] = {}
        self._checksums: dict[str, str] | None = None

    @property
    def digest(self) -> str:
        """The hash of all files that were read."""
        parts = sorted(self._digests.values())
        return hashlib.sha256("".join(parts).encode()).hexdigest()

    def config(self) -> dict[str, Any]:
        """Return the configuration."""
        text = self._read(_CONFIG)
        try:
            config = json.loads(text)
        except ValueError as error:
            raise BackendError(f"{_CONFIG} of {self.name} is not valid JSON.") from error
        if not isinstance(config, dict):
            raise BackendError(f"{_CONFIG} of {self.name} is not a JSON object.")
        return config

    def tokenizer(self) -> bytes:
        """Return the content of `tokenizer.json`."""
        return self._read(_TOKENIZER)

    def model(self) -> bytes:
        """Return the content of the model file: `model.onnx`, or the only `.onnx` file."""
        return self._read(self._model or self._model_name())

    def _model_name(self) -> str:
        names = [name for name in self._file_names() if name.endswith(".onnx")]
        if "model.onnx" in names:
            return "model.onnx"
        if len(names) != 1:
            listed = ", ".join(sorted(names)[:5]) or "none"
            raise BackendError(
                f"{self.name} holds no model.onnx and no single .onnx file: {listed}"
            )
        return names[0]

    def _file_names(self) -> list[str]:
        try:
            return [entry.name for entry in self._folder.iterdir()]
        except OSError as error:
            raise BackendError(f"There is no folder with a model: {self.name}") from error

    def _read(self, name: str) -> bytes:
        if self._checksums is None:
            self._checksums = self._read_checksums()
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise BackendError(f"{name} of {self.name} cannot be read: {error}") from error
        digest = hashlib.sha256(data).hexdigest()
        if self._checksums and self._checksums.get(name) != digest:
            raise BackendError(
                f"{name} of {self.name} is not the file that {CHECKSUMS} names: it was cut off or "
                "changed. Install or export it again."
            )
        self._digests[name] = f"{name} {digest}\n"
        return data

    def _read_checksums(self) -> dict[str, str]:
        """Return the digest of each file, or nothing where the folder has no checksums."""
        if CHECKSUMS not in self._file_names():
            if self._is_bundled:
                raise BackendError(
                    f"{self.name.capitalize()} has lost its {CHECKSUMS}. Install it again."
                )
            return {}
        text = (self._folder / CHECKSUMS).read_bytes().decode("ascii", "replace")
        lines = (line.split(maxsplit=1) for line in text.splitlines())
        # sha256sum marks binary mode by an asterisk before the name.
        digests = {
            parts[1].strip().lstrip("*"): parts[0].lower() for parts in lines if len(parts) > 1
        }
        if not digests:
            raise BackendError(f"{CHECKSUMS} of {self.name} holds no checksums.")
        return digests
