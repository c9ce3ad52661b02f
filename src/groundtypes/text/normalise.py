"""The canonical scanner: a text as tokens that compare equal where only typography differs.

Spaces are no tokens, words are folded, dashes and quotation marks have one key each. A token that
may stand on one side only (`SKIPPED`) still has its key, so that two footnote marks that differ are
two different marks. Numbers keep their decimals and signs, exponents their caret.
"""

import re
import unicodedata
from functools import lru_cache
from html import unescape
from typing import Final

from groundtypes.text.characters import DASHES, MARKS, QUOTATION_MARKS, SPACELESS, WORD, fold

__all__ = [
    "DASH",
    "ELLIPSIS",
    "FOOTNOTE",
    "HYPHEN",
    "MARKUP",
    "NUMBER",
    "POINT",
    "QUOTATION",
    "SIGN",
    "SKIPPED",
    "SUPER",
    "WORD_KIND",
    "Tokens",
    "scan",
]

# Kinds of token. A kind is one character, so that a set of kinds is a string.
WORD_KIND: Final = "w"
NUMBER: Final = "n"
SIGN: Final = "s"  # operators, comparison and percent signs, ? and !: always matter
SUPER: Final = "^"  # the caret of an exponent
POINT: Final = "p"  # , ; : . and brackets
DASH: Final = "d"
HYPHEN: Final = "h"  # a dash at a line break, which may be the typesetter's
QUOTATION: Final = "q"
MARKUP: Final = "m"  # Markdown, HTML, bullets
FOOTNOTE: Final = "f"
ELLIPSIS: Final = "e"
#: Kinds that may stand on one side only.
SKIPPED: Final = frozenset("qmf")

_TAGS: Final = (
    "abbr|a|big|blockquote|br|b|caption|cite|code|dd|del|div|dl|dt|em|figcaption|figure|font|"
    "h[1-6]|hr|i|img|ins|kbd|li|mark|ol|pre|p|q|ref|section|small|span|strike|strong|sub|sup|s|"
    "table|tbody|td|tfoot|thead|th|tr|tt|ul|u|wbr"
)
_ATTRIBUTE: Final = (
    r"""\s{1,9}[A-Za-z-]{1,30}=(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,200})"""
)
_SUPERS: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUBS: Final = "\u2080-\u2089"
_LETTER: Final = WORD[:-1] + rf"\d{_SUPERS}{_SUBS}\u00bc-\u00be\u2150-\u215f]"
_NUMBER_LIST: Final = r"\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,12}"
_SCAN: Final = re.compile(
    rf"""(?P<word>{_LETTER}+(?:(?<=[nN\uff4e\uff2e])['\u2019\uff07][tT\uff54\uff34](?!{_LETTER}))?)
    |(?P<item>^[ \t]{{0,8}}\d{{1,2}}[.)](?=\s))
    |(?P<number>(?:(?<![\w.)\]])\.(?=\d))?[\d{_SUBS}]+(?:[.,\uff0e\uff0c]\d+)*)
    |(?P<cluster>[{SPACELESS}][{MARKS}]*)
    |(?P<ellipsis>\.{{3,}}|[\u2026\u22ef]|\.\ \.\ \.)
    |(?P<fraction>[\u00bc-\u00be\u2150-\u215f])
    |(?P<bracket>(?i:-[LR][RSC]B-))
    |(?P<operator>[<\uff1c][=\uff1d]|[>\uff1e][=\uff1d]|[=\uff1d][<>\uff1c\uff1e]|[!\uff01][=\uff1d]|\+/-|\+-|->)
    |(?P<dash>[{DASHES}]+)
    |(?P<tag>(?i:</?(?:{_TAGS})(?:{_ATTRIBUTE}){{0,9}}\s?/?>))
    |(?P<edited>\[[A-Za-z]\]{_LETTER}+)
    |(?P<note>\[(?:{_NUMBER_LIST}|[a-z]|(?i:note\s\d{{1,3}}|citation\ needed|edit
        |clarification\ needed|who\?|when\?)|\^[\w-]{{1,20}})\]|[\u2020\u2021]|[{_SUPERS}]+)
    |(?P<link>\]\((?:[^\s()<>]|\([^\s()]{{0,100}}\)){{1,300}}(?:\s"[^"\n]{{0,200}}")?\))
    |(?P<escape>\\[!-/:-@\[-`{{-~])
    |(?P<marks>[*_~]+)
    |(?P<other>\S)""",
    re.VERBOSE | re.MULTILINE,
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_LINK_OPENS: Final = re.compile(r"!?\[[^\[\]\n]{0,300}\]\([^\s()]")
_DIGITS: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089",
    "01234567890123456789",
)
_OPERATORS: Final = {
    "<=": "\u2264", "=<": "\u2264", ">=": "\u2265", "!=": "\u2260", "+/-": "\u00b1",
    "+-": "\u00b1", "->": "\u2192", "=>": "\u21d2", "\u2a7d": "\u2264", "\u2a7e": "\u2265",
}  # fmt: skip
_POINTS: Final = {
    **{mark: mark for mark in ",;:.()[]{}\u00b7"},
    "\u3001": ",",
    "\u3002": ".",
    "\uff61": ".",
    "\uff64": ",",
    "\u060c": ",",
    "\u061b": ";",
    "\u3010": "[",
    "\u3011": "]",
    "\u3014": "[",
    "\u3015": "]",
}
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_BULLETS: Final = frozenset(
    "\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7\uf0a7"
)
_QUOTES: Final = re.compile(f"[{QUOTATION_MARKS}]")
# Typeset marks that curl are quotation marks, not inches.
_PRIMES: Final = {"\u2033": '"', "\u2032": "'", '"': '"', "'": "'"}
#: Words after which a bracket with numbers is a range and no footnote.
_RANGES: Final = frozenset(
    "range interval iqr ci between from mean median score scale values value bounds limits".split()
)
_UNITS: Final = frozenset("mol min sec rad mile inch yard foot feet metre meter".split())


