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

from groundtypes.quotes.patterns import (
    BULLETS,
    CLOSING,
    DASH,
    DIGITS,
    ELLIPSIS,
    ENTITY,
    FOOTNOTE,
    HYPHEN,
    LINK_OPENS,
    MARKUP,
    NUMBER,
    OPERATORS,
    POINT,
    POINTS,
    PRIMES,
    QUOTATION,
    QUOTES,
    RANGES,
    SCAN,
    SIGN,
    SUPER,
    UNITS,
    WORD_KIND,
)
from groundtypes.text.characters import fold

__all__ = ["Tokens", "scan"]


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
    if text.find("&", start, end) >= 0 and ENTITY.search(text, start, end):
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
    for match in ENTITY.finditer(text, start, end):
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
        match = ENTITY.match(text, end - 1) if text[end - 1] == "&" else None
        if match and (key != "&" or unescape(match[0]) == "&"):
            tokens.ends[number] = match.end()


def _read(text: str, start: int, end: int, tokens: Tokens) -> None:
    keys, kinds, starts, ends = tokens.keys, tokens.kinds, tokens.starts, tokens.ends
    for match in SCAN.finditer(text, start, end):
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
            key = piece if piece.isascii() else fold(piece.translate(DIGITS))
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
    tokens.add(opening if name[1] == "L" else CLOSING[opening], POINT, *match.span())


def _operator(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add(OPERATORS[unicodedata.normalize("NFKC", match[0])], SIGN, *match.span())


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
    return kind == NUMBER or (kind == WORD_KIND and (len(key) <= 2 or key in UNITS)) or key in ")]"


def _edited(text: str, match: re.Match[str], tokens: Tokens) -> None:
    tokens.add(fold(match[0][1] + match[0][3:]), WORD_KIND, *match.span())


def _note(text: str, match: re.Match[str], tokens: Tokens) -> None:
    start, end = match.span()
    piece = match[0]
    if piece[0] != "[":
        digits = piece.translate(DIGITS)
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
    return len(key) > 2 and key not in RANGES and not spread and len(piece) > 2


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
    if piece in POINTS:
        link = piece == "[" and LINK_OPENS.match(text, start)
        tokens.add(POINTS[piece], MARKUP if link else POINT, start, end)
    elif QUOTES.match(piece):
        _quotation(text, piece, start, end, tokens)
    elif piece in BULLETS or _is_markup(text, piece, start, end):
        tokens.add(piece, MARKUP, start, end)
    else:
        _symbol(piece, start, end, tokens)


def _quotation(text: str, piece: str, start: int, end: int, tokens: Tokens) -> None:
    """Add a quotation mark; after a number it may be the sign for inches, feet or seconds."""
    if piece in PRIMES and start and text[start - 1].isdigit():
        after = text[end : end + 1]
        if not after.isalnum() and (not tokens.open or piece in "\u2032\u2033"):
            tokens.add("''" if PRIMES[piece] == '"' else "'", SIGN, start, end)
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
    return piece == "!" and LINK_OPENS.match(text, start) is not None


def _symbol(piece: str, start: int, end: int, tokens: Tokens) -> None:
    key = OPERATORS.get(piece) or _symbol_key(piece)
    if piece == "\u207b" and _takes_exponent(start, tokens):
        tokens.add("^", SUPER, start, start)
    kind = POINT if key in POINTS else SIGN
    tokens.add(POINTS.get(key, key), kind, start, end)


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
