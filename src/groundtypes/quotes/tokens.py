"""What a token is: its kind, the key by which it is compared, and its place in the text.

A kind is one character, so that a scanned text needs little memory. The tables of equal characters
hold what Unicode normalisation and case folding (`text.characters.fold`) do not unify.
"""

import re
from typing import Final

from groundtypes.text.characters import QUOTATION_MARKS

WORD: Final = "w"
NUMBER: Final = "n"
#: Operators, comparison and percent signs, question and exclamation marks.
SYMBOL: Final = "s"
#: The caret that a superscript implies; a typed caret is a `SYMBOL` with the same key.
EXPONENT: Final = "^"
#: Comma, semicolon, colon, full stop and brackets.
PUNCTUATION: Final = "p"
DASH: Final = "d"
#: A dash at a line break, which may only be the typesetter's hyphenation.
HYPHEN: Final = "h"
QUOTATION_MARK: Final = "q"
#: Markdown, HTML tags and bullets.
MARKUP: Final = "m"
FOOTNOTE: Final = "f"
#: The key of a tag of a paragraph, line break, item, cell or the like, which ends a word.
BLOCK_TAG: Final = "<p>"
ELLIPSIS: Final = "e"
#: What is struck out; its keys differ from those of all other tokens.
STRUCK: Final = "x"

#: Tokens that may be missing on one side of a match.
OPTIONAL: Final = frozenset((QUOTATION_MARK, MARKUP, FOOTNOTE))
#: Tokens of a text that a quote may leave out, but not add.
OMISSIBLE: Final = OPTIONAL | {STRUCK}
#: Tokens that carry meaning, so that they count as words of a quote.
MEANINGFUL: Final = frozenset((WORD, NUMBER, SYMBOL, EXPONENT))


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


class Tokens:
    """The tokens of a stretch of text, as four lists of one length.

    `keys` are what is compared and `kinds` are the constants above; `starts` and `ends` are code
    points of the text that was scanned.
    """

    __slots__ = ("ends", "keys", "kinds", "starts")

    def __init__(self) -> None:
        """Create an empty sequence of tokens."""
        self.keys: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, key: str, kind: str, start: int, end: int) -> None:
        """Append one token."""
        self.keys.append(key)
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)

    def strike_out(self, first: int) -> None:
        """Mark the tokens from this one on as struck out."""
        for at in range(first, len(self.keys)):
            if self.kinds[at] not in OPTIONAL:
                self.keys[at] = f"~{self.keys[at]}"
                self.kinds[at] = STRUCK

    def __len__(self) -> int:
        return len(self.keys)
