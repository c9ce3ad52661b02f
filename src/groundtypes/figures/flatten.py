"""A text with its typography flattened: digits of every script, spaces, dashes, marks in ASCII.

Each character stays one character, so that places stay what they are. Only what nobody sees is
taken out, and then the places are counted.
"""

import re
import sys
import unicodedata
from bisect import bisect_right
from functools import cache
from typing import Final

from groundtypes.text.characters import INVISIBLE

__all__ = ["Places", "flatten"]

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


#: What nobody sees, and the asterisks of Markdown, which may stand within a quantity.
_UNSEEN: Final = re.compile(rf"{INVISIBLE.pattern}|\*\*")


def _digits() -> dict[int, int]:
    """Return every decimal digit of Unicode with its ASCII digit."""
    found: dict[int, int] = {}
    for code in range(0x80, min(sys.maxunicode, 0x1FFFF) + 1):
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            found[code] = 0x30 + int(digit)
    return found


@cache
def _flat() -> dict[int, int | str]:
    """Return the table, made when the first text needs it."""
    return {
        **dict.fromkeys(map(ord, _SPACES), " "),
        **dict.fromkeys(map(ord, _HYPHENS), "-"),
        **_FULL_WIDTH,
        **{ord(mark): plain for mark, plain in _MARKS.items()},
        **_digits(),
    }


class Places:
    """From the places of a flat text to those of the text that it was made of.

    What was taken out is kept as few cuts, and not as one place for each character.
    """

    def __init__(self, cuts: list[tuple[int, int]]) -> None:
        """Take the half-open stretches that were taken out, in order."""
        self._ats: list[int] = []
        self._gone: list[int] = []
        gone = 0
        for start, end in cuts:
            self._ats.append(start - gone)
            gone += end - start
            self._gone.append(gone)

    def of(self, at: int) -> int:
        """Return where the character stood."""
        cut = bisect_right(self._ats, at)
        return at + (self._gone[cut - 1] if cut else 0)


def flatten(text: str) -> tuple[str, Places | None]:
    """Return the flat text, and the places of its characters where they are other ones."""
    if text.isascii() and "**" not in text:
        return text, None
    places = None
    if cuts := [match.span() for match in _UNSEEN.finditer(text)]:
        places = Places(cuts)
        text = _UNSEEN.sub("", text)
    return text.translate(_flat()), places
