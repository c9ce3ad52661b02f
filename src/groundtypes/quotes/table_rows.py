"""Rows of tables: the end of one row and the start of the next make no sentence.

Whole rows may be quoted together, and cells of one row. A quote that begins or ends in the middle
of a row and reaches into another row joins what the table separates.
"""

import re
from typing import Final

__all__ = ["joins_rows"]

#: Between two rows of Markdown, of HTML, and of values separated by tabs.
_BETWEEN_ROWS: Final = re.compile(
    r"\|[ \t]{0,80}\n(?:[ \t]{0,8}\|?[ \t:|-]{2,400}\n)?[ \t]{0,80}\|(?!\|)"
    r"|</t[dh]>\s{0,40}</tr>[\s\S]{0,60}?<tr[^<>]{0,200}>\s{0,40}<t[dh](?=[\s>])"
    r"|(?<=\t)[^\t\n|]{0,200}(?P<line>\n)(?!\s{0,8}(?:\(?\w{1,5}[.)]|[-*\u2022\u2013])\t)(?=[^\t\n]{1,200}\t)",
    re.IGNORECASE,
)
_OWN_BREAK: Final = re.compile(r"[\n\r\t|]|<(?:tr|td|br)\b", re.IGNORECASE)
#: A cell that ends with a sentence; what follows it is another one.
_SENTENCE_END: Final = re.compile(r"[.!?:;\u3002\uff01\uff1f]['\")\]\u201d\u2019*_]{0,3}\s*\Z")
_REACH: Final = 400
_CELL_BORDER_BEFORE: Final = re.compile(r"(?:\||\t|<t[dh][^<>]{0,200}>)\s*\S")
_CELL_BORDER_AFTER: Final = re.compile(r"(?:\||\t|</?t[dh])")
_MARKS: Final = " \t*_`\"'\u201c\u201d.,;:"


def joins_rows(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a passage reaches from the middle of a row of a table into another row."""
    if "\n" not in text[start:end] and "</" not in text[start:end]:
        return False
    if _OWN_BREAK.search(quote):
        return False
    borders = [
        border
        for border in _BETWEEN_ROWS.finditer(text, start, min(len(text), end + _REACH))
        if border.end() <= end
        and (border["line"] is None or _has_equal_tabs(text, border.start("line")))
        and not _SENTENCE_END.search(text, max(start, border.start() - 8), border.start())
    ]
    if not borders:
        return False
    return not (_begins_row(text, start) and _ends_row(text, end))


def _has_equal_tabs(text: str, at: int) -> bool:
    """Whether the lines before and after a line break have as many columns."""
    head = text[max(0, at - _REACH) : at]
    tail = text[at + 1 : at + 1 + _REACH]
    return head[head.rfind("\n") + 1 :].count("\t") == tail.partition("\n")[0].count("\t")


def _begins_row(text: str, start: int) -> bool:
    low = max(0, start - _REACH)
    head = text[low:start]
    row = max(head.rfind("\n"), head.lower().rfind("<tr"))
    before = re.sub(r"<[^<>]{0,300}>?|tr[^<>]{0,200}>", "", head[row + 1 :], flags=re.IGNORECASE)
    return not before.replace("|", " ").strip(_MARKS)


def _ends_row(text: str, end: int) -> bool:
    tail = text[end : end + _REACH]
    stops = [at for at in (tail.find("\n"), tail.lower().find("</tr")) if at >= 0]
    after = re.sub(r"<[^<>]{0,300}>?", "", tail[: min(stops, default=len(tail))])
    return not after.replace("|", " ").strip(_MARKS)
