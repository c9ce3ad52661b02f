r"""Normalisation before figures are read: digits of every script, spaces, dashes, marks in ASCII.

One character becomes one character, so that offsets mostly stay the same. Only invisible characters
and Markdown's asterisks are removed; an `OffsetMap` then maps offsets to those in the original.
What formulas of LaTeX add ("$5 \times 10^{6}$", "$10\,\mathrm{mg}$") is replaced by characters
that are removed, too. A dollar sign around a formula is no currency.
"""

import re
import unicodedata
from bisect import bisect_right
from functools import cache
from typing import Final

from groundtypes.text.characters import INVISIBLE
from groundtypes.text.latex import FORMULA, with_signs

#: Stands for characters that are no part of what is read.
_FILLING: Final = "\ue001"
#: A number alone between two dollar signs: "between $5$ and $10$ kg".
_NUMBER: Final = re.compile(r"(?<![\w$\\])\$[-+]?\d[\d.,]{0,12}\$(?![\w$])")
#: Spaces of a formula: before a unit, and those that join the digits of one number.
_THOUSANDS: Final = re.compile(r"(?<=\d)(?:\\[,!]|\{,\})(?=\d{3}(?!\d))")
_SPACE: Final = re.compile(r"\\[,;:>]|\\ |\\q?quad(?![A-Za-z])|~")
_NO_SPACE: Final = re.compile(r"\\!")
#: A command around text, with its brace, and the brace that closes it.
_GROUP: Final = re.compile(
    r"\\(?:math|text)(?:rm|it|bf|sf|tt|up|normal)?\{([^{}\n]{1,40})\}|\\mbox\{([^{}\n]{1,40})\}"
)
#: Signs that LaTeX needs a backslash for, and the brackets around a formula.
_ESCAPE: Final = re.compile(r"\\(?=[%$&#\[\]])|\\[()]")
#: A tie between a number and its unit or scale.
_TIE: Final = re.compile(r"(?<=\d)(?:~|\\[,;:])(?=\\?[^\W\d_%])")


def _without_formulas(text: str) -> str:
    """Return a text of the same length, with `_FILLING` for what its formulas add."""
    text = _NUMBER.sub(_in_formula, FORMULA.sub(_in_formula, text))
    text = _GROUP.sub(_group, _spaced(_TIE, text))
    return _filled(_ESCAPE, with_signs(text, _FILLING))


def _in_formula(match: re.Match[str]) -> str:
    inner = _filled(_NO_SPACE, _filled(_THOUSANDS, match[0][1:-1]))
    return f"{_FILLING}{_spaced(_SPACE, _GROUP.sub(_group, inner))}{_FILLING}"


def _group(match: re.Match[str]) -> str:
    number = match.lastindex or 1
    before, after = match.start(number) - match.start(), match.end() - match.end(number)
    return _FILLING * before + match[number] + _FILLING * after


def _filled(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: _FILLING * len(match[0]), text)


def _spaced(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " + _FILLING * (len(match[0]) - 1), text)


_SPACES: Final = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
    "\u3000"
)
#: Hyphens, the en dash and minus signs.
_HYPHENS: Final = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d\u2043"
#: The full-width forms of printable ASCII characters.
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
#: Marks of other scripts and of typography, and the same in ASCII or as they are read.
_MARKS: Final = str.maketrans(
    "\u066a\u066b\u066c\u060c\ufe6a\ufe69\uffe1\uffe5\uffe0\u2019\u2018\u02bc"
    "\u2032\u2033\u2044\u2215\u03bc\u212a\u212b\u2126\u2a7d\u2a7e",
    "%.,,%$\u00a3\u00a5\u00a2''''\"//\u00b5K\u00c5\u03a9\u2264\u2265",
)
#: The exponent of a power of ten that a PDF has put on the line: "10−3" with a true minus sign,
#: and "× 10-3" with any.
_FLAT_EXPONENT: Final = re.compile(r"10([\u2212\u2013-])(?=[0-9]{1,2}(?![0-9]|[.,][0-9]))")
#: A decimal point in British journals, and no product: "7·4 %", but not "3·10⁸".
_MIDDLE_DOT: Final = re.compile(
    "(?<=[0-9])\u00b7(?=[0-9])(?!10(?:\\^|\ue000|[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]))"
)
#: What stands before the 10 of a power of ten with a factor.
_FACTOR: Final = re.compile(r"[0-9]\s?[×xX*·]\s?\Z")
#: Stands before the digits of such an exponent, from here on.
FLAT_MINUS: Final = "\ue000"
#: Invisible characters, the asterisks of Markdown, which may be inside a quantity, and what stands
#: for the signs of formulas.
_REMOVED: Final = re.compile(rf"{INVISIBLE.pattern}|\*\*|{_FILLING}+")


@cache
def _translation_table() -> dict[int, int | str]:
    """Return the table for `str.translate`, which is built when the first text needs it."""
    digits = ((code, unicodedata.decimal(chr(code), None)) for code in range(0x80, 0x20000))
    return {
        **dict.fromkeys(map(ord, _SPACES), " "),
        **dict.fromkeys(map(ord, _HYPHENS), "-"),
        **_FULL_WIDTH,
        **_MARKS,
        **{code: 0x30 + int(digit) for code, digit in digits if digit is not None},
    }


class OffsetMap:
    """Maps offsets in the normalised text to those in the original.

    It holds only the few stretches that were removed, not one offset for each character.
    """

    def __init__(self, removed: list[tuple[int, int]]) -> None:
        """Build the map from the stretches of the original that were removed, in order."""
        #: Where something was removed, in the normalised text, and how much up to there.
        self._offsets: list[int] = []
        self._removed_until: list[int] = []
        total = 0
        for start, end in removed:
            self._offsets.append(start - total)
            total += end - start
            self._removed_until.append(total)

    def original(self, offset: int) -> int:
        """Return the original offset of a character."""
        number = bisect_right(self._offsets, offset)
        return offset + (self._removed_until[number - 1] if number else 0)


def normalise(text: str) -> tuple[str, OffsetMap | None]:
    """Return the normalised text, and the map of its offsets where they differ."""
    if "\\" in text or "~" in text or text.count("$") > 1:
        text = _without_formulas(text)
    if text.isascii() and "**" not in text:
        if "10-" in text:
            text = _FLAT_EXPONENT.sub(_with_flat_minus, text)
        return text, None
    offsets = None
    if removed := [match.span() for match in _REMOVED.finditer(text)]:
        offsets = OffsetMap(removed)
        text = _REMOVED.sub("", text)
    if "10" in text:
        text = _FLAT_EXPONENT.sub(_with_flat_minus, text)
    if "\u00b7" in text:
        text = _MIDDLE_DOT.sub(".", text)
    return text.translate(_translation_table()), offsets


def _with_flat_minus(match: re.Match[str]) -> str:
    """Return the 10 and the minus of an exponent, or what was there if it is none."""
    before = match.string[max(0, match.start() - 4) : match.start()]
    is_number = before[-1:].isdigit() or before[-1:] in (".", ",", "-", "\u2212")
    if _FACTOR.search(before) or (match[1] == "\u2212" and not is_number):
        return "10" + FLAT_MINUS
    return match[0]
