"""The reader of markup: tags, links, emphasis and commands, as far as the scanner meets them."""

import re
from abc import ABC, abstractmethod
from itertools import pairwise
from typing import Final

from groundtypes.quotes.markdown import (
    is_bullet,
    is_emphasis,
    is_formula_mark,
    is_highlight,
    is_link_end,
    is_opening_or_closing_sign,
    is_table_pipe,
    is_tie,
)
from groundtypes.quotes.tokens import (
    BLOCK_TAG,
    BULLETS,
    DIGITS,
    ELLIPSIS,
    EXPONENT,
    FOOTNOTE,
    ISOTOPE,
    MARKUP,
    NUMBER,
    OPERATORS,
    PUNCTUATION,
    SYMBOL,
    UNIT_WORDS,
    WORD,
    Tokens,
)
from groundtypes.text.characters import fold
from groundtypes.text.latex import sign_of

#: The key of a `<sup>` tag that opens a footnote mark.
FOOTNOTE_TAG: Final = "<sup>"
#: What stands between raised numbers.
RAISED_SEPARATOR: Final = re.compile("[^\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")
#: Signs of a trade mark, which are no part of the name.
_TRADE_MARKS: Final = frozenset("\u00ae\u2122\u2120")
#: The starts of tags that strike out what is between them, and of those that end it.
_STRIKING: Final = ("<del", "<s>", "<s ", "<strike")
_STRIKING_ENDS: Final = ("</del", "</s>", "</s ", "</strike")
#: Tags inside of a line, which do not part a word.
_INLINE_TAG: Final = re.compile(
    r"</?(?:a|abbr|acronym|b|bd[io]|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp"
    r"|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?![\w-])|<[!?]"
)
#: A number in braces behind a caret, or behind the sign of an index in a formula.
_BRACED_EXPONENT: Final = re.compile(r"(?<=\^)\{[-+\u2212]?\d{1,6}\}")
_ANY_TAG: Final = re.compile(r"<[^<>]{1,400}>")
_ADDRESS: Final = re.compile(r"<(?:\w{3,6}:|[^\s<>=@]{1,64}@)")
#: A raised number without link and list is read by its tag.
_PLAIN_RAISED: Final = re.compile(r"(?i)<sup>\s?\d{1,3}\s?</sup>\Z")
#: How far before the end of a link in a wiki its start is looked for.
_LINK_REACH: Final = 200


def ascend(piece: str) -> bool:
    """Whether the numbers of a mark ascend, from one on, as those of notes do."""
    numbers = [int(number) for number in re.findall(r"\d+", piece)]
    return bool(numbers) and numbers[0] > 0 and all(low < high for low, high in pairwise(numbers))


