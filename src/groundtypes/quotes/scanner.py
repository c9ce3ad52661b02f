"""The scanner: a text as normalised tokens, equal where two texts differ only in typography.

White space yields no token, words are folded, and all dashes have one key, as have all quotation
marks. Numbers keep their decimals; a sign is a token of its own, and a superscript exponent becomes
a caret and a number. A token that a comparison may skip (`OPTIONAL`) still has its own key, so that
footnote marks of different numbers stay different.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from groundtypes.quotes.entities import decode_entities, has_entities, restore_offsets
from groundtypes.quotes.equal_characters import (
    BULLETS,
    CLOSING_BRACKETS,
    DIGITS,
    INCH_AND_FOOT_MARKS,
    IS_QUOTATION_MARK,
    OPERATORS,
    PUNCTUATION_MARKS,
)
from groundtypes.quotes.token_patterns import (
    INTERVAL_WORDS,
    LINK_START,
    TOKEN,
    UNIT_WORDS,
)
from groundtypes.quotes.tokens import (
    DASH,
    ELLIPSIS,
    EXPONENT,
    FOOTNOTE,
    HYPHEN,
    MARKUP,
    MEANINGFUL,
    NUMBER,
    OPTIONAL,
    PUNCTUATION,
    QUOTATION_MARK,
    SYMBOL,
    WORD,
    Tokens,
)
from groundtypes.text.characters import fold, is_spaceless

__all__ = ["count_words", "scan"]

#: The key of a `<sup>` tag that opens a footnote mark.
_FOOTNOTE_TAG: Final = "<sup>"
#: How many characters are looked at to find the start of the line, and the next visible character.
_LINE_START_REACH: Final = 12
_NEXT_REACH: Final = 8


def scan(text: str, start: int = 0, end: int | None = None) -> Tokens:
    """Return the tokens of `text[start:end]`; the characters around it count as their context."""
    end = len(text) if end is None else end
    tokens = Tokens()
    if has_entities(text, start, end):
        decoded, offsets = decode_entities(text, start, end)
        _Scanner(decoded, tokens).read(0, len(decoded))
        restore_offsets(text, tokens, offsets)
    else:
        _Scanner(text, tokens).read(start, end)
    return tokens


def count_words(text: str) -> int:
    """Return the number of words: at least two letters or digits, or two spaceless characters."""
    tokens = scan(text)
    words = spaceless = 0
    for key, kind in zip(tokens.keys, tokens.kinds, strict=True):
        if kind == WORD and is_spaceless(key[0]):
            spaceless += 1
        elif kind in MEANINGFUL and sum(map(str.isalnum, key)) >= 2:
            words += 1
    return words + spaceless // 2


class _Scanner:
    """Appends the tokens of a text to a list, from left to right, by one rule for each pattern."""

    __slots__ = ("_in_quotation", "_text", "_tokens")

    def __init__(self, text: str, tokens: Tokens) -> None:
        self._text = text
        self._tokens = tokens
        #: Whether a quotation mark has been opened and not closed.
        self._in_quotation = False

    def read(self, start: int, end: int) -> None:
        """Append the tokens between two offsets."""
        text, tokens = self._text, self._tokens
        keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
        for match in TOKEN.finditer(text, start, end):
            group = match.lastgroup
            piece = match[0]
            # Words and numbers are most of a text, so they are read here and not by a rule.
            if group == "word":
                key = piece.lower() if piece.isascii() else fold(piece)
                if len(key) > 2 and key[-2] in "'\u2019":
                    self._split_negation(key, match.start(), match.end())
                    continue
                if not key:
                    continue
                kinds.append(WORD)
            elif group == "number":
                if kinds and kinds[-1] == FOOTNOTE and keys[-1] == _FOOTNOTE_TAG:
                    kinds.append(FOOTNOTE)
                else:
                    kinds.append(NUMBER)
                key = piece if piece.isascii() else fold(piece.translate(DIGITS))
            elif group == "spaceless":
                key = fold(piece)
                kinds.append(WORD)
            else:
                _RULES[group or "other"](self, match)
                continue
            keys.append(key)
            starts.append(match.start())
            ends.append(match.end())
            if piece[-1] == "\u00ad" and text[match.end() : match.end() + 1].isspace():
                tokens.add("-", HYPHEN, match.end() - 1, match.end())

    def _split_negation(self, key: str, start: int, end: int) -> None:
        """Read "don't" as "do n't", as tokenised texts write it."""
        if len(key) > 3:
            self._tokens.add(key[:-3], WORD, start, end - 3)
        self._tokens.add("n't", WORD, end - 3, end)

    def list_number(self, match: re.Match[str]) -> None:
        """Read "1." at the start of a line, which numbers a list unless a sentence goes on."""
        start, end = match.span()
        tokens = self._tokens
        if not tokens.kinds or tokens.kinds[-1] in "pmf" or tokens.keys[-1] in "?!":
            tokens.add(match[0].strip(), MARKUP, start, end)
            return
        digits = match[0].strip()[:-1]
        tokens.add(digits, NUMBER, end - 1 - len(digits), end - 1)
        tokens.add(match[0][-1], PUNCTUATION, end - 1, end)

    def ellipsis(self, match: re.Match[str]) -> None:
        """Read three dots in any notation."""
        self._tokens.add("...", ELLIPSIS, *match.span())

    def fraction(self, match: re.Match[str]) -> None:
        """Read a fraction in one character as its two numbers."""
        above, _, below = unicodedata.normalize("NFKC", match[0]).partition("\u2044")
        for key, kind in ((above, NUMBER), ("/", SYMBOL), (below, NUMBER)):
            if key:
                self._tokens.add(key, kind, *match.span())

    def bracket(self, match: re.Match[str]) -> None:
        """Read a bracket as tokenised texts write it: -LRB- for an opening round one."""
        name = match[0].upper()
        opening = "([{"["RSC".index(name[2])]
        key = opening if name[1] == "L" else CLOSING_BRACKETS[opening]
        self._tokens.add(key, PUNCTUATION, *match.span())

    def operator(self, match: re.Match[str]) -> None:
        """Read an operator of several characters as the single character that it means."""
        key = OPERATORS[unicodedata.normalize("NFKC", match[0])]
        self._tokens.add(key, SYMBOL, *match.span())

    def dash(self, match: re.Match[str]) -> None:
        """Read a dash, which may be a minus sign, a hyphen at a line break, or a bullet."""
        text = self._text
        start, end = match.span()
        before = text[start - 1] if start else " "
        after = text[end : end + 1] or " "
        kind = DASH
        if end - start > 1 and (before in "|:" or after in "|:"):
            kind = MARKUP
        elif after.isdigit() or (after == "." and text[end + 1 : end + 2].isdigit()):
            if not (before.isalnum() or before in ")]%'\"\u201d\u2019"):
                kind = SYMBOL
        elif after.isspace():
            following = _next_visible(text, end)
            if _is_line_start(text, start) and not following.isdigit():
                kind = MARKUP
            elif before.isalpha() and end - start == 1 and following.isalpha():
                kind = HYPHEN
        self._tokens.add("-", kind, start, end)

    def tag(self, match: re.Match[str]) -> None:
        """Read an HTML tag; a raised number is an exponent or a footnote mark."""
        next_character = self._text[match.end() : match.end() + 1]
        if match[0].lower() == "<sup>" and next_character in tuple("0123456789-+"):
            if self._takes_exponent(match.start()):
                self._tokens.add("^", EXPONENT, *match.span())
            else:
                self._tokens.add(_FOOTNOTE_TAG, FOOTNOTE, *match.span())
            return
        self._tokens.add("<>", MARKUP, *match.span())

    def _takes_exponent(self, start: int) -> bool:
        """Whether a superscript number here is an exponent and not a footnote mark."""
        tokens = self._tokens
        if not tokens.keys or tokens.ends[-1] != start:
            return False
        kind, key = tokens.kinds[-1], tokens.keys[-1]
        if kind == MARKUP and key != "<>":
            return True
        return (
            kind == NUMBER or (kind == WORD and (len(key) <= 2 or key in UNIT_WORDS)) or key in ")]"
        )

    def edited_word(self, match: re.Match[str]) -> None:
        """Read "[T]he", whose first letter an editor changed, as one word."""
        self._tokens.add(fold(match[0][1] + match[0][3:]), WORD, *match.span())

    def footnote(self, match: re.Match[str]) -> None:
        """Read a superscript, or what may be a footnote mark in square brackets."""
        start, end = match.span()
        piece = match[0]
        tokens = self._tokens
        if piece[0] != "[":
            digits = piece.translate(DIGITS)
            has_sign = (
                bool(tokens.keys) and tokens.keys[-1] == "-" and self._text[start - 1] == "\u207b"
            )
            if digits.isdigit() and (has_sign or self._takes_exponent(start)):
                if not has_sign:
                    tokens.add("^", EXPONENT, start, start)
                tokens.add(digits, NUMBER, start, end)
            else:
                tokens.add(f"[{digits}]", FOOTNOTE, start, end)
        elif self._is_footnote(start, piece):
            tokens.add(fold(piece), FOOTNOTE, start, end)
        else:
            tokens.add("[", PUNCTUATION, start, start + 1)
            self.read(start + 1, end - 1)
            tokens.add("]", PUNCTUATION, end - 1, end)

    def _is_footnote(self, start: int, piece: str) -> bool:
        """Whether a number or letter in brackets is a footnote mark, by the token before it."""
        tokens = self._tokens
        if not tokens.keys:
            return not piece[1].isalpha()
        kind, key = tokens.kinds[-1], tokens.keys[-1]
        if kind in OPTIONAL or (kind == PUNCTUATION and key in ".,;:)") or key in ("?", "!", "%"):
            return True
        is_attached = tokens.ends[-1] == start
        if kind == NUMBER:
            return is_attached
        if kind != WORD:
            return False
        if is_attached:
            return len(key) > 1 or not key.isascii()
        is_interval = piece[1].isdigit() and any(gap in piece for gap in (", ", "; "))
        return len(key) > 2 and key not in INTERVAL_WORDS and not is_interval and len(piece) > 2

    def link(self, match: re.Match[str]) -> None:
        """Read the end of a Markdown link with its address."""
        self._tokens.add("](", MARKUP, *match.span())

    def escape(self, match: re.Match[str]) -> None:
        """Read a character that a backslash protects from Markdown."""
        start, end = match.span()
        if match[0][1] in "*_#+-~|>":
            self._tokens.add(match[0][1], SYMBOL, start, end)
        else:
            self._tokens.add("\\", MARKUP, start, start + 1)
            self.read(start + 1, end)

    def emphasis(self, match: re.Match[str]) -> None:
        """Read asterisks, underscores and tildes: Markdown, or signs of a formula or a name."""
        text = self._text
        start, end = match.span()
        before = text[start - 1] if start else " "
        after = text[end : end + 1] or " "
        mark = match[0][0]
        if mark == "~":
            kind = MARKUP if end - start == 2 else SYMBOL
        elif before.isalnum() and after.isalnum():
            kind = SYMBOL if mark == "_" or (before.isdigit() and after.isdigit()) else MARKUP
        elif before.isspace() and after.isspace() and mark == "*" and end - start < 3:
            kind = MARKUP if _is_line_start(text, start) else SYMBOL
        else:
            kind = MARKUP
        self._tokens.add(match[0], kind, start, end)

    def other(self, match: re.Match[str]) -> None:
        """Read any other visible character."""
        text, tokens = self._text, self._tokens
        start, end = match.span()
        piece = match[0]
        if piece in PUNCTUATION_MARKS:
            is_link = piece == "[" and LINK_START.match(text, start)
            tokens.add(PUNCTUATION_MARKS[piece], MARKUP if is_link else PUNCTUATION, start, end)
        elif IS_QUOTATION_MARK.match(piece):
            self._quotation_mark(piece, start, end)
        elif piece in BULLETS or _is_markup(text, piece, start, end):
            tokens.add(piece, MARKUP, start, end)
        else:
            self._symbol(piece, start, end)

    def _quotation_mark(self, piece: str, start: int, end: int) -> None:
        """Read a quotation mark; after a number it may mean inches, feet, minutes or seconds."""
        text = self._text
        if piece in INCH_AND_FOOT_MARKS and start and text[start - 1].isdigit():
            after = text[end : end + 1]
            if not after.isalnum() and (not self._in_quotation or piece in "\u2032\u2033"):
                key = "''" if INCH_AND_FOOT_MARKS[piece] == '"' else "'"
                self._tokens.add(key, SYMBOL, start, end)
                return
        self._in_quotation = not self._in_quotation
        self._tokens.add('"', QUOTATION_MARK, start, end)

    def _symbol(self, piece: str, start: int, end: int) -> None:
        key = OPERATORS.get(piece) or _symbol_key(piece)
        if piece == "\u207b" and self._takes_exponent(start):
            self._tokens.add("^", EXPONENT, start, start)
        kind = PUNCTUATION if key in PUNCTUATION_MARKS else SYMBOL
        self._tokens.add(PUNCTUATION_MARKS.get(key, key), kind, start, end)


#: The rule for each named group of `TOKEN` but words and numbers.
_RULES: Final[dict[str, Callable[[_Scanner, re.Match[str]], None]]] = {
    "list_number": _Scanner.list_number,
    "ellipsis": _Scanner.ellipsis,
    "fraction": _Scanner.fraction,
    "bracket": _Scanner.bracket,
    "operator": _Scanner.operator,
    "dash": _Scanner.dash,
    "tag": _Scanner.tag,
    "edited_word": _Scanner.edited_word,
    "footnote": _Scanner.footnote,
    "link": _Scanner.link,
    "escape": _Scanner.escape,
    "emphasis": _Scanner.emphasis,
    "other": _Scanner.other,
}


def _is_line_start(text: str, at: int) -> bool:
    """Whether only spaces and Markdown marks precede this character in its line."""
    floor = max(0, at - _LINE_START_REACH)
    while at > floor and text[at - 1] in " \t>*-#|+":
        at -= 1
    return at == 0 or text[at - 1] in "\n\r"


def _next_visible(text: str, at: int) -> str:
    """Return the next character that is not white space, or `""` where it is not near."""
    for character in text[at : at + _NEXT_REACH]:
        if not character.isspace():
            return character
    return ""


def _is_markup(text: str, piece: str, start: int, end: int) -> bool:
    """Whether a pipe, heading, quotation or image mark is Markdown here."""
    after = text[end : end + 1] or " "
    if piece == "|":
        before = text[start - 1] if start else " "
        return before.isspace() or after.isspace() or before in "-:|"
    if piece in "#>+":
        if not (after.isspace() or after == piece) or _next_visible(text, end).isdigit():
            return False
        return _is_line_start(text, start)
    return piece == "!" and LINK_START.match(text, start) is not None


@lru_cache(maxsize=1024)
def _symbol_key(piece: str) -> str:
    key = unicodedata.normalize("NFKC", piece).strip()
    return "-" if key == "\u2212" else fold(key) or piece
