"""What a line of a stream is by its layout, as soon as no further text can change it."""

import re
from enum import Enum, auto
from typing import Final

from groundtypes.text.layout import item_marker

#: So many characters of a line say what it is; the whole line if it is shorter.
_DECIDING: Final = 16
#: The indentation of a line, and the signs of a quotation in Markdown.
_INDENT: Final = re.compile(r"(?:[ \t]|>)*")
_FENCE: Final = re.compile(r"`{3,}(?!.*`)|~{3,}")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")
_BOLD_LINE: Final = re.compile(r"[ \t]*(\*\*|__)(?=\S).*\1:?\s*", re.DOTALL)


class LineKind(Enum):
    """What a line begins or goes on with."""

    BLANK = auto()
    PROSE = auto()
    ITEM = auto()
    ROW = auto()
    HEADING = auto()
    FENCE = auto()


def line_kind(
    text: str, start: int, *, is_end: bool, follows_closed: bool, in_list: bool
) -> LineKind | None:
    """Return what the line at `start` is, or `None` if it depends on text that is still to come.

    Args:
        text: The text as far as it is known.
        start: Where the line begins.
        is_end: Whether nothing follows the text.
        follows_closed: Whether no sentence runs on from the line before.
        in_list: Whether the line before belongs to a list.
    """
    match = _INDENT.match(text, start)
    body = match.end() if match else start
    newline = text.find("\n", body)
    end = newline if newline >= 0 else len(text)
    if newline < 0 and not is_end and end - body < _DECIDING:
        return None
    opening = text[body : min(end, body + _DECIDING)]
    if not opening.strip():
        return LineKind.BLANK
    if _FENCE.match(opening):
        return LineKind.FENCE
    if opening.startswith("|"):
        return LineKind.ROW
    if _HEADING.match(opening):
        return LineKind.HEADING
    marker = item_marker(opening)
    if marker and (marker["bullet"] or follows_closed or in_list or marker["number"] == "1"):
        return LineKind.ITEM
    return LineKind.PROSE


def is_indented(text: str, start: int) -> bool:
    """Whether a line is indented as far as the text of a list item."""
    return text.startswith(("  ", "\t", " \t"), start)


def fence_of(line: str) -> str:
    """Return the fence with which a line opens a block of code."""
    match = _FENCE.match(line.lstrip(" \t>"))
    return match[0] if match else "```"


def fence_of_item(line: str) -> str:
    """Return the fence with which the text of a list item opens a block of code, or `""`."""
    marker = item_marker(line)
    match = _FENCE.match(line[marker.end() :].lstrip()) if marker else None
    return match[0] if match else ""


def closes_fence(line: str, fence: str) -> bool:
    """Whether a line closes the block of code that this fence has opened."""
    stripped = line.strip(" \t>\r\n")
    return len(stripped) >= len(fence) and stripped == fence[0] * len(stripped)


def is_whole_bold(line: str) -> bool:
    """Whether a line is bold as a whole, which makes it a heading."""
    return _BOLD_LINE.fullmatch(line) is not None
