"""Which characters are equal: the tables of typography that a comparison ignores.

The tables hold what Unicode normalisation and case folding (`text.characters.fold`) do not unify.
"""

import re
from typing import Final

from groundtypes.text.characters import QUOTATION_MARKS

__all__ = [
    "BULLETS",
    "CLOSING_BRACKETS",
    "DIGITS",
    "INCH_AND_FOOT_MARKS",
    "IS_QUOTATION_MARK",
    "OPERATORS",
    "PUNCTUATION_MARKS",
]

#: Superscript and subscript digits and the Arabic separators of numbers, for `str.translate`.
DIGITS: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u066b\u066c",
    "01234567890123456789.,",
)
#: Operators typed as several ASCII characters, and variants of operators and other signs.
OPERATORS: Final = {
    "<=": "\u2264", "=<": "\u2264", ">=": "\u2265", "!=": "\u2260", "+/-": "\u00b1",
    "+-": "\u00b1", "->": "\u2192", "=>": "\u21d2", "\u2a7d": "\u2264", "\u2a7e": "\u2265",
    "\u066a": "%", "\u061f": "?", "\u2044": "/", "\u2215": "/", "\u223c": "~", "\u301c": "~",
    "\u02dc": "~", "\u00ba": "\u00b0", "\u02da": "\u00b0", "\u2218": "\u00b0", "\u00d7": "x",
    "\u2a09": "x", "\u2715": "x",
}  # fmt: skip
#: Punctuation of other scripts, and the ASCII mark that it is compared as.
PUNCTUATION_MARKS: Final = {
    **{mark: mark for mark in ",;:.()[]{}\u00b7"},
    "\u3001": ",",
    "\u3002": ".",
    "\uff61": ".",
    "\uff64": ",",
    "\u060c": ",",
    "\u061b": ";",
    **dict.fromkeys("\u0964\u0965\u06d4\u1362\u0589\u17d4\u104b", "."),
    **dict.fromkeys("\u1363\u104a", ","),
    "\u1364": ";",
    **dict.fromkeys("\u2236\u05c3\u1365", ":"),
    **dict.fromkeys("\u30fb\uff65\u2219\u22c5\u2027", "\u00b7"),
    "\u3010": "[",
    "\u3011": "]",
    "\u3014": "[",
    "\u3015": "]",
}
CLOSING_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
BULLETS: Final = frozenset(
    "\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7\uf0a7"
)
IS_QUOTATION_MARK: Final = re.compile(f"[{QUOTATION_MARKS}]")
#: Marks that mean inches or feet, minutes or seconds, after a number. Curly quotation marks are
#: not among them: a typographer uses them only for quotations.
INCH_AND_FOOT_MARKS: Final = {"\u2033": '"', "\u2032": "'", '"': '"', "'": "'"}
