"""Where the heading of a list is: the line above its items, or what precedes a colon."""

import re
from typing import Final, NamedTuple

from groundtypes.quotes.negation_words import ANY_NEGATION, folded_word

__all__ = ["EMPHASIS", "TAG", "WORD", "ListHeading", "heading_of_item"]

#: The mark of an item is at most so long, and a list is read up to so many lines and characters.
_LONGEST_MARK: Final = 24
_MOST_LINES: Final = 60
_REACH: Final = 6_000
_ITEM: Final = re.compile(
    r"[ \t\u00a0>]*(?:[-*+\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2013\u2014\u2043"
    r"\u00b7\u2717\u2718\u2716\u274c\U0001f6ab]\ufe0f?"
    r"|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])[ \t\u00a0]+"
    r"(?:\[[ xX]?\][ \t]+)?[*_`~\"'\u201c\u2018\u00ab]*"
)
#: The beginnings of most items, and what a line may end with that is a heading.
_PLAIN_ITEMS: Final = frozenset(("- ", "* ", "+ ", "\u2022 "))
_HEADING_ENDS: Final = ":\uff1a*_`~>\"'\u201d"
#: A line of fewer characters may be a heading without a colon.
_SHORT: Final = 40
_INDENT: Final = re.compile(r"[ \t\u00a0>]*")
_HTML_ITEM: Final = re.compile(
    r"<li\b[^<>]*>(?:\s|<(?:p|b|i|em|strong|a|span)\b[^<>]*>)*\Z", re.IGNORECASE
)
#: The tags before the words of an item are at most so long.
_LONGEST_TAGS: Final = 120
_HTML_LIST: Final = re.compile(r"<(/?)[uo]l\b[^<>]*>", re.IGNORECASE)
#: Marks around words that are no part of a text.
EMPHASIS: Final = "*_`~\"'\u201c\u201d "
TAG: Final = re.compile(r"<[^<>\n]{1,80}>")
WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
#: So much of a sentence with a list in it is read.
_SENTENCE_REACH: Final = 160


class ListHeading(NamedTuple):
    """What a list stands under.

    Attributes:
        end: Where it ends in the text.
        is_above: Whether it is above items on lines of their own, and not before a colon in the
            sentence of the item.
    """

    end: int
    is_above: bool


def heading_of_item(text: str, start: int) -> ListHeading | None:
    """Return the heading of the list with an item that begins at an offset; `None` if none does.

    The item begins a line behind a bullet or number, or follows a colon in the same line ("Not
    allowed: smoking").
    """
    line = text.rfind("\n", max(0, start - _LONGEST_MARK), start) + 1
    end: int | None = None
    if line or start <= _LONGEST_MARK:
        mark = text[line:start]
        if not mark.strip() and (item := _ITEM.match(text, start)):
            mark = text[line : item.end()]  # the quote has the bullet, too
        if mark.strip() and _ITEM.fullmatch(mark):
            end = _heading_above(text, line, _indent(mark))
            return None if end is None else ListHeading(end, is_above=True)
    if text[start - 1] == ">" and _HTML_ITEM.search(text, max(0, start - _LONGEST_TAGS), start):
        end = _heading_of_html(text, start)
        return None if end is None else ListHeading(end, is_above=True)
    end = _colon_before(text, start)
    return None if end is None else ListHeading(end, is_above=False)


def _indent(line: str) -> int:
    indent = _INDENT.match(line)
    return len(indent[0].expandtabs(4)) if indent else 0


def _colon_before(text: str, start: int) -> int | None:
    """Return the end of what precedes a list inside of a sentence; `None` if there is none."""
    if text[start - 1] == "\uff1a":
        return start
    before = text[max(0, start - _SENTENCE_REACH) : start]
    colon = before.rfind(": ")
    if colon < 0:
        return start - 1 if before.endswith(":\n") else None
    between = before[colon + 2 :]
    is_item = not between.strip() or (
        between.rstrip().endswith((",", ";", " or", " and", "/"))
        and not any(mark in between for mark in ".!?:\n\u2014")
    )
    return start - len(before) + colon + 1 if is_item else None


def _heading_above(text: str, line: int, indent: int) -> int | None:
    """Return the end of the line that the list with an item in some line stands under."""
    low, is_blank = max(0, line - _REACH), False
    for _ in range(_MOST_LINES):
        if line <= low:
            return None
        end = line - 1
        line = text.rfind("\n", low, end) + 1
        if line == 0 and low:
            return None
        above = text[line:end]
        bare = above.strip()
        is_item = bare[:2] in _PLAIN_ITEMS
        if is_item and bare[-1] not in _HEADING_ENDS and _indent(above) >= indent:
            is_blank = False
            continue
        bare = TAG.sub("", bare).strip(EMPHASIS)
        if not bare:
            if is_blank:
                return None
            is_blank = True
            continue
        is_heading = bare[-1] in ":\uff1a" or bare[0] == "#"
        if is_item or _ITEM.match(above):
            if _indent(above) < indent:
                return end if is_heading else None
            is_blank = False
        elif is_heading or (not is_blank and len(bare) < _SHORT and _is_label(text, line)):
            return end
        elif is_blank and _indent(above) <= indent:
            # A paragraph ends the list above it; a short one may be a heading without a colon.
            return end if len(bare) < _SHORT else None
    return None


def _is_label(text: str, line: int) -> bool:
    """Whether a line begins with a negation."""
    word = WORD.search(text, line, line + 24)
    return word is not None and folded_word(word[0]) in ANY_NEGATION


def _heading_of_html(text: str, start: int) -> int | None:
    """Return the end of what stands before the HTML list around an offset."""
    depth = 0
    tags = list(_HTML_LIST.finditer(text, max(0, start - _REACH), start))
    for tag in reversed(tags):
        depth += 1 if tag[1] else -1
        if depth < 0:
            return tag.start()
    return None
