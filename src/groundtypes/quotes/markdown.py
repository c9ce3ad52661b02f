"""Signs of Markdown, LaTeX and code: whether a character marks up the text or is part of it.

Each function looks at a bounded stretch around the character, so that no text makes it slow.
"""

import re
import unicodedata
from typing import Final

from groundtypes.text.latex import FORMULA

#: How many characters are looked at to find the start of the line, and the next visible character.
_LINE_START_REACH: Final = 12
_NEXT_REACH: Final = 8
#: How far the other end of an emphasis is looked for, and at how many marks.
_EMPHASIS_REACH: Final = 1_000
_MARKS_TRIED: Final = 20
_LINE_REACH: Final = 400
_LINK_REACH: Final = 300
_LINK_START: Final = re.compile(
    r"!?\[(?:[^\[\]\n]|\n(?![ \t>]*\n)){0,300}\](?:\([^\s()]|\[[^\[\]\n]{0,100}\])"
)
#: Part of a word in emphasis; one letter is rather a factor of a product.
_EMPHASIS_IN_WORD: Final = re.compile(r"(?<!\*)\*{1,3}[^\W\d_]{2,40}\*{1,3}")
_ONE_LETTER_BEFORE: Final = re.compile(r"(?<!\w)\w\s*\Z")
_ONE_LETTER_AFTER: Final = re.compile(r"\s*\w(?!\w)")
_LOWERED: Final = re.compile(r"~\d{1,3}~")
#: Marks at the start of a line that are not bullets: they negate or name what follows.
_NO_BULLETS: Final = frozenset(
    "\u00a9\u00ae\u00b0\u2640\u2642\u2610\u2611\u2612\u2717\u2718\u274c\u274e\u26d4\U0001f6ab"
)
_MORE_BULLETS: Final = frozenset("\u00b7\u2192\u2794\u2219")

#: Numbers and letters that count no footnotes but elements.
_INDICES: Final = frozenset("0 i j k n".split())
#: What follows an element in code: an assignment, a member, an operator.
_CODE_AFTER: Final = re.compile(r"\s?(?:[-+*/%&|^!<>=]?=|\+\+|--|\.[a-z_]|->|[+*]\s?\w)")
#: What precedes an element in code: an assignment, a call, an operator, or a name with underscores.
_CODE_BEFORE: Final = re.compile(
    r"(?:(?<![<>=!])=\s?|\s[+*]\s|\w\()[A-Za-z_][\w.]*\Z|\w_\w*\Z|\w->\w+\Z"
)


def is_line_start(text: str, at: int) -> bool:
    """Whether only spaces and Markdown marks precede this character in its line."""
    floor = max(0, at - _LINE_START_REACH)
    while at > floor and text[at - 1] in " \t>*-#|+":
        at -= 1
    return at == 0 or text[at - 1] in "\n\r"


def next_visible(text: str, at: int) -> str:
    """Return the next character that is not white space, or `""` where it is not near."""
    for character in text[at : at + _NEXT_REACH]:
        if not character.isspace():
            return character
    return ""


def is_bullet(text: str, piece: str, start: int, end: int) -> bool:
    """Whether a symbol of any kind stands before an item of a list."""
    return (
        text[end : end + 1].isspace()
        and piece not in _NO_BULLETS
        and (piece in _MORE_BULLETS or unicodedata.category(piece) in ("So", "Co"))
        and next_visible(text, end).isalpha()
        and is_line_start(text, start)
    )


def is_opening_or_closing_sign(text: str, piece: str, start: int, end: int) -> bool:
    """Whether a heading, quotation or image mark is Markdown here."""
    after = text[end : end + 1] or " "
    if piece in "#>+":
        if piece == "#" and _closes_heading(text, start, end):
            return True
        if not (after.isspace() or after == piece) or next_visible(text, end).isdigit():
            return False
        return is_line_start(text, start)
    if piece == "=":
        # The headings of wikis: == History ==
        return "==" in text[max(0, start - 1) : end + 1] and (
            is_line_start(text, _run_start(text, start)) or _ends_line(text, end)
        )
    return piece == "!" and is_link_start(text, start)


def _run_start(text: str, start: int) -> int:
    floor = max(0, start - _NEXT_REACH)
    while start > floor and text[start - 1] == text[start]:
        start -= 1
    return start


def _ends_line(text: str, end: int) -> bool:
    rest = text[end : end + _NEXT_REACH].lstrip("=# \t")
    return not rest or rest[0] in "\n\r"


def _closes_heading(text: str, start: int, end: int) -> bool:
    """Whether a hash sign at the end of a line repeats the one before the heading."""
    if not _ends_line(text, end):
        return False
    line = _line_around(text, start, end)[0]
    return text[_run_start(text, start) - 1 : start][:1].isspace() and line.startswith("#")


