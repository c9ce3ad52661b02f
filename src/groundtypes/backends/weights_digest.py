"""The hash of the files of a model, which identifies its weights."""

import hashlib
from pathlib import Path


def weights_digest(path: Path) -> str:
    """Return the hash of a file, or of all files of a folder; `""` if there is none."""
    if path.is_file():
        return _file_digest(path)
    digest = hashlib.sha256()
    if not path.is_dir():
        return ""
    for file in sorted(path.iterdir()):
        if file.is_file():
            digest.update(f"{file.name} {_file_digest(file)}\n".encode())
    return digest.hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
