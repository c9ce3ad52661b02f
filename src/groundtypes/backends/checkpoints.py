"""Checkpoints of PyTorch: which one it is, how it computes, and whether it has all weights."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from groundtypes.errors import BackendError
from groundtypes.text.message_excerpts import clip

#: How many weights a message names.
_SHOWN: Final = 3


def check_loading_report(info: Mapping[str, Any], name: str) -> None:
    """Raise if a network has random weights, because its checkpoint has none for them.

    `info` is what `from_pretrained(..., output_loading_info=True)` returns beside the network: it
    does not list weights that are tied to others or computed.
    """
    parts = []
    if info.get("missing_keys"):
        parts.append(f"lacks {_shown(info['missing_keys'])}")
    if info.get("mismatched_keys"):
        parts.append(f"has {_shown(info['mismatched_keys'])} in another shape")
    if parts:
        raise BackendError(
            f"The checkpoint {clip(name, 200)} was not trained as this kind of network: it "
            f"{' and '.join(parts)}. These weights would be random, and so would the answers. Name "
            "a checkpoint that was trained for this task."
        )


def _shown(keys: Iterable[Any]) -> str:
    """Return the names of weights; a mismatched one comes with both shapes."""
    names = sorted(str(key if isinstance(key, str) else key[0]) for key in keys)
    shown = ", ".join(clip(name, 80) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def weights_digest(path: Path, names: str = "*") -> str:
    """Return the hash of a file, or of files of a folder by their names; `""` if there is none."""
    if path.is_file():
        return _file_digest(path)
    if not path.is_dir():
        return ""
    digest = hashlib.sha256()
    for file in sorted(path.glob(names)):
        if file.is_file():
            digest.update(f"{file.name} {_file_digest(file)}\n".encode())
    return digest.hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def default_device(torch: Any) -> str:
    """Return the GPU where there is one, else the CPU."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def check_dtype(torch: Any, dtype: str) -> str:
    """Return the name of a type of PyTorch, or raise a `BackendError` if there is none."""
    if not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise BackendError(f"PyTorch has no type {dtype!r}; bfloat16 is one.")
    return dtype