def _line_around(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the line around a stretch, without its white space, and where it begins and ends."""
    floor, ceiling = max(0, start - _LINE_REACH), min(len(text), end + _LINE_REACH)
    low = text.rfind("\n", floor, start) + 1 or floor
    high = text.find("\n", end, ceiling)
    high = ceiling if high < 0 else high
    return text[low:high].strip(), low, high


def is_table_pipe(text: str, start: int, end: int) -> bool:
    """Whether a pipe separates the cells of a table, and is not a sign of code or of a formula."""
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    line, low, high = _line_around(text, start, end)
    if line.startswith("|"):
        # A row without spaces has another row beside it; "|x| < 5" has none.
        previous = text.rfind("\n", max(0, low - _LINE_REACH), max(0, low - 1)) + 1
        is_row = text[high + 1 : high + 2] == "|" or (low > 0 and text[previous] == "|")
        return line[1:2].isspace() or line == "|" or is_row
    if not (before.isspace() and after.isspace()):
        return (before.isspace() or after.isspace()) and line.count("|") % 2 == 1
    head, tail = text[low:start], text[end:high]
    return not (
        head.count("`") % 2 == 1
        or (head.rfind("(") > head.rfind(")") and ")" in tail)
        or (_ONE_LETTER_BEFORE.search(head[-3:]) and _ONE_LETTER_AFTER.match(tail))
    )


def is_emphasis(text: str, start: int, end: int) -> bool:
    """Whether asterisks or underscores mark up the text, and are not part of a formula or name."""
    before = text[start - 1] if start else " "
    after = text[end : end + 1] or " "
    mark = text[start]
    if before.isalnum() and after.isalnum():
        return mark != "_" and any(
            start in (start_of, end_of - (end - start))
            for start_of, end_of in (
                found.span()
                for found in _EMPHASIS_IN_WORD.finditer(text, max(0, start - 48), end + 48)
            )
        )
    if after.isspace():
        if not before.isspace():
            # "(* 1950" is a date of birth.
            return before != "(" or end - start > 1
        return mark == "_" or end - start > 2 or is_line_start(text, start)
    if not before.isspace() and before not in "([{,;=&!":
        return True
    if not (after.isalnum() or after in "(_*") or _has_end(text, start, end):
        return True
    # An emphasis that the text or the quote cuts off, or a note that begins with its mark.
    return after.isupper() and is_line_start(text, start)


def _has_end(text: str, start: int, end: int) -> bool:
    """Whether an emphasis that begins here ends in the same paragraph."""
    run = text[start:end]
    limit = text.find("\n\n", end, end + _EMPHASIS_REACH)
    limit = end + _EMPHASIS_REACH if limit < 0 else limit
    at = end
    for _ in range(_MARKS_TRIED):
        at = text.find(run, at + 1, limit)
        if at < 0:
            return False
        before, after = text[at - 1], text[at + len(run) : at + len(run) + 1] or " "
        if before.isspace() or (not before.isalnum() and after.isalnum()):
            continue
        if run[0] != "_" or not after.isalnum():
            return True
    return False


def is_tie(text: str, start: int, end: int) -> bool:
    """Whether a tilde is a space of LaTeX, or lowers a number, and is not a sign."""
    before = text[start - 1] if start else " "
    after = text[end : end + 1] or " "
    if not ((before.isalnum() or before in ".)") and (after.isalnum() or after in "\\$(")):
        return False
    if _LOWERED.match(text, start) or _LOWERED.search(text, max(0, start - 4), end):
        return True
    is_range = before.isdigit() and after.isdigit()
    is_model = _ONE_LETTER_BEFORE.search(text[max(0, start - 2) : start]) and (
        _ONE_LETTER_AFTER.match(text, end)
    )
    return not (is_range or is_model)


def is_highlight(text: str, start: int, end: int) -> bool:
    """Whether two equals signs begin or end a stretch that is highlighted."""
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    is_spaced = before.isspace() and after.isspace()
    return not is_spaced and _line_around(text, start, end)[0].count("==") > 1


def is_link_start(text: str, start: int) -> bool:
    """Whether a bracket, or the sign of an image before it, begins a link."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_])"):
        return False
    return _LINK_START.match(text, start) is not None


def is_link_end(text: str, start: int) -> bool:
    """Whether the text of a link ends here, and is not an element of an element in code."""
    opening = text.rfind("[", max(0, start - _LINK_REACH), start)
    return (
        opening < 0 or not opening or not (text[opening - 1].isalnum() or text[opening - 1] in "_)")
    )


def is_subscript(text: str, start: int, end: int) -> bool:
    """Whether a bracket after a word is an element of code and not a footnote mark."""
    if text[start + 1 : end - 1] in _INDICES or _CODE_AFTER.match(text, end):
        return True
    head = text[max(0, start - _LINE_REACH) : start]
    head = head[head.rfind("\n") + 1 :]
    return (
        head.count("`") % 2 == 1
        or head.rfind("<code") > head.rfind("</code")
        or _CODE_BEFORE.search(head) is not None
    )


def is_formula_mark(text: str, start: int) -> bool:
    """Whether a dollar sign begins or ends a formula of LaTeX."""
    if FORMULA.match(text, start):
        return True
    opening = text.rfind("$", max(0, start - _LINE_REACH), start)
    if opening < 0:
        return False
    formula = FORMULA.match(text, opening)
    return formula is not None and formula.end() == start + 1
