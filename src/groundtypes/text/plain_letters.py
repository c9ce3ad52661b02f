"""The text as a reader sees it: plain letters, no emphasis, nothing struck out.

A "not" in full-width or mathematical letters, with a Cyrillic o, or half in bold is read as "not"
by people, and as another word by a small model.
"""

import re
import unicodedata
from typing import Final

from groundtypes.text.characters import INVISIBLE

#: Full-width, mathematical, circled and raised letters, which have a plain form (Unicode, NFKC).
_STYLED: Final = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2071\u207f\u02b0-\u02b8\u1d2c-\u1d6a\u24b6-\u24e9"
    "\U0001d400-\U0001d7ff]+"
)
#: Small capitals.
_SMALL_CAPITALS: Final = str.maketrans(
    "\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18"
    "\u0280\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
    "abcdeghijklmnoprtuvwyz",
)
#: Letters of other alphabets that look like Latin ones (Unicode, confusables.txt).
_LOOK_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u03bf\u03b9\u03bd"
    "\u03c1\u0578\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u039d\u039f",
    "aeopcyxijsdhoivpnABEKMHOPCTXNO",
)
#: A word with a Latin letter and one of another alphabet. A plain Greek or Cyrillic word stays.
_MIXED: Final = re.compile(r"(?<!\w)(?=\w{0,40}[A-Za-z])(?=\w{0,40}[\u0370-\u058f])\w{1,40}(?!\w)")
_STRUCK_OUT: Final = re.compile(
    r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<>]{1,200}</\1>", re.IGNORECASE
)
_EMPHASIS: Final = re.compile(
    r"\*\*|__|</?(?:b|i|u|em|strong|mark|span|code)>|(?<=[A-Za-z])\*(?=[A-Za-z])"
)

#: A zero-width space between two words; inside a word it is left out.
_SPACE: Final = re.compile(r"(?<=[A-Za-z]{2})\u200b(?=[A-Za-z]{2})")
#: A letter as a character reference of HTML.
_REFERENCE: Final = re.compile(r"&#(x[0-9a-f]{2}|[0-9]{2,3});", re.IGNORECASE)


def _letter(reference: re.Match[str]) -> str:
    digits = reference[1]
    letter = chr(int(digits[1:], 16) if digits[0] in "xX" else int(digits))
    return letter if letter.isalpha() else reference[0]


def plain_letters(text: str) -> str:
    """Return a text in plain letters, without emphasis and without what is struck out."""
    if "~~" in text or "<" in text:
        text = _STRUCK_OUT.sub("", text)
    if "*" in text or "_" in text or "<" in text:
        text = _EMPHASIS.sub("", text)
    if "&#" in text:
        text = _REFERENCE.sub(_letter, text)
    if text.isascii():
        return text
    text = INVISIBLE.sub("", _SPACE.sub(" ", text)).translate(_SMALL_CAPITALS)
    text = _STYLED.sub(lambda styled: unicodedata.normalize("NFKC", styled[0]), text)
    return _MIXED.sub(lambda word: word[0].translate(_LOOK_ALIKE), text)
