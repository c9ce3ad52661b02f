"""The scanner: a text as normalised tokens, equal where two texts differ only in typography.

White space yields no token, words are folded, and all dashes have one key, as have all quotation
marks. Numbers keep their decimals; a sign is a token of its own, and a superscript exponent becomes
a caret and a number. A token that a comparison may skip (`OPTIONAL`) still has its own key, so that
footnote marks of different numbers stay different.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from html import unescape
from typing import Final

from groundtypes.quotes.markdown import (
    is_bullet,
    is_line_start,
    is_link_start,
    is_subscript,
    next_visible,
)
from groundtypes.quotes.markup_reader import FOOTNOTE_TAG, RAISED_SEPARATOR, MarkupReader, ascend
from groundtypes.quotes.page_breaks import without_interruptions
from groundtypes.quotes.tokens import (
    CLOSING_BRACKETS,
    DASH,
    DIGITS,
    ELLIPSIS,
    ENTITY,
    EXPONENT,
    FOOTNOTE,
    HYPHEN,
    INCH_AND_FOOT_MARKS,
    INTERVAL_WORDS,
    IS_QUOTATION_MARK,
    ISOTOPE,
    MARKUP,
    NUMBER,
    OPERATORS,
    OPTIONAL,
    PUNCTUATION,
    PUNCTUATION_MARKS,
    QUOTATION_MARK,
    SYMBOL,
    TOKEN,
    WORD,
    Tokens,
)
from groundtypes.text.characters import INVISIBLE, fold

_ENCODED: Final = re.compile(f"{ENTITY.pattern}|{INVISIBLE.pattern}")
#: How many characters around a stretch with entities are decoded, too.
_CONTEXT: Final = 400
#: How many characters around a stretch without its page breaks are read as its context.
_PAGE_CONTEXT: Final = 40
_APOSTROPHES: Final = frozenset("'\u2019\u02b9\u02bc\uff07`\u00b4\u2018")
#: Units of length, of which a number right behind the unit is the exponent: `m2`, `cm3`.
_LENGTHS: Final = frozenset(("m", "mm", "cm", "dm", "km"))
#: A raised plus and minus, of an exponent or a charge.
_RAISED_SIGNS: Final = frozenset("\u207a\u207b")
#: Marks of minutes and seconds, feet and inches, inside of an angle or length.
_PRIMES: Final = {
    "\u2032": "'", "'": "'", "\u2019": "'", "\u2033": "''", '"': "''", "\u201d": "''",
}  # fmt: skip
_IN_ANGLE: Final = re.compile(
    r"\d{1,2}(?:[.,]\d{1,3})?\s?['\u2019\u2032\u2033\u201d\"]|[NSEWO](?!\w)"
)
#: The end of a clause, behind a footnote mark.
_CLAUSE_END: Final = re.compile(r"[.,;:!?)](?:\s|\Z|[\"\u201d\u2019)])|\s*\Z|\n")
#: Signs at the end of a line, or of what was one, that stand for a hyphen.
_HYPHEN_SIGNS: Final = frozenset("\u00ac\x02\ufffe")


def scan(text: str, start: int = 0, end: int | None = None) -> Tokens:
    """Return the tokens of `text[start:end]`; the characters around it count as their context."""
    end = len(text) if end is None else end
    tokens = Tokens()
    has_entity = text.find("&", start, end) >= 0 and ENTITY.search(text, start, end)
    if not has_entity and (text.isascii() or not INVISIBLE.search(text, start, end)):
        _Scanner(text, tokens).read(start, end)
        return tokens
    low, high = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
    decoded, offsets = _decode(text, low, high)
    _Scanner(decoded, tokens).read(bisect_left(offsets, start), bisect_left(offsets, end))
    _restore_offsets(tokens, offsets)
    return tokens


def _decode(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return the text with HTML entities decoded and nothing invisible, but for hyphenation.

    With it comes the original offset of each character.
    """
    parts: list[str] = []
    offsets: list[int] = []
    at = start
    for match in _ENCODED.finditer(text, start, end):
        decoded = unescape(match[0])
        if INVISIBLE.fullmatch(decoded):
            is_hyphen = "\u00ad" in decoded and text[match.end() : match.end() + 1].isspace()
            decoded = "\u00ad" if is_hyphen else ""
        if decoded == match[0]:
            continue
        parts += (text[at : match.start()], decoded)
        offsets.extend(range(at, match.start()))
        offsets.extend([match.start()] * len(decoded))
        at = match.end()
    parts.append(text[at:end])
    offsets.extend(range(at, end + 1))
    return "".join(parts), offsets