class Tokens:
    """The tokens of one stretch of text: four lists of one length.

    `starts` and `ends` are code points of the text that was scanned.
    """

    __slots__ = ("ends", "keys", "kinds", "open", "starts")

    def __init__(self) -> None:
        """Begin without tokens."""
        self.keys: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        #: Whether a quotation mark has been opened and not closed.
        self.open = False

    def add(self, key: str, kind: str, start: int, end: int) -> None:
        """Append one token."""
        self.keys.append(key)
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)

    def __len__(self) -> int:
        return len(self.keys)


def scan(text: str, start: int = 0, end: int | None = None) -> Tokens:
    """Return the tokens of `text[start:end]`; what stands before is seen, but not cut."""
    end = len(text) if end is None else end
    tokens = Tokens()
    if text.find("&", start, end) >= 0 and _ENTITY.search(text, start, end):
        plain, places = _decode(text, start, end)
        _read(plain, 0, len(plain), tokens)
        tokens.starts = [places[at] for at in tokens.starts]
        tokens.ends = [places[at - 1] + 1 if at else places[0] for at in tokens.ends]
        _close_entities(text, tokens)
    else:
        _read(text, start, end, tokens)
    return tokens


def _decode(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return the text without HTML entities, and where each of its characters stood."""
    parts: list[str] = []
    places: list[int] = []
    at = start
    for match in _ENTITY.finditer(text, start, end):
        plain = unescape(match[0])
        if plain == match[0]:
            continue
        parts += (text[at : match.start()], plain)
        places.extend(range(at, match.start()))
        places.extend([match.start()] * len(plain))
        at = match.end()
    parts.append(text[at:end])
    places.extend(range(at, end + 1))
    return "".join(parts), places


def _close_entities(text: str, tokens: Tokens) -> None:
    """Move the end of a token that ends with an entity behind its semicolon."""
    for number, (end, key) in enumerate(zip(tokens.ends, tokens.keys, strict=True)):
        match = _ENTITY.match(text, end - 1) if text[end - 1] == "&" else None
        if match and (key != "&" or unescape(match[0]) == "&"):
            tokens.ends[number] = match.end()


def _read(text: str, start: int, end: int, tokens: Tokens) -> None:
    keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
    for match in _SCAN.finditer(text, start, end):
        group = match.lastgroup
        piece = match[0]
        if group == "word":
            key = piece.lower() if piece.isascii() else fold(piece)
            if len(key) > 2 and key[-2] in "'\u2019":
                _split_negation(key, match.start(), match.end(), tokens)
                continue
            if not key:
                continue
            kinds.append(WORD_KIND)
        elif group == "number":
            if kinds and kinds[-1] == FOOTNOTE and keys[-1] == "<sup>":
                kinds.append(FOOTNOTE)
            else:
                kinds.append(NUMBER)
            key = piece if piece.isascii() else fold(piece.translate(_DIGITS))
        elif group == "cluster":
            key = fold(piece)
            kinds.append(WORD_KIND)
        else:
            _RULES[group or "other"](text, match, tokens)
            continue
        keys.append(key)
        starts.append(match.start())
        ends.append(match.end())
        if piece[-1] == "\u00ad" and text[match.end() : match.end() + 1].isspace():
            tokens.add("-", HYPHEN, match.end() - 1, match.end())


def _split_negation(key: str, start: int, end: int, tokens: Tokens) -> None:
    """Write "don't" as "do n't", which is how tokenised texts have it."""
    if len(key) > 3:
        tokens.add(key[:-3], WORD_KIND, start, end - 3)
    tokens.add("n't", WORD_KIND, end - 3, end)


def _line_start(text: str, at: int) -> bool:
    """Whether only spaces and other marks stand before, in the line."""
    floor = max(0, at - 12)
    while at > floor and text[at - 1] in " \t>*-#|+":
        at -= 1
    return at == 0 or text[at - 1] in "\n\r"


def _after(text: str, at: int) -> str:
    """Return the next character that is no space, within reach."""
    for character in text[at : at + 8]:
        if not character.isspace():
            return character
    return ""


def _item(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    if not tokens.kinds or tokens.kinds[-1] in "pmf" or tokens.keys[-1] in "?!":
        tokens.add(match[0].strip(), MARKUP, start, end)
        return
    digits = match[0].strip()[:-1]
    tokens.add(digits, NUMBER, end - 1 - len(digits), end - 1)
    tokens.add(match[0][-1], POINT, end - 1, end)


def _ellipsis(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add("...", ELLIPSIS, *match.span())


def _fraction(text: str, match: re.Match[str], tokens: Tokens) -> None:
    above, _, below = unicodedata.normalize("NFKC", match[0]).partition("\u2044")
    for key, kind in ((above, NUMBER), ("/", SIGN), (below, NUMBER)):
        if key:
            tokens.add(key, kind, *match.span())


def _bracket(text: str, match: re.Match[str], tokens: Tokens) -> None:
    """Read a bracket as tokenised texts write it: -LRB- for an opening round one."""
    name = match[0].upper()
    opening = "([{"["RSC".index(name[2])]
    tokens.add(opening if name[1] == "L" else _CLOSING[opening], POINT, *match.span())


def _operator(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add(_OPERATORS[unicodedata.normalize("NFKC", match[0])], SIGN, *match.span())


def _dash(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    before = text[start - 1] if start else " "
    after = text[end : end + 1] or " "
    kind = DASH
    if end - start > 1 and (before in "|:" or after in "|:"):
        kind = MARKUP
    elif after.isdigit() or (after == "." and text[end + 1 : end + 2].isdigit()):
        if not (before.isalnum() or before in ")]%'\"\u201d\u2019"):
            kind = SIGN
    elif after.isspace():
        following = _after(text, end)
        if _line_start(text, start) and not following.isdigit():
            kind = MARKUP
        elif before.isalpha() and end - start == 1 and following.isalpha():
            kind = HYPHEN
    tokens.add("-", kind, start, end)


def _tag(text: str, match: re.Match[str], tokens: Tokens) -> None:
    if match[0].lower() == "<sup>" and text[match.end() : match.end() + 1] in tuple("0123456789-+"):
        if _takes_exponent(match.start(), tokens):
            tokens.add("^", SUPER, *match.span())
        else:
            tokens.add("<sup>", FOOTNOTE, *match.span())
        return
    tokens.add("<>", MARKUP, *match.span())


def _takes_exponent(start: int, tokens: Tokens) -> bool:
    """Whether a superscript number here is an exponent, and no footnote."""
    if not tokens.keys or tokens.ends[-1] != start:
        return False
    kind, key = tokens.kinds[-1], tokens.keys[-1]
    if kind == MARKUP and key != "<>":
        return True
    return kind == NUMBER or (kind == WORD_KIND and (len(key) <= 2 or key in _UNITS)) or key in ")]"


def _edited(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add(fold(match[0][1] + match[0][3:]), WORD_KIND, *match.span())


def _note(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    piece = match[0]
    if piece[0] != "[":
        digits = piece.translate(_DIGITS)
        raised = bool(tokens.keys) and tokens.keys[-1] == "-" and text[start - 1] == "\u207b"
        if digits.isdigit() and (raised or _takes_exponent(start, tokens)):
            if not raised:
                tokens.add("^", SUPER, start, start)
            tokens.add(digits, NUMBER, start, end)
        else:
            tokens.add(f"[{digits}]", FOOTNOTE, start, end)
        return
    if _is_note(text, start, piece, tokens):
        tokens.add(fold(piece), FOOTNOTE, start, end)
        return
    tokens.add("[", POINT, start, start + 1)
    _read(text, start + 1, end - 1, tokens)
    tokens.add("]", POINT, end - 1, end)


def _is_note(text: str, start: int, piece: str, tokens: Tokens) -> bool:
    if not tokens.keys:
        return not piece[1].isalpha()
    kind, key = tokens.kinds[-1], tokens.keys[-1]
    if kind in "fqm" or (kind == POINT and key in ".,;:)") or key in ("?", "!", "%"):
        return True
    attached = tokens.ends[-1] == start
    if kind == NUMBER:
        return attached
    if kind != WORD_KIND:
        return False
    if attached:
        return len(key) > 1 or not key.isascii()
    spread = piece[1].isdigit() and any(gap in piece for gap in (", ", "; "))
    return len(key) > 2 and key not in _RANGES and not spread and len(piece) > 2


def _link(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add("](", MARKUP, *match.span())


def _escape(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    if match[0][1] in "*_#+-~|>":
        tokens.add(match[0][1], SIGN, start, end)
    else:
        tokens.add("\\", MARKUP, start, start + 1)
        _read(text, start + 1, end, tokens)


def _marks(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    before = text[start - 1] if start else " "
    after = text[end : end + 1] or " "
    mark = match[0][0]
    if mark == "~":
        kind = MARKUP if end - start == 2 else SIGN
    elif before.isalnum() and after.isalnum():
        kind = SIGN if mark == "_" or (before.isdigit() and after.isdigit()) else MARKUP
    elif before.isspace() and after.isspace() and mark == "*" and end - start < 3:
        kind = MARKUP if _line_start(text, start) else SIGN
    else:
        kind = MARKUP
    tokens.add(match[0], kind, start, end)


def _other(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    piece = match[0]
    if piece in _POINTS:
        link = piece == "[" and _LINK_OPENS.match(text, start)
        tokens.add(_POINTS[piece], MARKUP if link else POINT, start, end)
    elif _QUOTES.match(piece):
        _quotation(text, piece, start, end, tokens)
    elif piece in _BULLETS or _is_markup(text, piece, start, end):
        tokens.add(piece, MARKUP, start, end)
    else:
        _symbol(piece, start, end, tokens)


def _quotation(text: str, piece: str, start: int, end: int, tokens: Tokens) -> None:
    """Add a quotation mark; after a number it may be the sign for inches, feet or seconds."""
    if piece in _PRIMES and start and text[start - 1].isdigit():
        after = text[end : end + 1]
        if not after.isalnum() and (not tokens.open or piece in "\u2032\u2033"):
            tokens.add("''" if _PRIMES[piece] == '"' else "'", SIGN, start, end)
            return
    tokens.open = not tokens.open
    tokens.add('"', QUOTATION, start, end)


def _is_markup(text: str, piece: str, start: int, end: int) -> bool:
    after = text[end : end + 1] or " "
    if piece == "|":
        before = text[start - 1] if start else " "
        return before.isspace() or after.isspace() or before in "-:|"
    if piece in "#>+":
        if not (after.isspace() or after == piece) or _after(text, end).isdigit():
            return False
        return _line_start(text, start)
    return piece == "!" and _LINK_OPENS.match(text, start) is not None


def _symbol(piece: str, start: int, end: int, tokens: Tokens) -> None:
    key = _OPERATORS.get(piece) or _symbol_key(piece)
    if piece == "\u207b" and _takes_exponent(start, tokens):
        tokens.add("^", SUPER, start, start)
    kind = POINT if key in _POINTS else SIGN
    tokens.add(_POINTS.get(key, key), kind, start, end)


@lru_cache(maxsize=1024)
def _symbol_key(piece: str) -> str:
    key = unicodedata.normalize("NFKC", piece).strip()
    return "-" if key == "\u2212" else fold(key) or piece


_RULES: Final = {
    "item": _item,
    "ellipsis": _ellipsis,
    "fraction": _fraction,
    "bracket": _bracket,
    "operator": _operator,
    "dash": _dash,
    "tag": _tag,
    "edited": _edited,
    "note": _note,
    "link": _link,
    "escape": _escape,
    "marks": _marks,
    "other": _other,
}
