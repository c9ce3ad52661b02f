"""The values of attributes: of bounded length, without secrets, and encodable as UTF-8."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from groundtypes.backends.redaction import redact_pieces
from groundtypes.text.message_excerpts import clip

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: How long names are, in characters.
_MAX_NAME: Final = 80


@lru_cache(maxsize=4096)
def code_text(text: str) -> str:
    """Return a word that stands in somebody's program, such as a slug or the name of a field."""
    return _encodable(clip(text, _MAX_NAME))


def clean_text(text: str, limit: int = _MAX_NAME) -> str:
    """Return what may come from a model, a server or a user, without the secrets in it."""
    return _encodable(clip(redact_pieces(text), limit))


def model_name(model: Any) -> str:
    """Return the name of what answers are validated by."""
    if isinstance(model, str):
        return code_text(model)
    model = getattr(model, "_type", model)  # of a TypeAdapter
    if hasattr(model, "__metadata__"):  # Annotated
        model = model.__origin__
    # The parameters of a generic alias may be markers with long rules.
    arguments: Iterable[Any] = getattr(model, "__args__", ())
    name = getattr(model, "__name__", None) or type(model).__name__
    named = [part.__name__ for part in arguments if isinstance(part, type)]
    return code_text(f"{name}[{', '.join(named)}]" if named and "[" not in name else name)


def _encodable(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, with which no record can be exported."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
