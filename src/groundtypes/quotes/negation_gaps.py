"""What may stand between a negation and the words that it negates: white space and ignored marks.

A footnote mark, a tag, a comment or an invisible character is no part of what a text says, so it
does not keep a negation apart from what follows it. Neither does a remark of a few words in
brackets ("do not (ever)"), between commas or between dashes.
"""

import re
from typing import Final, NamedTuple

from groundtypes.quotes.negation_remarks import remark_start
from groundtypes.text.characters import INVISIBLE

__all__ = ["Gap", "gap_before"]

#: Opening marks, and marks of emphasis on either side of a word.
_OPENING: Final = "\"'*_`~\u201c\u2018\u00ab\u201e([{"
_RAISED: Final = "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079\u2020\u2021"
_SKIPPED: Final = _OPENING + _RAISED
#: At most so many characters and marks are skipped.
_MOST_STEPS: Final = 80
#: last character -> its opening character, the longest mark, and the form of the mark
_MARKS: Final[dict[str, tuple[str, int, re.Pattern[str]]]] = {
    ">": (
        "<",
        200,
        re.compile(r"</?(?:b|i|em|strong|u|span|mark|code|a|br|wbr)\b[^<>]*>", re.IGNORECASE),
    ),
    "]": (
        "[",
        32,
        re.compile(
            r"\[(?:\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3})*|\^?[a-wyz]|[@^]?[a-z][a-z ?-]+)\]",
            re.IGNORECASE,
        ),
    ),
    ")": (
        "(",
        80,
        re.compile(r"\((?:[^\W\d_]+(?:(?:,? |['\u2019-])[^\W\d_]+){0,11}|[!?]{1,3})\)"),
    ),
    "}": (
        "\\",
        100,
        re.compile(r"\\(?:[a-z]{0,8}cite[a-z]{0,8}|footnote|label)\*?(?:\[[^\[\]]*\])?\{[^{}]*\}"),
    ),
    ";": ("&", 9, re.compile(r"&(?:nbsp|ensp|emsp|thinsp|shy|zwnj|zwj|#160|#x[aA]0|#173|#8203);")),
}
_RAISED_TAG: Final = re.compile(
    r"<sup\b[^<>]*>(?:<a\b[^<>]*>)?\s?\[?[\w*\u2020, -]{1,12}\]?\s?(?:</a>)?</sup>", re.IGNORECASE
)
_LONGEST_RAISED: Final = 200
_LONGEST_COMMENT: Final = 400
#: What ends a remark that is not in brackets.
_REMARK_ENDS: Final = ",-\u2013\u2014"
_BLOCK_QUOTE: Final = re.compile(r"\n[ >]{0,7}>\Z")
_LINK: Final = re.compile(r"\]\([^()\s]+\)")


class Gap(NamedTuple):
    """What is between two words.

    Attributes:
        start: Where the word before it ends.
        line_breaks: How many line breaks it has.
        has_tab: Whether it has a tab, which separates fields.
        remark: What a remark in it begins with: a bracket, a comma or a dash; empty if it has none.
    """

    start: int
    line_breaks: int
    has_tab: bool
    remark: str


def gap_before(text: str, end: int) -> Gap:
    """Return what is before an offset, back to the end of a word or to what is not ignored."""
    line_breaks, has_tab, remark = 0, False, ""
    for _ in range(_MOST_STEPS):
        last = text[end - 1 : end]
        if not last:
            break
        if last.isspace():
            line_breaks += last in "\n\u2028\u2029"
            has_tab = has_tab or last == "\t"
            end -= 1
        elif last in _SKIPPED or INVISIBLE.match(last) or _is_block_quote(text, end):
            end -= 1
        elif last in _MARKS and (mark := _mark_before(text, end)):
            remark = remark or (mark[0] if mark[0] == "(" else "")
            line_breaks += mark[:3].lower() == "<br"
            end -= len(mark)
        elif last in _REMARK_ENDS and not remark and (start := remark_start(text, end)) is not None:
            remark = last
            end = start
        else:
            break
    return Gap(end, line_breaks, has_tab, remark)


def _is_block_quote(text: str, end: int) -> bool:
    """Whether the mark of a block quote ends at an offset, at the beginning of a line."""
    return text[end - 1] == ">" and _BLOCK_QUOTE.search(text, max(0, end - 9), end) is not None


def _mark_before(text: str, end: int) -> str:
    """Return the mark that ends at an offset and that a search ignores; an empty text if none."""
    last = text[end - 1]
    if last == ">" and text.endswith("-->", 0, end):
        start = text.rfind("<!--", max(0, end - _LONGEST_COMMENT), end)
        return text[start:end] if start >= 0 else ""
    if last == ">" and text[end - 6 : end].lower() == "</sup>":
        tag = text[max(0, end - _LONGEST_RAISED) : end]
        tag = tag[max(0, tag.lower().rfind("<sup")) :]
        return tag if _RAISED_TAG.fullmatch(tag) else ""
    opening, longest, form = _MARKS[last]
    low = max(0, end - longest)
    start = text.rfind(opening, low, end)
    if start >= 0 and form.fullmatch(text, start, end):
        return text[start:end]
    if last == ")":
        start = text.rfind("](", max(0, end - 200), end)
        return text[start:end] if start >= 0 and _LINK.fullmatch(text, start, end) else ""
    if last == "}" and "{" in text[low:end]:
        # The end of an element of LaTeX whose text is the word: "\emph{not}".
        start = text.rfind("{", low, end)
        is_command = text[max(0, start - 12) : start].rpartition("\\")[2].isalpha()
        return "}" if is_command or text[start + 1 : start + 2] == "\\" else ""
    return ""
