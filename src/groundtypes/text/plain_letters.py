"""The text as a reader sees it: plain letters, no emphasis, nothing struck out.

A "not" in full-width or mathematical letters, with a Cyrillic o, or half in bold is read as "not"
by people, and as another word by a small model.
"""

import re
import unicodedata
from typing import Final

from groundtypes.text.characters import INVISIBLE

__all__ = ["plain_letters"]

#: Full-width and mathematical letters and digits, which have a plain form (Unicode, NFKC).
_STYLED: Final = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
#: Letters of other alphabets that look like Latin ones (Unicode, confusables.txt), and small
#: capitals.
_LOOK_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u03bf\u03b9\u03bd\u03c1"
    "\u0578\u1d00\u1d04\u1d05\u1d07\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\u1d1b"
    "\u1d1c\u1d20\u1d21\u1d22\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u041d\u039f",
    "aeopcyxijsdhoivpnacdehijklmnoprtuvwzABEKMHOPCTXHO",
)
#: A word with a Latin letter and one of another alphabet. A plain Greek or Cyrillic word stays.
_MIXED: Final = re.compile(
    r"(?<!\w)(?=\w{0,40}[A-Za-z])(?=\w{0,40}[\u0370-\u058f\u1d00-\u1d22\u0262-\u029f])\w{1,40}(?!\w)"
)
_STRUCK_OUT: Final = re.compile(
    r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<>]{1,200}</\1>", re.IGNORECASE
)
_EMPHASIS: Final = re.compile(
    r"\*\*|__|</?(?:b|i|u|em|strong|mark|span|code)>|(?<=[A-Za-z])\*(?=[A-Za-z])"
)


def plain_letters(text: str) -> str:
    """Return a text in plain letters, without emphasis and without what is struck out."""
    if "~~" in text or "<" in text:
        text = _STRUCK_OUT.sub("", text)
    if "*" in text or "_" in text or "<" in text:
        text = _EMPHASIS.sub("", text)
    if text.isascii():
        return text
    text = INVISIBLE.sub("", text)
    text = _STYLED.sub(lambda styled: unicodedata.normalize("NFKC", styled[0]), text)
    return _MIXED.sub(lambda word: word[0].translate(_LOOK_ALIKE), text)
