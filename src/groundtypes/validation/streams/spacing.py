"""The white space between the parts that are passed on, some of which were left out or marked."""

import re
from collections.abc import Sequence
from typing import Final

from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import OMITTED, continued, escaped_start, quotation
from groundtypes.validation.streams.nodes import LineType, Node, NodeKind, OutlineLine

_LAST_LINE: Final = re.compile(r"[^\n]*\Z")
_BEGINNING: Final = frozenset((NodeKind.LIST, NodeKind.ITEM, NodeKind.QUOTE))
_INTRODUCED: Final = frozenset((NodeKind.LIST, NodeKind.QUOTE, NodeKind.TABLE, NodeKind.CODE))


class Spacing:
    """Keeps blocks apart that were apart.

    Attributes:
        has_passed: Whether anything has been passed on.
        ends_with_notice: Whether a mark or note is the last that was passed on.
        ends_with_paragraph: Whether that is a paragraph of its own, which no text may go on with.
    """

    def __init__(self) -> None:
        self.has_passed = False
        self.ends_with_notice = False
        self.ends_with_paragraph = False
        #: White space before the next part.
        self._gap = ""
        #: Whether the part before the white space was left out.
        self._after_drop = False
        #: White space since the last part, if that was left out; else `None`.
        self._tail: str | None = None
        #: The blocks of the first part that was left out since the last one that was passed on.
        self._dropped: frozenset[Node] | None = None
        #: Where the last part is that was passed on, and whether it introduces what follows.
        self._path: tuple[Node, ...] = ()
        self._introduces = False
        self._had_notice = self._had_paragraph = False

    def add(self, gap: str) -> None:
        """Add white space; where a part was left out, that on one side of it is enough."""
        if self._tail is not None:
            self._tail += gap
        if not self._after_drop or not gap:
            self._gap += gap
            return
        self._after_drop = False
        if not self.has_passed and not self._gap:
            return  # nothing has been passed on; the text begins with what comes now
        before = self._gap.count("\n")
        if gap.count("\n") >= before:
            self._gap = gap
        elif "\n" in gap:  # fewer lines, but the indentation of what follows
            line = _LAST_LINE.search(gap)
            head = self._gap[: self._gap.rindex("\n") + 1]
            self._gap = head + (line[0] if line else "")

    def take_rest(self) -> str:
        """Return the white space at the end of the stream, the first time."""
        gap = self._gap if self._tail is None else self._tail
        self._gap = self._tail = ""
        return gap

    def before(
        self,
        passed: str,
        part: Part,
        lines: Sequence[OutlineLine],
        kept: Sequence[OutlineLine],
    ) -> tuple[str, ...]:
        """Return what is passed on for a part, with what is put before it.

        Args:
            passed: What is passed on.
            part: The part.
            lines: Its lines.
            kept: Those of them for which something is passed on.
        """
        had_notice, had_paragraph = self._had_notice, self._had_paragraph
        self._after_drop = not passed
        if not passed:
            self._tail = ""
            if self._dropped is None and part.text:
                self._dropped = frozenset(node for line in lines for node in line.path)
            return ()
        self._tail = None
        self._had_notice, self.ends_with_notice = self.ends_with_notice, False
        self._had_paragraph, self.ends_with_paragraph = self.ends_with_paragraph, False
        gap, lead = self._gap, ""
        first = kept[0]
        if kept[0] is not lines[0]:
            self._dropped = frozenset(node for line in lines for node in line.path)
        is_headless = part.start > first.content and not first.is_passed
        begins_line = is_headless or kept[0] is not lines[0]
        if begins_line and self.has_passed and "\n" not in gap and first.block not in self._path:
            indent = continued(first.prefix)
            gap = "\n\n" + indent[: len(indent) - len(indent.lstrip())]
        if self.has_passed and had_paragraph:
            gap = _closing(gap, first)
        if self.has_passed:
            gap = self._separating(gap, first)
        if is_headless:
            # The beginning of its line was left out, and with it the signs of a quotation.
            if "\n" in gap or not self.has_passed:
                lead = continued(first.prefix).lstrip() if ">" in first.prefix else ""
                passed = escaped_start(passed)
        elif had_notice and not gap and not passed[0].isspace():
            lead = " "  # so that a mark and what follows are no link
        self._remember(part, kept)
        if kept[-1] is not lines[-1]:
            self._leave_out(part, lines, kept[-1])
        return gap, lead, passed

    def _leave_out(self, part: Part, lines: Sequence[OutlineLine], last: OutlineLine) -> None:
        """Note that of a part nothing is passed on behind a line."""
        behind = part.text[last.end - part.start :]
        self._gap = self._tail = behind[: len(behind) - len(behind.lstrip())]
        self._after_drop = True
        self._dropped = frozenset(node for line in lines for node in line.path)

    def _remember(self, part: Part, lines: Sequence[OutlineLine]) -> None:
        self._gap = ""
        self._dropped = None
        self.has_passed = True
        for line in lines:
            line.is_passed = line.block.is_passed = True
        visible = (line.path for line in reversed(lines) if line.type is not LineType.BLANK)
        self._path = next(visible, self._path)
        self._introduces = part.text.rstrip("*_ \t\r\n").endswith((":", "\uff1a"))

    def _separating(self, gap: str, first: OutlineLine) -> str:
        """Return white space that keeps what comes apart from what was passed on last."""
        if self._dropped is None or "\n" not in gap or first.block in self._path:
            return gap
        shared = 0
        for one, other in zip(self._path, first.path, strict=False):
            if one is not other:
                break
            shared += 1
        before, after = self._path[shared : shared + 1], first.path[shared:]
        would_join = bool(before) and before[0].kind is NodeKind.LIST and bool(after)
        would_join = would_join and after[0].kind in (NodeKind.LIST, NodeKind.INDENTED)
        would_join = would_join or (
            self._introduces
            and any(node.kind in _INTRODUCED for node in after)
            and not self._dropped.intersection(after)
        )
        if would_join:
            return _blank_line(gap, first, OMITTED, shared)
        # Items of a list may follow each other directly; a paragraph in an item may not, nor a
        # list that does not begin with 1.
        is_numbered = bool(after) and after[0].kind is NodeKind.LIST and after[0].marker[:1] == "1"
        is_in_list = any(node.kind is NodeKind.LIST for node in first.path[:shared])
        if is_in_list and len(after) > 1 and not is_numbered:
            return gap
        return gap if gap.count("\n") > 1 else _blank_line(gap, first, "", shared)


def _closing(gap: str, first: OutlineLine) -> str:
    """Return white space behind which no text goes on with the paragraph of a mark."""
    if gap.count("\n") != 1 or first.type in (LineType.BLANK, LineType.HEADING, LineType.FENCE):
        return gap
    new = [node for node in first.path if node.start >= first.start]
    is_empty = first.content >= first.end  # an item without words begins no list
    if not is_empty and any(node.kind in _BEGINNING for node in new):
        return gap
    return _blank_line(gap, first, "", len(first.path))


def _blank_line(gap: str, first: OutlineLine, words: str, shared: int) -> str:
    """Return white space with a blank line, and perhaps a paragraph, in the same containers."""
    is_quoted = any(node.kind is NodeKind.QUOTE for node in first.path[:shared])
    signs = quotation(first.prefix) if is_quoted else ""
    line = _LAST_LINE.search(gap)
    indent = line[0] if line else ""
    blank = f"\n{signs.rstrip()}\n{indent}"
    return f"{blank}{signs}{words}{blank}" if words else blank
