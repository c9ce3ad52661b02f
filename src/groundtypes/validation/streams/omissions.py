"""What hangs on a part that is left out, and what then stands in its place.

A nested item belongs to its item, a row to its header, a list to the line that introduces it. If
that is left out, they would join what comes before it and say something else; so they go, too. A
heading is replaced by a sign of omission, so that its section remains one.
"""

from collections.abc import Sequence
from typing import Final

from groundtypes.text.layout import BlockKind, is_closed
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import OMITTED, continued, quotation
from groundtypes.validation.streams.nodes import LineType, Node, NodeKind, OutlineLine
from groundtypes.validation.streams.outline import cells_of

_COLONS: Final = (":", "\uff1a")
#: The most words of a bare line that is the title of what follows, as in `hypotheses`.
_TITLE_WORDS: Final = 3
_CODE: Final = frozenset((LineType.CODE, LineType.END_FENCE))
_INTRODUCED: Final = frozenset((NodeKind.LIST, NodeKind.QUOTE, NodeKind.TABLE, NodeKind.CODE))


class Omissions:
    """Knows which parts are left out on account of others."""

    def __init__(self) -> None:
        #: Where the part begins that introduced what comes next, and was left out.
        self._introduction: int | None = None

    def cause_of(self, part: Part, lines: Sequence[OutlineLine]) -> int | None:
        """Return where the failing part begins on which a part hangs, or `None`."""
        first = next((line for line in lines if line.type is not LineType.BLANK), None)
        if self._introduction is not None and first is not None:
            if introduced := _introduced(first, part.start):
                introduced.cause = self._introduction
            self._introduction = None
        for line in lines:
            for node in line.path:
                if node.cause is not None:
                    return node.cause
            if (cause := self._row_cause(part, line)) is not None:
                return cause
        return None

    @staticmethod
    def _row_cause(part: Part, line: OutlineLine) -> int | None:
        if line.type is not LineType.ROW:
            return None
        table, cells = line.block, _cells(part, line)
        if _is_section(cells):
            table.section_cause = table.row_cause = None
        elif cells[0]:
            table.row_cause = None
        return table.row_cause if table.row_cause is not None else table.section_cause

    def leave_out(self, part: Part, lines: Sequence[OutlineLine], cause: int) -> None:
        """Note that a part is left out, and what goes with it."""
        for line in lines:
            for node in line.path[:-1]:
                if node.start >= part.start and node.kind in (NodeKind.ITEM, NodeKind.FOOTNOTE):
                    node.cause = cause
            block = line.block
            if line.type is LineType.ROW:
                cells = _cells(part, line)
                if _is_section(cells):
                    block.section_cause = cause
                elif cells[0]:
                    block.row_cause = cause
            elif block.kind in (NodeKind.TABLE, NodeKind.CODE):
                block.cause = cause
            elif block.kind is NodeKind.TEXT:
                block.row_cause = cause  # it may be the header of a table
        is_heading = any(line.block.kind is NodeKind.HEADING for line in lines)
        if not is_heading and part.text.rstrip("*_> \t\r\n").endswith(_COLONS):
            self._introduction = cause


def in_place_of(
    part: Part, lines: Sequence[OutlineLine], *, is_first: bool, is_last: bool
) -> tuple[str, list[OutlineLine]]:
    """Return what stands for a part that is left out, and the lines in whose place it stands.

    For headings it is a sign, for others nothing.

    Args:
        part: The part.
        lines: Its lines.
        is_first: Whether nothing has been passed on before, which what follows could join.
        is_last: Whether the unit ends with it.
    """
    pieces: list[str] = []
    kept: list[OutlineLine] = []
    for line in lines:
        if kept and kept[-1].block is line.block and line.type in _CODE:
            continue  # it has been closed
        piece = _in_place_of_line(part, line, is_first=is_first)
        is_title = not is_last and not is_first and len(lines) == 1 and _is_title(part, line)
        if piece is None and is_title:
            piece = OMITTED
        if piece is not None:
            pieces.append(piece)
            kept.append(line)
            is_first = False
    return "\n\n".join(pieces), kept


def _in_place_of_line(part: Part, line: OutlineLine, *, is_first: bool) -> str | None:
    content = max(line.content - part.start, 0)
    lead = part.text[:content]
    lead = lead[lead.rfind("\n") + 1 :]
    words = part.text[content : line.end - part.start]
    begins = line.content >= part.start
    if line.type is LineType.UNDERLINE and line.block.is_passed:
        return f"\n{lead}{words}" if part.start < line.start else lead + words
    if line.block.kind is NodeKind.CODE and line.block.is_passed and line.type in _CODE:
        return continued(line.prefix) + line.fence
    if is_first or not begins:
        return None
    if line.type is LineType.HEADING:
        return lead + OMITTED
    if line.type is LineType.UNDERLINE:
        return f"{quotation(line.prefix)}{OMITTED}\n{lead}{words}"
    is_bold = part.kind is BlockKind.HEADING and line.type is LineType.TEXT
    return f"{lead}**{OMITTED}**" if is_bold else None


def without_text_above(part: Part, lines: Sequence[OutlineLine], *, is_first: bool) -> str:
    """Return a part that holds; it may begin with the line under a heading that was left out."""
    line = lines[0]
    if line.type is not LineType.UNDERLINE or line.block.is_passed:
        return part.text
    if not is_first:
        return f"{quotation(line.prefix)}{OMITTED}\n{part.text}"
    return part.text[line.end - part.start :].lstrip()


def _is_title(part: Part, line: OutlineLine) -> bool:
    return (
        part.kind is BlockKind.PROSE
        and line.type is LineType.TEXT
        and line.block.kind is NodeKind.TEXT
        and (line.content, line.end, len(line.path)) == (part.start, part.end, 1)
        and len(part.text.split()) <= _TITLE_WORDS
        and not is_closed(part.text)
    )


def _introduced(line: OutlineLine, start: int) -> Node | None:
    """Return the list, quotation, table or block of code that begins with a part."""
    return next(
        (node for node in line.path if node.kind in _INTRODUCED and node.start >= start), None
    )


def _cells(part: Part, line: OutlineLine) -> list[str]:
    return cells_of(part.text[max(line.content - part.start, 0) : line.end - part.start])


def _is_section(cells: Sequence[str]) -> bool:
    """Whether a row has text in its first cell alone, and so is above others."""
    return len(cells) > 1 and bool(cells[0]) and not any(cells[1:])
