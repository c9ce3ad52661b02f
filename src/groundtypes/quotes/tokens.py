"""What a token is: its kind, the key by which it is compared, and its place in the text.

A kind is one character, so that a scanned text needs little memory.
"""

from typing import Final

__all__ = [
    "BLOCK_TAG",
    "DASH",
    "ELLIPSIS",
    "EXPONENT",
    "FOOTNOTE",
    "HYPHEN",
    "MARKUP",
    "MEANINGFUL",
    "NUMBER",
    "OMISSIBLE",
    "OPTIONAL",
    "PUNCTUATION",
    "QUOTATION_MARK",
    "STRUCK",
    "SYMBOL",
    "WORD",
    "Tokens",
]

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
