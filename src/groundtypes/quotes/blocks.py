"""Blocks of a text: the words of a list and of the heading after it make no sentence.

A quote goes on over the lines of a paragraph, from a heading to its text, from one item of a list
or cell of a table to the next, and from sentence to sentence. It does not run into a heading, nor
out of a list or table, where no sentence ends there, unless it shows a line break or mark itself.
"""

import re
from typing import Final

__all__ = ["runs_into_another_block"]

#: The end of a block that is not the end of a sentence; brackets and quotation marks may follow.
_CLOSING: Final = r"\"'\u201d\u2019\u00bb)\]*_`"
_NO_END: Final = (
    rf"(?<![.!?:;\u3002\uff01\uff1f\u0964\u06d4\u061f\u2026\s{_CLOSING}])[{_CLOSING}]{{0,4}}[ \t]*"
)
_BULLET: Final = (
    r"(?:[-*+\u2013\u2022\u2023\u25aa\u25ab\u25a0\u25a1\u25b6\u25ba\u25cf\u25cb\u25e6\u2043\u27a2\u27a4"
    r"\u2192\u2610-\u2612\u2713-\u2718\u2705\u274c\u00b7][ \t]|\d{1,3}[.)][ \t]"
    r"|\(?(?:[a-z]|[ivx]{1,5})\)[ \t])"
)
_BLANK_LINE: Final = r"\n[ \t]*\n\s{0,40}(?<=\n)"
#: The start of a heading after a block, of a text after a list, and of a text after a table. Text
#: that is indented after a list belongs to its last item.
_MARKDOWN: Final = re.compile(
    rf"{_NO_END}\n\s{{0,40}}(?<=\n)(?P<heading>\#{{1,6}}[ \t]+\S)"
    rf"|{_NO_END}{_BLANK_LINE}(?P<underlined>(?!{_BULLET})[^\s|][^\n]{{0,200}}\n"
    r"(?:={3,}|-{3,})[ \t]*$)"
    rf"|^[ \t]{{0,8}}{_BULLET}[^\n]{{0,2000}}{_NO_END}{_BLANK_LINE}(?P<text>(?!{_BULLET})[^\s|#])"
    rf"|\|[ \t]*{_BLANK_LINE}(?P<after_table>[^\s|#])",
    re.MULTILINE,
)
_HTML: Final = re.compile(
    rf"(?i){_NO_END}(?:\s|</[a-z]{{1,10}}>){{0,20}}(?:(?P<heading><h[1-6][\s>])"
    r"|</(?:[ou]l|dl|table)>(?:\s|<(?!li|tr|td|[ou]l|table|/)[^<>]{1,200}>){0,20}(?P<text>[^<\s]))"
)
#: A quote with one of these shows that it holds more than one block. A mark that stands in the
#: middle of a line of the passage shows nothing.
_OWN_BREAK: Final = re.compile(
    r"[\n\r]|<(?:h[1-6]|li|p|br|td|tr)\b|(?<!\S)(?:\#{1,6}|\||[-*+\u2022])(?=\s)"
)
_MARK_IN_LINE: Final = re.compile(r"(?<=[^\n][ \t])(?:\#{1,6}|\||[-*+\u2022])(?=[ \t])")
#: How far the line around the passage is looked at.
_REACH: Final = 200


def runs_into_another_block(text: str, start: int, end: int, quote: str) -> bool:
    """Whether a passage runs from one block into another, while the quote shows no break."""
    has_lines = text.find("\n", start, end) >= 0
    has_tags = text.find("</", start, end) >= 0
    if not (has_lines or has_tags):
        return False
    breaks = len(_OWN_BREAK.findall(quote))
    if breaks and breaks > len(_MARK_IN_LINE.findall(text, start, end)):
        return False
    # The bullet of the first item and the line below a heading are not part of the passage.
    low = text.rfind("\n", max(0, start - _REACH), start) + 1
    high = text.find("\n", end, end + _REACH)
    high = text.find("\n", high + 1, high + _REACH) if high >= 0 else -1
    high = min(len(text), end + _REACH) if high < 0 else high
    return any(
        start < found.start(found.lastgroup or 0) < end
        and not text[start : found.start(found.lastgroup or 0)].isspace()
        for pattern in (_MARKDOWN,) * has_lines + (_HTML,) * has_tags
        for found in pattern.finditer(text, low, high)
    )
