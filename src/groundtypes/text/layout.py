"""The blocks that the layout of a text separates: paragraphs, list items, table rows, headings.

A line break that a writer made ends a sentence; one that only wraps a full line is a space. A line
was wrapped if the next word would have made it longer than the longest line of its paragraph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundtypes.text.punkt import TERMINATORS

_BREAKS: Final = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_LINE: Final = re.compile(rf"[^{_BREAKS}]+")
#: The bullet, number or letter of a list item.
_MARKER: Final = re.compile(
    r"(?:>[ \t]?)*[ \t]*(?:"
    r"(?P<bullet>[-*+\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7])"
    r"|(?P<dash>[\u2013\u2014])|\(?(?P<number>\d{1,3})[.)]|\(?(?:[A-Za-z]|[ivxIVX]{1,6})\)|[a-z]\.)"
    r"(?=[ \t]+\S)"
)
#: A Markdown heading, or a line that is bold as a whole.
_HEADING: Final = re.compile(r"[ \t]*(?:#{1,6}[ \t]|(\*\*|__)(?=\S).*\1:?[ \t]*\Z)")
#: The end of a line that a terminator, colon or semicolon closes.
_CLOSED: Final = re.compile(rf"(?:[{TERMINATORS}]|[:;])[\"'\u201d\u2019\u00bb)\]*_]*\s*\Z")
#: The end of a line whose sentence goes on in the next line: a comma, or a function word.
_UNFINISHED: Final = re.compile(
    r"(?:[,\u060c\u3001\uff0c(\u2013\u2014-]|\b(?:a|an|the|and|or|of|in|on|at|to|by|for|with|from|"
    r"is|are|was|were|that|which|as|der|die|das|und|le|la|les|de|et|el|los|y))\s*\Z",
    re.IGNORECASE,
)
#: The lines of a paragraph with a longer line than this were not wrapped.
_WIDEST: Final = 120
#: Lines are taken to have room for at least this many characters, except in a narrow column.
_NARROWEST: Final = 60
#: A narrow column has at least this many lines.
_FEWEST_COLUMN_LINES: Final = 4
#: At most this many characters at the end of a line decide whether it is closed.
_TAIL: Final = 12


class BlockKind(StrEnum):
    """What a block of a text is by its layout."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text without a boundary of the layout inside; half open, in code points.

    Attributes:
        kind: What it is.
        start: Where it begins.
        body: Where its words begin, after the marker of a list item.
        end: Where it ends.
        introduces: Whether it may introduce the block after it: prose without a closing mark but
            perhaps a colon, such as a title or the line before a list.
    """

    kind: BlockKind
    start: int
    body: int
    end: int
    introduces: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def item_marker(line: str) -> re.Match[str] | None:
    """Return the bullet (group `bullet`), number (`number`) or letter that begins a line."""
    return _MARKER.match(line)


def is_closed(line: str) -> bool:
    """Whether a terminator, colon or semicolon closes a line, so that no sentence runs over it."""
    return _CLOSED.search(line[-_TAIL:]) is not None


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text, in order; together they have every visible character."""
    previous: Block | None = None
    for paragraph in _paragraphs(text):
        for block in _of_paragraph(text, paragraph):
            if previous is not None:
                yield _with_introduces(text, previous)
            previous = block
    if previous is not None:
        yield previous


def _with_introduces(text: str, block: Block) -> Block:
    """Return a block that another one follows, marked if it may introduce that one."""
    tail = text[max(block.start, block.end - _TAIL) : block.end]
    is_closed = _CLOSED.search(tail)
    if block.kind is not BlockKind.PROSE or (is_closed and not tail.rstrip("*_ ").endswith(":")):
        return block
    return Block(block.kind, block.start, block.body, block.end, introduces=True)


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """Yield the lines between blank lines."""
    lines: list[_Line] = []
    last = 0
    for match in _LINE.finditer(text):
        content = match[0].strip()
        if not content:
            continue
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if lines and _is_blank(text, last, match.start()):
            yield lines
            lines = []
        lines.append(_Line(start, start + len(content), match[0]))
        last = start + len(content)
    if lines:
        yield lines


def _is_blank(text: str, start: int, end: int) -> bool:
    """Whether a blank line, or a paragraph separator, lies between two lines."""
    gap = text[start:end]
    if gap in ("\n", "\r\n"):
        return False
    breaks = sum(map(gap.count, "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028")) - gap.count("\r\n")
    return breaks > 1 or "\u2029" in gap


def _of_paragraph(text: str, lines: list[_Line]) -> Iterator[Block]:
    """Yield the blocks of the lines between two blank lines."""
    width = _width(lines)
    open_block: Block | None = None
    number = 0  # of the last list item
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else None
        marker = _MARKER.match(line.text)
        kind = BlockKind.PROSE
        if _is_row(lines, at):
            kind = BlockKind.ROW
        elif marker and _is_item(marker, before, open_block, number):
            kind = BlockKind.ITEM
        elif _HEADING.match(line.text):
            kind = BlockKind.HEADING
        if (
            kind is BlockKind.PROSE
            and before is not None
            and open_block is not None
            and open_block.kind in (BlockKind.PROSE, BlockKind.ITEM)
            and _continues(text, before, line, width)
        ):
            open_block = Block(open_block.kind, open_block.start, open_block.body, line.end)
            continue
        if open_block is not None:
            yield open_block
        body = line.start
        if kind is BlockKind.ITEM and marker:
            number = int(marker["number"] or 0)
            body = line.end - len(line.text[marker.end() :].strip())
        open_block = Block(kind, line.start, body, line.end)
    if open_block is not None:
        yield open_block


def _width(lines: list[_Line]) -> int:
    """Return how many characters fit on a line: the longest line, unless it is too short."""
    sizes = [line.end - line.start for line in lines]
    longest = max(sizes)
    full = sum(size > longest * 0.7 for size in sizes)  # lines that are about full
    if len(sizes) >= _FEWEST_COLUMN_LINES and full * 4 >= len(sizes) * 3:
        return longest
    return max(longest, _NARROWEST)


def _is_item(
    marker: re.Match[str], before: _Line | None, open_block: Block | None, number: int
) -> bool:
    """Whether a marker begins a list item, and is not a number or dash of the text."""
    if marker["bullet"] or before is None or _CLOSED.search(before.text[-_TAIL:]):
        return True
    if open_block is not None and open_block.kind is BlockKind.ITEM:
        return not marker["number"] or int(marker["number"]) == number + 1
    return marker["number"] == "1"


def _is_row(lines: list[_Line], at: int) -> bool:
    """Whether a line is a row of a table: cells between pipes or tabs."""
    line = lines[at].text.strip()
    for separator in "|\t":
        count = line.count(separator)
        if count >= 2:
            return True
        if count and any(
            lines[other].text.strip().count(separator) == count
            for other in (at - 1, at + 1)
            if 0 <= other < len(lines)
        ):
            return True
    return False


def _continues(text: str, before: _Line, line: _Line, width: int) -> bool:
    """Whether the line break before a line only wraps a full line."""
    content = text[line.start : line.start + 60]
    if content[:1].islower() or _UNFINISHED.search(before.text[-_TAIL:]):
        return True
    if width > _WIDEST:
        return False
    first_word = len(content.split(None, 1)[0])
    return before.end - before.start + 1 + first_word > width
