"""Texts that were damaged on their way: what is repaired in a quote and in the references.

Unicode's own equivalences are none of it, because every search knows them. The tables hold what it
does not say: letters that a text writes in two ways, marks that most texts leave out, and what
extraction from PDF, Word, web pages and wikis leaves behind.
"""

import re
import unicodedata
from array import array
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from groundtypes.references import PerReferences, References

#: Accents that stand as characters of their own, and the marks that they are above a letter.
_ACCENTS: Final = {
    "\u00b4": "\u0301", "`": "\u0300", "\u00a8": "\u0308", "\u02c6": "\u0302", "\u02dc": "\u0303",
    "\u02c7": "\u030c", "\u02da": "\u030a", "\u00b8": "\u0327",
}  # fmt: skip
#: Letters with another spelling: yo of Russian, ligatures of French and Latin, forms of Arabic.
_LETTERS: Final = {
    "\u0451": "\u0435", "\u0401": "\u0415", "\u0153": "oe", "\u0152": "Oe", "\u00e6": "ae",
    "\u00c6": "Ae", "\u0623": "\u0627", "\u0625": "\u0627", "\u0622": "\u0627",
    "\u0671": "\u0627", "\u0649": "\u064a", "\u0629": "\u0647", "\u301c": "~", "\uff5e": "~",
}  # fmt: skip
_TONES: Final = "\u0300\u0301\u0303\u0309\u0323"
_CP1252: Final = "\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
_RULES: Final = (
    # Readings of characters, notes of wikis, tags of Word.
    r"(?P<markup>(?is:<r[tp]\b[^<>]{0,99}>[^<>]{0,99}</r[tp]>|</?(?:ruby|rb)\b[^<>]{0,99}>"
    r"|<ref\b[^<>]{0,300}/>|<ref\b[^<>]{0,300}>.{0,2000}?</ref>"
    r"|</?[ovwm]:[^<>]{0,300}>))"
    # Vowel signs of Arabic and Hebrew, and the line that only makes a word longer.
    r"|(?P<signs>[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]+)"
    # Spaces behind ligatures and before a percent sign; a first letter alone; the end of a line of
    # a mail.
    r"|(?P<space>(?<=[\ufb00-\ufb06]) (?=[a-z])|(?<=\d)[ \u00a0\u202f](?=%)|=\r?\n(?=[^\W\d_])"
    r"|(?m:(?<=^[B-HJ-NP-Z])[ \n](?=[a-z]{2})|(?<=^[AIO])\n(?=[a-z])))"
    rf"|(?P<accent>(?<=[^\W\d_])[{''.join(_ACCENTS)}] ?[A-Za-z\u0131])"
    rf"|(?P<bytes>[\u00c2-\u00f4][{_CP1252}\u2013-\u203a\u20ac\u2122]{{1,3}})"
    rf"|(?P<letter>[{''.join(_LETTERS)}])"
)


class Repaired(NamedTuple):
    """A repaired text, and where each of its characters starts and ends in the original one."""

    text: str
    starts: "array[int]"
    ends: "array[int]"

    def original(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original text for one of the repaired text."""
        low, high = self.starts[start], self.ends[end - 1]
        while high < len(text) and unicodedata.combining(text[high]):
            high += 1
        return low, high


@cache
def _pattern() -> re.Pattern[str]:
    tones = "".join(_tones())
    return re.compile(rf"{_RULES}|(?P<tone>[{tones}][aeyAEY])")


@cache
def _tones() -> dict[str, tuple[str, str]]:
    """Return each o and u of Vietnamese with a tone, as the letter and the tone."""
    composed = {(letter, tone): unicodedata.normalize("NFC", letter + tone)
                for letter in "ouOU" for tone in _TONES}  # fmt: skip
    return {one: parts for parts, one in composed.items() if len(one) == 1}


def _accent(piece: str) -> str:
    letter = "i" if piece[-1] == "\u0131" else piece[-1]
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[piece[0]])
    return composed if len(composed) == 1 else piece


def _bytes(piece: str) -> str:
    """Return the characters whose bytes were read in another encoding."""
    for length in range(len(piece), 1, -1):
        for encoding in ("cp1252", "latin-1"):
            try:
                return piece[:length].encode(encoding).decode() + piece[length:]
            except (UnicodeEncodeError, UnicodeDecodeError):
                continue
    return piece


def _tone(piece: str) -> str:
    """Return two vowels with the tone on the second one, where the newer spelling has it."""
    letter, tone = _tones()[piece[0]]
    return letter + unicodedata.normalize("NFC", piece[1] + tone)


_REPLACED: Final[dict[str, Callable[[str], str]]] = {
    "markup": lambda _: "",
    "signs": lambda _: "",
    "space": lambda _: "",
    "accent": _accent,
    "bytes": _bytes,
    "tone": _tone,
    "letter": _LETTERS.__getitem__,
}


def repair(text: str) -> Repaired:
    """Return a text without the damage that is known; its work grows with the text's length."""
    parts: list[str] = []
    starts, ends = array("q"), array("q")
    at = 0
    for match in _pattern().finditer(text):
        start, end = match.span()
        piece = _REPLACED[match.lastgroup or "markup"](match[0])
        parts += (text[at:start], piece)
        starts.extend((*range(at, start), *[start] * len(piece)))
        ends.extend((*range(at + 1, start + 1), *[end] * len(piece)))
        at = end
    parts.append(text[at:])
    starts.extend(range(at, len(text)))
    ends.extend(range(at + 1, len(text) + 1))
    return Repaired("".join(parts), starts, ends)


def repaired_quote(quote: str) -> str:
    """Return a repaired quote; a line break that was escaped twice is one."""
    return repair(quote.replace("\\n", "\n")).text


def _repaired(references: References) -> tuple[References, tuple[Repaired, ...]]:
    texts = tuple(map(repair, references.texts))
    return References(references.ids, tuple(one.text for one in texts)), texts


#: The repaired references, and how their texts were repaired.
repaired_references: Final = PerReferences(_repaired)
