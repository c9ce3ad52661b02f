"""A text with its typography flattened: digits of every script, spaces, dashes, marks in ASCII.

Each character stays one character, so that places stay what they are. Only what nobody sees is
taken out, and then the places are counted.
"""

import sys
import unicodedata
from typing import Final

from groundtypes.text.characters import INVISIBLE

__all__ = ["flatten"]

_SPACES: Final = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
    "\u3000"
)
_HYPHENS: Final = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d\u2043"
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MARKS: Final = {
    "\u066a": "%",
    "\u066b": ".",
    "\u066c": ",",
    "\u060c": ",",
    "\ufe6a": "%",
    "\ufe69": "$",
    "\uffe1": "£",
    "\uffe5": "¥",
    "\uffe0": "¢",
    "\u2019": "'",
    "\u2018": "'",
    "\u02bc": "'",
    "\u2032": "'",
    "\u2033": '"',
    "\u2044": "/",
    "\u2215": "/",
    "\u03bc": "µ",
    "\u212a": "K",
    "\u2a7d": "≤",
    "\u2a7e": "≥",
}


def _digits() -> dict[int, int]:
    """Return every decimal digit of Unicode with its ASCII digit."""
    found: dict[int, int] = {}
    for code in range(0x80, min(sys.maxunicode, 0x1FFFF) + 1):
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            found[code] = 0x30 + int(digit)
    return found


_FLAT: Final[dict[int, int | str]] = {
    **dict.fromkeys(map(ord, _SPACES), " "),
    **dict.fromkeys(map(ord, _HYPHENS), "-"),
    **_FULL_WIDTH,
    **{ord(mark): plain for mark, plain in _MARKS.items()},
    **_digits(),
}


def flatten(text: str) -> tuple[str, list[int] | None]:
    """Return the flat text, and the place in the text of each of its characters.

    The places are `None` where each character stands where it stood. There is one more of them
    than characters.
    """
    if text.isascii():
        return text, None
    places: list[int] | None = None
    if INVISIBLE.search(text):
        places = [at for match in _seen(text) for at in range(*match)]
        text = "".join(text[start:end] for start, end in _seen(text))
        places.append(places[-1] + 1 if places else 0)
    return text.translate(_FLAT), places


def _seen(text: str) -> list[tuple[int, int]]:
    """Return the stretches between the invisible characters."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in INVISIBLE.finditer(text):
        spans.append((start, match.start()))
        start = match.end()
    return [*spans, (start, len(text))]