class MarkupReader(ABC):
    """Appends the tokens of markup to a list, by one rule for each pattern."""

    __slots__ = ("_groups", "_struck_from", "_text", "_tokens")

    def __init__(self, text: str, tokens: Tokens) -> None:
        """Prepare to append the tokens of the text to `tokens`."""
        self._text = text
        self._tokens = tokens
        #: For each open brace inside of a command of LaTeX: whether it belongs to the command, and
        #: the first token that it strikes out.
        self._groups: list[tuple[bool, int | None]] = []
        #: The first token that may be struck out, by the kind of mark.
        self._struck_from: dict[str, int] = {}

    @abstractmethod
    def read(self, start: int, end: int) -> None:
        """Append the tokens between two offsets."""

    def tag(self, match: re.Match[str]) -> None:
        """Read an HTML tag; a raised number is an exponent or a footnote mark."""
        start, end = match.span()
        tag = match[0].lower()
        tokens = self._tokens
        if tag == "<sup>" and self._text[end : end + 1] in tuple("0123456789-+\u2212"):
            if self._takes_exponent(start):
                tokens.add("^", EXPONENT, start, end)
            elif not self._is_attached(start) and ISOTOPE.match(self._text, start):
                tokens.add("<>", MARKUP, start, end)
            else:
                tokens.add(FOOTNOTE_TAG, FOOTNOTE, start, end)
        elif _ADDRESS.match(tag):
            tokens.add("<>", MARKUP, start, start + 1)
            self.read(start + 1, end - 1)
            tokens.add("<>", MARKUP, end - 1, end)
        else:
            if tag.startswith(_STRIKING):
                self._struck_from["<"] = len(tokens)
            elif tag.startswith(_STRIKING_ENDS) and "<" in self._struck_from:
                tokens.strike_out(self._struck_from.pop("<"))
            tokens.add("<>" if _INLINE_TAG.match(tag) else BLOCK_TAG, MARKUP, start, end)

    def raised(self, match: re.Match[str]) -> None:
        """Read a raised number with a link, or several: a footnote mark, or an exponent."""
        start, end = match.span()
        piece = match[0]
        opening = piece.index(">") + 1
        numbers = _ANY_TAG.sub("", piece)
        if not _PLAIN_RAISED.match(piece) and self._is_noted(start) and ascend(numbers):
            self._tokens.add(f"[{numbers.strip('[]')}]", FOOTNOTE, start, end)
            return
        tag = _ANY_TAG.match(self._text, start, start + opening)
        if tag is not None:
            self.tag(tag)
        self.read(start + opening, end)

    def _raised_list(self, match: re.Match[str], first: int) -> None:
        """Read raised numbers with commas or dashes between them; the first has `first` digits."""
        start, end = match.span()
        plain = RAISED_SEPARATOR.sub(",", match[0]).translate(DIGITS)
        if self._is_noted(start) and ascend(plain):
            self._tokens.add(f"[{plain}]", FOOTNOTE, start, end)
        else:
            self.read(start, start + first)
            self.read(start + first, end)

    def _is_noted(self, start: int) -> bool:
        """Whether a footnote mark of several numbers may stand here: after a word or a mark."""
        tokens = self._tokens
        return (
            bool(tokens.keys)
            and self._is_attached(start)
            and tokens.kinds[-1] != NUMBER
            and not self._takes_exponent(start)
        )

    def _is_attached(self, start: int) -> bool:
        """Whether a word or closing mark ends right here."""
        before = self._text[start - 1] if start else " "
        return before.isalnum() or before in ".,;:!?%)]\"'\u201d\u2019*_>"

    def _takes_exponent(self, start: int) -> bool:
        """Whether a superscript number here is an exponent and not a footnote mark."""
        tokens = self._tokens
        if not tokens.keys:
            return False
        kind, key = tokens.kinds[-1], tokens.keys[-1]
        if tokens.ends[-1] != start:
            # "10 <sup>6</sup>" has a space only in its typesetting.
            return kind == NUMBER and start - tokens.ends[-1] == 1
        if kind == MARKUP and self._text[start - 6 : start].lower() == "</sub>":
            return tokens.kinds[-2:-1] == [NUMBER]
        if kind == MARKUP and key not in ("<>", BLOCK_TAG):
            return True
        if kind == WORD:
            # A single Greek letter has the name of the letter as its key.
            is_symbol = len(key) <= 2 or tokens.ends[-1] - tokens.starts[-1] == 1
            return is_symbol or key in UNIT_WORDS
        return kind == NUMBER or key in ")]"

    def edited_word(self, match: re.Match[str]) -> None:
        """Read "[T]he", whose first letter an editor changed, as one word."""
        self._tokens.add(fold(match[0][1] + match[0][3:]), WORD, *match.span())

    def link(self, match: re.Match[str]) -> None:
        """Read the end of a Markdown link with its address, or the marks of a link in a wiki."""
        start, end = match.span()
        piece = match[0]
        if piece.startswith("[["):
            is_link = not (start and self._text[start - 1].isalnum())
        elif piece == "]]":
            opening = self._text.rfind("[[", max(0, start - _LINK_REACH), start)
            is_link = opening >= 0 and "]" not in self._text[opening:start]
        else:
            is_link = is_link_end(self._text, start)
        if is_link:
            self._tokens.add("](", MARKUP, start, end)
        else:
            self._tokens.add(piece[0], PUNCTUATION, start, start + 1)
            self.read(start + 1, end)

    def rule(self, match: re.Match[str]) -> None:
        """Read a line that only divides: of a table, below a heading, around code."""
        self._tokens.add("---", MARKUP, *match.span())

    def command(self, match: re.Match[str]) -> None:
        """Read a command of LaTeX, which may open a group in braces or write a sign."""
        piece = match[0]
        if sign := sign_of(piece):
            key = OPERATORS.get(sign, sign)
            kind = PUNCTUATION if key == "\u00b7" else SYMBOL
            if sign == "\u2026":
                key, kind = "...", ELLIPSIS
            self._tokens.add(key, kind, *match.span())
            return
        self._tokens.add("\\", MARKUP, *match.span())
        if piece[0] == "{":
            self._groups.append((True, None))
        elif piece.endswith("{"):
            # A quote may leave out a footnote, too, but as a whole.
            is_striking = piece.startswith(("\\sout", "\\st", "\\footnote"))
            self._groups.append((True, len(self._tokens) if is_striking else None))

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
        text, tokens = self._text, self._tokens
        start, end = match.span()
        piece = match[0].replace("\u2217", "*")
        if piece == "~~":
            if "~" in self._struck_from:
                tokens.strike_out(self._struck_from.pop("~"))
            elif not text[end : end + 1].isspace():
                self._struck_from["~"] = len(tokens)
            is_markup = True
        elif piece[0] == "~":
            is_markup = piece == "~" and is_tie(text, start, end)
        elif piece[0] == "=":
            is_markup = is_highlight(text, start, end) or is_opening_or_closing_sign(
                text, "=", start, end
            )
        else:
            is_markup = is_emphasis(text, start, end)
        tokens.add(piece, MARKUP if is_markup else SYMBOL, start, end)

    def _is_markup(self, piece: str, start: int, end: int) -> bool:
        """Whether a symbol is a bullet, a sign of Markdown or LaTeX, or the mark of a trade."""
        text = self._text
        if piece in "#>+=!":
            return is_opening_or_closing_sign(text, piece, start, end)
        if piece == "|":
            return is_table_pipe(text, start, end)
        if piece == "$":
            return is_formula_mark(text, start)
        if piece == "^":
            return text[start - 1 : start].isdigit() and "^" in text[max(0, start - 4) : start]
        if piece in _TRADE_MARKS:
            return start > 0 and (text[start - 1].isalnum() or text[start - 1] in ")*_")
        return piece in BULLETS or (not piece.isascii() and is_bullet(text, piece, start, end))

    def _is_brace_of_group(self, piece: str, start: int) -> bool:
        """Whether a brace ends the group of a command of LaTeX, or is one around an exponent."""
        if piece == "{" and _BRACED_EXPONENT.match(self._text, start):
            self._groups.append((True, None))
            return True
        if not self._groups:
            return False
        if piece == "{":
            self._groups.append((False, None))
            return False
        is_command, struck_from = self._groups.pop()
        if struck_from is not None:
            self._tokens.strike_out(struck_from)
        return is_command
