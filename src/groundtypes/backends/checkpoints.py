"""Whether all weights of a network came from its checkpoint.

transformers gives a network random weights where the checkpoint has none, and only logs a warning.
Such a network answers at random, and differently in every process.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from groundtypes.errors import BackendError
from groundtypes.text.message_excerpts import clip

#: How many weights a message names.
_SHOWN: Final = 3


def check_loading_report(info: Mapping[str, Any], name: str) -> None:
    """Raise if a network has weights that are not from its checkpoint.

    Weights that a checkpoint need not have are not in the report: those tied to others, and
    buffers that are computed. Weights in the checkpoint that the network has no use for are fine.

    Args:
        info: What `from_pretrained(..., output_loading_info=True)` returns beside the network.
        name: The checkpoint, by its name on the hub or its folder.

    Raises:
        BackendError: Weights are missing in the checkpoint, or have other shapes there.
    """
    missing = _names(info.get("missing_keys", ()))
    mismatched = _names(info.get("mismatched_keys", ()))
    if not missing and not mismatched:
        return
    parts = []
    if missing:
        parts.append(f"lacks {_shown(missing)}")
    if mismatched:
        parts.append(f"has {_shown(mismatched)} in another shape")
    raise BackendError(
        f"The checkpoint {clip(name, 200)} was not trained as this kind of network: it "
        f"{' and '.join(parts)}. These weights would be random, and so would the answers. Name a "
        "checkpoint that was trained for this task."
    )


def _names(keys: Iterable[Any]) -> list[str]:
    """Return the names of weights, of which a mismatched one may come with both shapes."""
    return sorted(str(key if isinstance(key, str) else key[0]) for key in keys)


def _shown(names: list[str]) -> str:
    shown = ", ".join(clip(name, 80) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
