"""The label before a reply, such as "Answer:", which says nothing about what the reply does.

Models of other languages read "Antwort: „Das weiß ich nicht.“" as an answer that quotes somebody.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from groundtypes.refusals.word_classes import fold

__all__ = ["MAX_LABEL", "span_without_label"]

_FILE: Final = "reply_labels.txt"
#: The longest label, in characters, with its marks.
MAX_LABEL: Final = 32
_MARKS: Final = "*_#> \t\n"
_MARKS_OR_SPACES: Final = re.compile(r"[*_#>\s]*")
#: Quotation marks around a longer reply stay, in characters.
_MAX_QUOTED: Final = 400
#: The marks around a whole reply.
_OPENING: Final = "\"'\u201c\u201d\u201e\u201a\u2018\u00ab\u00bb\u300c\u300e"
_CLOSING: Final = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u300d\u300f.\u3002"
#: A mark that opens or closes a quotation inside; an apostrophe in a word does neither.
_QUOTATION_MARK: Final = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb\u300c-\u300f]|(?<!\w)['\u2018\u2019]"
)


def span_without_label(text: str) -> tuple[int, int] | None:
    """Return the span of a reply without its label and quotation marks; `None` without a label.

    The span is half open, in code points.
    """
    colon = text.find(":", 0, MAX_LABEL)
    if colon < 0 and not text.isascii():
        colon = text.find("\uff1a", 0, MAX_LABEL)
    if colon < 1 or fold(text[:colon].strip(_MARKS)) not in _labels():
        return None
    end = len(text.rstrip())
    start = _start(text, colon + 1)
    if 0 < end - start <= _MAX_QUOTED and text[start] in _OPENING:
        inside = text[start + 1 : end].rstrip(_CLOSING)
        if not _QUOTATION_MARK.search(inside):
            start, end = _start(text, start + 1), start + 1 + len(inside.rstrip())
    return (start, end) if start < end else None


def _start(text: str, position: int) -> int:
    """Return where the first character is, from a position on, that is no mark or space."""
    match = _MARKS_OR_SPACES.match(text, position)
    assert match is not None  # noqa: S101 # it matches nothing, too
    return match.end()


@cache
def _labels() -> frozenset[str]:
    text = (files("groundtypes.refusals") / "data" / _FILE).read_text(encoding="utf-8")
    return frozenset(
        fold(label.strip())
        for line in text.splitlines()
        if line and not line.startswith("#")
        for label in line.split(":", 1)[1].split(",")
    )
