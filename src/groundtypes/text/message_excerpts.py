"""Texts of answers and references as messages show them: cut, on one line, in quotation marks."""

import re
from typing import Final

_MAX_ID: Final = 40
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: Pairs of quotation marks, in the order in which they are tried. `Quoted` ignores all of them
#: around a quote, so that a text that is copied with them is the same quote.
_MARKS: Final = ('""', "\u00ab\u00bb", "\u300c\u300d", "\u2039\u203a")
#: What an id can hold that would make it look like a part of the message around it.
_MISLEADING: Final = re.compile(
    r"[\"\u00ab\u00bb\u201c-\u201f\n\r]|[.:;,!?](?:\s|\Z)|\s\s|\A\s|\s\Z|\A\Z"
)


def clip(text: str, limit: int) -> str:
    """Return the text, cut between words with an ellipsis if it is longer than `limit`."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ", limit // 2)
    return (head[:space] if space > 0 else head).rstrip() + "\u2026"


def encodable(text: str) -> str:
    r"""Return the text with escapes such as `\ud800` for lone surrogates, which no encoding has."""
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_quotation_marks(text: str) -> str:
    """Return the text on one line between quotation marks that do not occur in it.

    So no text of a reference or an answer can look as if it had ended where it goes on, and what is
    between the marks is the text itself. Only where all marks occur in it are its own replaced.
    """
    line = " ".join(text.split())
    for opening, closing in _MARKS:
        if opening not in line and closing not in line:
            return f"{opening}{line}{closing}"
    return '"{}"'.format(line.replace('"', "'"))


def shown_id(id_: str) -> str:
    """Return the id of a reference as messages name it: as it is, or between quotation marks.

    It has marks where it could be taken for a part of the message, and at most 40 characters.
    """
    shown = clip(id_, _MAX_ID)
    return in_quotation_marks(shown) if _MISLEADING.search(shown) else shown


def excerpt(text: str, limit: int) -> str:
    """Return the text on one line between quotation marks, cut like `clip`."""
    return in_quotation_marks(clip(" ".join(text.split()), limit))