def _restore_offsets(tokens: Tokens, offsets: list[int]) -> None:
    """Replace the offsets of the tokens of a decoded text by those in the original text.

    A token ends where the next character begins: behind an entity and what is invisible.
    """
    tokens.starts = [offsets[at] for at in tokens.starts]
    tokens.ends = [max(offsets[at], offsets[at - 1] + 1 if at else 0) for at in tokens.ends]


def scan_uninterrupted(text: str, start: int, end: int) -> Tokens | None:
    """Return the tokens of a stretch without page breaks in it; `None` where it has none."""
    low = max(0, start - _PAGE_CONTEXT)
    window = without_interruptions(text, low, min(len(text), end + _PAGE_CONTEXT))
    if window is None:
        return None
    tokens = scan(window, start - low, end - low)
    tokens.starts = [low + at for at in tokens.starts]
    tokens.ends = [low + at for at in tokens.ends]
    return tokens


class _Scanner(MarkupReader):
    """Appends the tokens of a text to a list, from left to right.

    Each group of `TOKEN` has a rule: the method with its name.
    """

    __slots__ = ("_in_quotation",)

    def __init__(self, text: str, tokens: Tokens) -> None:
        super().__init__(text, tokens)
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
                if len(piece) > 2 and piece[-2] in _APOSTROPHES:
                    key = fold(f"{piece[:-2]}'{piece[-1]}")
                    # "Don't" is read as "do n't", as tokenised texts write it.
                    if len(key) > 3:
                        tokens.add(key[:-3], WORD, match.start(), match.end() - 3)
                    tokens.add("n't", WORD, match.end() - 3, match.end())
                    continue
                if not key:
                    continue
                kinds.append(WORD)
            elif group == "number":
                if kinds and kinds[-1] == FOOTNOTE and keys[-1] == FOOTNOTE_TAG:
                    kinds.append(FOOTNOTE)
                else:
                    if piece in "23" and self._follows_length(match.start()):
                        tokens.add("^", EXPONENT, match.start(), match.start())
                    kinds.append(NUMBER)
                key = piece if piece.isascii() else fold(piece.translate(DIGITS))
            elif group == "spaceless":
                key = fold(piece)
                if len(piece) == 3 and len(key) == 3:  # a vowel in two, and a tone
                    tokens.add(key[1], WORD, match.start(), match.end())
                    key = key[0] + key[2]
                kinds.append(WORD)
            else:
                getattr(self, group or "other")(match)
                continue
            keys.append(key)
            starts.append(match.start())
            ends.append(match.end())
            if piece[-1] == "\u00ad" and text[match.end() : match.end() + 1].isspace():
                tokens.add("-", HYPHEN, match.end() - 1, match.end())

    def _follows_length(self, start: int) -> bool:
        """Whether a unit of length, after a number or in a quotient, ends right here."""
        tokens = self._tokens
        return (
            len(tokens) > 1
            and tokens.ends[-1] == start
            and tokens.keys[-1] in _LENGTHS
            and tokens.kinds[-1] == WORD
            and (tokens.kinds[-2] == NUMBER or tokens.keys[-2] == "/")
        )

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
            following = next_visible(text, end)
            if is_line_start(text, start) and not following.isdigit():
                kind = MARKUP
            elif before.isalpha() and end - start == 1 and following.isalpha():
                kind = HYPHEN
        self._tokens.add("-", kind, start, end)

    def footnote(self, match: re.Match[str]) -> None:
        """Read a superscript, or what may be a footnote mark in square brackets."""
        start, end = match.span()
        piece = match[0]
        tokens = self._tokens
        if piece in "\u2020\u2021":
            tokens.add(f"[{piece}]", FOOTNOTE, start, end)
        elif piece[0] != "[":
            if separator := RAISED_SEPARATOR.search(piece):
                self._raised_list(match, separator.start())
                return
            digits = piece.translate(DIGITS)
            has_sign = (
                bool(tokens.keys) and tokens.keys[-1] == "-" and self._text[start - 1] == "\u207b"
            )
            if digits.isdigit() and (has_sign or self._takes_exponent(start)):
                if not has_sign:
                    tokens.add("^", EXPONENT, start, start)
                tokens.add(digits, NUMBER, start, end)
            elif not self._is_attached(start) and ISOTOPE.match(self._text, start):
                tokens.add(digits, NUMBER, start, end)
            else:
                tokens.add(f"[{digits}]", FOOTNOTE, start, end)
        elif self._is_footnote(start, piece) and not (
            tokens.keys and tokens.ends[-1] == start and is_subscript(self._text, start, end)
        ):
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
        is_attached = tokens.ends[-1] == start
        end = start + len(piece)
        is_spaced = piece[1].isdigit() and any(gap in piece for gap in (", ", "; "))
        if is_spaced and not is_attached and kind not in OPTIONAL and key not in ".,;":
            # Numbers with spaces between them may also be an interval or a list.
            is_value = key in INTERVAL_WORDS or not ascend(piece)
            return not is_value and _CLAUSE_END.match(self._text, end) is not None
        if kind in OPTIONAL or (kind == PUNCTUATION and key in ".,;:)") or key in ("?", "!", "%"):
            return True
        if kind == NUMBER:
            return is_attached
        if kind != WORD:
            return False
        if is_attached:
            is_note = piece[1:-1].isdigit() or not piece[1].isdigit() or ascend(piece)
            return is_note and (len(key) > 1 or not key.isascii())
        return len(key) > 2 and key not in INTERVAL_WORDS and len(piece) > 2

    def joined(self, match: re.Match[str]) -> None:
        """Read a unit in one character as the characters that it joins."""
        piece = match[0]
        expanded = unicodedata.decomposition(piece).split()[1:]
        text = "".join(chr(int(code, 16)) for code in expanded)
        inner = scan("No." if piece == "\u2116" else text)
        for key, kind in zip(inner.keys, inner.kinds, strict=True):
            self._tokens.add(key, kind, *match.span())

    def other(self, match: re.Match[str]) -> None:
        """Read any other visible character."""
        text, tokens = self._text, self._tokens
        start, end = match.span()
        piece = match[0]
        if piece in PUNCTUATION_MARKS:
            is_markup = (
                (piece == "[" and is_link_start(text, start))
                or (piece in "{}" and self._is_brace_of_group(piece, start))
                or (piece == "\u00b7" and is_bullet(text, piece, start, end))
            )
            tokens.add(PUNCTUATION_MARKS[piece], MARKUP if is_markup else PUNCTUATION, start, end)
        elif IS_QUOTATION_MARK.match(piece):
            self._quotation_mark(piece, start, end)
        elif self._is_markup(piece, start, end):
            tokens.add(piece, MARKUP, start, end)
        elif piece in _HYPHEN_SIGNS and self._is_hyphen(start, end):
            tokens.add("-", HYPHEN, start, end)
        else:
            self._symbol(piece, start, end)

    def _is_hyphen(self, start: int, end: int) -> bool:
        """Whether another sign stands for a hyphen between two parts of a word."""
        following = self._text[end : end + 8].lstrip()
        return self._text[max(0, start - 2) : start].isalpha() and following[:2].isalpha()

    def _quotation_mark(self, piece: str, start: int, end: int) -> None:
        """Read a quotation mark; after a number it may mean inches, feet, minutes or seconds."""
        text = self._text
        if start and text[start - 1].isdigit() and piece in _PRIMES and _IN_ANGLE.match(text, end):
            self._tokens.add(_PRIMES[piece], SYMBOL, start, end)
            return
        if piece in INCH_AND_FOOT_MARKS and start and text[start - 1].isdigit():
            after = text[end : end + 1]
            if not after.isalnum() and (not self._in_quotation or piece in "\u2032\u2033"):
                key = "''" if INCH_AND_FOOT_MARKS[piece] == '"' else "'"
                self._tokens.add(key, SYMBOL, start, end)
                return
        is_apostrophe = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        if not is_apostrophe and piece not in "\u2039\u203a":
            self._in_quotation = not self._in_quotation
        self._tokens.add('"', QUOTATION_MARK, start, end)

    def _symbol(self, piece: str, start: int, end: int) -> None:
        key = OPERATORS.get(piece) or _symbol_key(piece)
        before = self._text[start - 1 : start]
        # Behind a raised digit, a raised sign is of the same charge.
        is_first = not before.isdigit() or before.isdecimal()
        if piece in _RAISED_SIGNS and is_first and self._takes_exponent(start):
            self._tokens.add("^", EXPONENT, start, start)
        kind = PUNCTUATION if key in PUNCTUATION_MARKS else SYMBOL
        self._tokens.add(PUNCTUATION_MARKS.get(key, key), kind, start, end)


@lru_cache(maxsize=1024)
def _symbol_key(piece: str) -> str:
    key = unicodedata.normalize("NFKC", piece).strip()
    return "-" if key == "\u2212" else fold(key) or piece
