"""What people say of a text: whether its references support it."""

import math
from typing import Any, Final

#: The key of a row under which `groundtypes check` looks for what people say of its answer.
PEOPLE_SAY: Final = "people_say"
#: What a label may be, in lower case, by whether it says that the references support the text.
_SUPPORTED: Final = frozenset("supported entailed entailment true yes 1 1.0".split())
_UNSUPPORTED: Final = frozenset(
    "unsupported neutral contradicted contradiction false no 0 0.0".split()
) | {f"not{space}{word}" for space in " _" for word in ("supported", "entailed")}


def is_unlabelled(label: Any) -> bool:
    """Return whether nobody has labelled a row; pandas writes a missing label as NaN."""
    if isinstance(label, float):
        return math.isnan(label)
    return label is None or (isinstance(label, str) and not label.strip())


def says_supported(label: Any) -> bool | None:
    """Return whether a label says that the text is supported; `None` if it says neither."""
    if isinstance(label, bool):
        return label
    # A column of whole numbers of which some are missing holds floats in pandas: 1.0.
    if isinstance(label, int | float) and label in (0, 1):
        return bool(label)
    word = label.strip().lower() if isinstance(label, str) else ""
    return word in _SUPPORTED if word in _SUPPORTED or word in _UNSUPPORTED else None
