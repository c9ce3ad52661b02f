"""The files of the models that are shipped with the package, each beside its checksum."""

import hashlib
from importlib.resources import files


def read_model_file(name: str) -> bytes:
    """Return the bytes of a file in `data/`.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    folder = files("groundtypes.refusals") / "data"
    data = (folder / name).read_bytes()
    checksum = (folder / f"{name}.sha256").read_text(encoding="ascii").split()[0]
    if hashlib.sha256(data).hexdigest() != checksum:
        raise ValueError(f"{name} is damaged: its SHA-256 is not {checksum}")
    return data
