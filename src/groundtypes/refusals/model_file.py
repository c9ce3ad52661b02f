"""The files of the models that are shipped with the package, each beside its checksum."""

import hashlib
from importlib.resources import files
from typing import Final

from groundtypes.errors import BackendError

_DAMAGED: Final = "The refusal model shipped with groundtypes is damaged; reinstall groundtypes."


def read_model_file(name: str) -> bytes:
    """Return the bytes of a file in `data/`.

    Raises:
        BackendError: The file is not the one that was shipped.
    """
    folder = files("groundtypes.refusals") / "data"
    try:
        data = (folder / name).read_bytes()
        checksum = (folder / f"{name}.sha256").read_text(encoding="ascii").split()[0]
    except (OSError, ValueError) as error:
        raise BackendError(_DAMAGED) from error
    if hashlib.sha256(data).hexdigest() != checksum:
        raise BackendError(_DAMAGED)
    return data
