"""The cells of tables in Markdown, with where they are in the text."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"[^\n\r]+")
#: The line between the header and the rows of a Markdown table.
_RULE: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
#: What stands between cells; a pipe after a backslash is part of its cell.
_PIPE: Final = re.compile(r"(?<!\\)\|")
_MOST_HEADER_LINES: Final = 3
_LONGEST_CELL: Final = 131_072  # the limit of the csv module


class GridCell(NamedTuple):
    """The content of one cell, half open, in code points of the text."""

    start: int
    end: int
    text: str


class MarkdownTable(NamedTuple):
    """A table of a text.

    Attributes:
        start: Where its first line begins.
        end: Where its last line ends.
        header: The lines above its rule.
        rows: The lines below.
    """

    start: int
    end: int
    header: tuple[tuple[GridCell, ...], ...]
    rows: tuple[tuple[GridCell, ...], ...]


def markdown_tables(text: str) -> Iterator[MarkdownTable]:
    """Yield the tables of a Markdown text: lines with pipes around a line of dashes."""
    if "|" not in text or "-" not in text:
        return
    lines = list(_LINE.finditer(text))
    floor = 0
    at = 1
    while at < len(lines):
        line = lines[at][0]
        if "|" in line and len(line) < _LONGEST_CELL and _RULE.fullmatch(line.strip()):
            first = at
            highest = max(floor, at - _MOST_HEADER_LINES)
            while first > highest and _is_row(text, lines, first - 1, first):
                first -= 1
            last = at
            while last + 1 < len(lines) and _is_row(text, lines, last + 1, last):
                last += 1
            if first < at:
                yield MarkdownTable(
                    lines[first].start(),
                    lines[last].end(),
                    tuple(_cells(text, *line.span()) for line in lines[first:at]),
                    tuple(
                        _cells(text, *line.span())
                        for line in lines[at + 1 : last + 1]
                        if not _RULE.fullmatch(line[0].strip())
                    ),
                )
            floor = at = last + 1
        at += 1


def _is_row(text: str, lines: Sequence[re.Match[str]], number: int, neighbour: int) -> bool:
    """Whether a line is a row of the table that its neighbour belongs to."""
    line, other = lines[number], lines[neighbour]
    low, high = sorted((line.span(), other.span()))
    gap = text[low[1] : high[0]]
    return "|" in line[0] and gap in ("\n", "\r\n", "\r")


def _cells(text: str, start: int, end: int) -> tuple[GridCell, ...]:
    """Return the cells of a line."""
    start, end = _trim(text, start, end)
    if text.startswith("|", start, end):
        start += 1
    if end > start and text[end - 1] == "|" and text[end - 2 : end - 1] != "\\":
        end -= 1
    bounds = [start - 1, *(pipe.start() for pipe in _PIPE.finditer(text, start, end)), end]
    spans = (_without_emphasis(text, *_trim(text, low + 1, high)) for low, high in pairwise(bounds))
    return tuple(GridCell(low, high, text[low:high].replace("\\|", "|")) for low, high in spans)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _without_emphasis(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the marks of a cell that is bold, in italics or code as a whole."""
    for mark in ("**", "__", "*", "`"):
        size = len(mark)
        if (
            end - start > 2 * size
            and text.startswith(mark, start, end)
            and text.endswith(mark, start, end)
            and mark[0] not in text[start + size : end - size]
        ):
            return start + size, end - size
    return start, end
