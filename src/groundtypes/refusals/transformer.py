"""The transformer: a larger model for other languages, and where the small ones are not sure.

It needs `groundtypes[nli]`. Without this, there is none, and the small models decide alone. Nothing
is imported before the first text that it reads.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from groundtypes.concurrency.bounded_cache import BoundedCache

if TYPE_CHECKING:
    from groundtypes.backends.reply_classifier import ReplyClassifier

#: What follows an opening that is not the whole text.
_CONTINUED: Final = " \u2026"
#: The outputs of so many openings are kept: validation reads a text more than once.
_MAX_OPENINGS: Final = 1_000
#: What the extra `nli` installs.
_NEEDED: Final = ("numpy", "onnxruntime", "tokenizers", "groundtypes_nli")

_known: Final = BoundedCache[str, list[float]](_MAX_OPENINGS)


def opening_text(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return what the transformer reads of a text, given the spans of its opening."""
    sentences = " ".join(text[start:end] for start, end in spans)
    is_whole = not spans or spans[-1][1] >= len(text.rstrip())
    return sentences if is_whole else sentences + _CONTINUED


def transformer_outputs(opening: str) -> list[float] | None:
    """Return the outputs for an opening: answer, refusal, abstention, partial answer.

    `None`: what the transformer needs is not installed.

    Raises:
        BackendError: A file of the model is missing or damaged.
    """
    load = _loader()
    if load is None:
        return None
    outputs = _known.get(opening)
    if outputs is None:
        outputs = load().outputs(opening)
        _known.put(opening, outputs)
    return outputs


@cache
def _loader() -> "Callable[[], ReplyClassifier] | None":
    """Return what loads the model; `None` if a package that it needs is not installed.

    An import that fails for another reason, such as two threads in each other's way, is an error:
    else this process would do without the model from then on, and nobody would know.
    """
    if not all(map(_is_installed, _NEEDED)):
        return None
    from groundtypes.backends.reply_classifier import (  # noqa: PLC0415 # needs an extra
        reply_classifier,
    )

    return reply_classifier


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # it is kept from being imported
        return False
