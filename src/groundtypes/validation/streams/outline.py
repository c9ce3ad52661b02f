"""The blocks of a Markdown stream: which list, item, quotation, table or heading a line is in.

A small part of CommonMark with tables and footnotes, read line by line: enough to say what hangs
on what, and where words can be added without a block becoming another one. Blocks of code are those
that the scanner has found.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundtypes.validation.streams.lines import closes_fence, fence_of
from groundtypes.validation.streams.nodes import LineType, Node, NodeKind, OutlineLine
from groundtypes.validation.streams.text_units import Unit

#: Containers within containers that are read; what is deeper is text.
_DEEPEST: Final = 24
_QUOTE: Final = re.compile(r" {0,3}>[ \t]?")
_MARKER: Final = re.compile(
    r" {0,3}(?P<marker>[-+*\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7]"
    r"|\(?(?P<number>\d{1,9})[.)]|\(?[A-Za-z]\))(?P<space>[ \t]+|\Z)"
)
_FOOTNOTE: Final = re.compile(r" {0,3}\[\^[^\]\s]{1,80}\]:[ \t]*")
_RULE: Final = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_ATX: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]+|\Z)")
_DELIMITER: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_DEFINITION: Final = re.compile(
    r" {0,3}\[[^\[\]\\^][^\[\]\\]{0,200}\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)"
    r"(?P<title>[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*"
)
_TITLE: Final = re.compile(r"[ \t]*(?:\"[^\"]*\"|'[^']*'|\([^()]*\))[ \t]*")
#: Lines to which no word can be added: a tag, or a sign of a formula.
_ALONE: Final = re.compile(r"[ \t]*(?:</?[A-Za-z][^<>]*>|<!--[^<>]*-->|\$\$|\\[\[\]])[ \t]*")
_CELL_SPLIT: Final = re.compile(r"(?<!\\)\|")
_INDENT: Final = re.compile(r"[ \t]*")


class Outline:
    """Reads the units of a stream, in order."""

    def __init__(self) -> None:
        self._containers: list[Node] = []
        self._leaf: Node | None = None
        self._line: OutlineLine | None = None
        #: The text of the last line of the paragraph that is open.
        self._last_text = ""
        #: The definition of a link whose title may follow in the next line.
        self._untitled: Node | None = None
        #: The block of code that is open, and its fence.
        self._code: Node | None = None
        self._fence = self._fence_prefix = ""

    def read(self, unit: Unit) -> list[OutlineLine]:
        """Return the lines that a unit has text of; the first may have begun before."""
        lines: list[OutlineLine] = []
        at = 0
        text = unit.text
        while at < len(text):
            newline = text.find("\n", at)
            end = newline if newline >= 0 else len(text)
            content = text[at:end].rstrip("\r")
            if self._line is None:
                self._line = self._read(content, unit, at)
                lines.append(self._line)
            else:
                self._extend(self._line, content, unit.start + at)
                lines.append(self._line)
            if newline < 0:
                break
            self._line = None
            at = newline + 1
        return lines

    @staticmethod
    def _extend(line: OutlineLine, more: str, at: int) -> None:
        if more.strip():
            line.end = at + len(more)
            if line.type not in (LineType.ROW, LineType.HEADING, LineType.CODE):
                line.type = LineType.TEXT

    # --- lines ---------------------------------------------------------------------------------

    def _read(self, line: str, unit: Unit, at: int) -> OutlineLine:
        start, end = unit.start + at, unit.start + at + len(line)
        region = next(
            (each for each in unit.code if each[0] < at + len(line) and at < each[1]), None
        )
        if region is None and self._code is not None and line.strip():
            self._code = None
        if self._code is not None and (region is not None or not line.strip()):
            return self._code_line(line, start, end)
        containers, is_matched, rest = self._match(line)
        if not rest.strip():
            self._leaf = None
            self._containers = containers
            path = (*containers, Node(NodeKind.OTHER, start))
            return OutlineLine(start, end, end, LineType.BLANK, path, line)
        is_open = self._leaf is not None and self._leaf.kind is NodeKind.TEXT
        at_rest = start + len(line) - len(rest)
        opened, rest = self._open(containers, rest, at_rest, in_paragraph=is_open and is_matched)
        begins = opened is not containers or region is not None or _begins_block(rest)
        is_lazy = is_open and not is_matched and not begins
        if not is_lazy:
            if opened is not containers or not is_matched:
                self._leaf = None
            self._containers = list(_closed(opened))
        offset = len(line) - len(rest)
        kind, content = self._leaf_line(
            rest, start + offset, is_code=region is not None, is_lazy=is_lazy
        )
        self._last_text = rest
        assert self._leaf is not None  # noqa: S101 # every line that is not blank has one
        path = (*self._containers, self._leaf)
        content += offset
        if kind is LineType.FENCE:
            self._fence_prefix = line[:content]
        return OutlineLine(start, start + content, end, kind, path, line[:content], self._fence)

    def _code_line(self, line: str, start: int, end: int) -> OutlineLine:
        assert self._code is not None  # noqa: S101 # the caller has looked
        path = (*self._containers, self._code)
        lead = len(line) - len(line.lstrip(" \t>"))
        closes = closes_fence(line, self._fence)
        kind = LineType.END_FENCE if closes else LineType.CODE
        if closes:
            self._code = self._leaf = None
        # A line that leaves the quotation leaves the block of code, as Markdown reads it.
        is_apart = ">" in self._fence_prefix and ">" not in line[:lead]
        prefix = line[:lead] if is_apart else self._fence_prefix
        return OutlineLine(start, start + lead, end, kind, path, prefix, self._fence)

    def _match(self, line: str) -> tuple[list[Node], bool, str]:
        """Return the open containers that a line goes on with, whether all, and its rest."""
        rest = line
        for number, node in enumerate(self._containers):
            if node.kind is NodeKind.QUOTE:
                match = _QUOTE.match(rest)
                if match is None:
                    return self._containers[:number], False, rest
                rest = rest[match.end() :]
            elif node.width and rest.strip():
                if _columns(rest) < node.width:
                    # An item may follow in the same list.
                    return self._containers[:number], False, rest
                rest = _unindented(rest, node.width)
        return self._containers, True, rest

    def _open(
        self, containers: list[Node], rest: str, at: int, *, in_paragraph: bool
    ) -> tuple[list[Node], str]:
        """Return the containers with those that a line begins, and the rest of the line."""
        opened = containers
        while len(opened) < _DEEPEST and _columns(rest) < 4:
            if match := _QUOTE.match(rest):
                opened = [*_closed(opened), Node(NodeKind.QUOTE, at)]
            elif match := _FOOTNOTE.match(rest):
                opened = [*_closed(opened), Node(NodeKind.FOOTNOTE, at, width=4)]
            elif (
                (match := _MARKER.match(rest))
                and not _RULE.fullmatch(rest)
                and not (in_paragraph and opened is containers and _goes_on(match, rest))
                and not (in_paragraph and opened is containers and _UNDERLINE.fullmatch(rest))
            ):
                opened = _with_item(opened, match, at)
            else:
                break
            at += match.end()
            rest = rest[match.end() :]
        return opened, rest

    def _leaf_line(
        self, rest: str, at: int, *, is_code: bool, is_lazy: bool
    ) -> tuple[LineType, int]:
        """Note the block that a line belongs to; return what it is and where its words begin."""
        leaf = self._leaf
        indent = len(rest) - len(rest.lstrip())
        if is_code:
            self._fence = fence_of(rest)
            self._code = self._leaf = Node(NodeKind.CODE, at)
            return LineType.FENCE, indent
        is_open = leaf is not None and leaf.kind is NodeKind.TEXT
        if is_open and not is_lazy and leaf is not None:
            if _UNDERLINE.fullmatch(rest):
                leaf.kind = NodeKind.HEADING
                return LineType.UNDERLINE, indent
            if (
                "|" in self._last_text + rest
                and _DELIMITER.fullmatch(rest.strip())
                and (len(cells_of(rest)) == len(cells_of(self._last_text)))
            ):
                leaf.kind = NodeKind.TABLE
                leaf.cause, leaf.row_cause = leaf.row_cause, None
                return LineType.DELIMITER, indent
        if _RULE.fullmatch(rest):
            self._leaf = Node(NodeKind.OTHER, at)
            return LineType.RULE, indent
        if match := _ATX.match(rest):
            self._leaf = Node(NodeKind.HEADING, at)
            return LineType.HEADING, match.end()
        if leaf is not None and leaf.kind is NodeKind.TABLE:
            return LineType.ROW, indent
        if is_open:
            return (LineType.ALONE if _ALONE.fullmatch(rest) else LineType.TEXT), indent
        return self._new_leaf(rest, at, indent)

    def _new_leaf(self, rest: str, at: int, indent: int) -> tuple[LineType, int]:
        if _columns(rest) >= 4:
            if self._leaf is None or self._leaf.kind is not NodeKind.INDENTED:
                self._leaf = Node(NodeKind.INDENTED, at)
            return LineType.TEXT, indent
        match = _DEFINITION.fullmatch(rest)
        if match or (
            self._leaf is not None and self._leaf is self._untitled and _TITLE.fullmatch(rest)
        ):
            self._leaf = Node(NodeKind.OTHER, at)
            self._untitled = self._leaf if match and not match["title"] else None
            return LineType.DEFINITION, indent
        self._leaf = Node(NodeKind.TEXT, at)
        return (LineType.ALONE if _ALONE.fullmatch(rest) else LineType.TEXT), indent


def cells_of(row: str) -> list[str]:
    """Return the cells of a row between its pipes."""
    row = row.strip()
    row = row.removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return [cell.strip() for cell in _CELL_SPLIT.split(row)]


def _closed(containers: Sequence[Node]) -> Sequence[Node]:
    """Return the containers without a list at their end, of which no item is open."""
    return containers[:-1] if containers and containers[-1].kind is NodeKind.LIST else containers


def _with_item(opened: Sequence[Node], match: re.Match[str], at: int) -> list[Node]:
    """Return containers with a further item, in a list of the same sign if one is open."""
    sign = match["marker"]
    if match["number"]:
        sign = f"1{sign[-1]}"
    elif sign[-2:-1].isalpha():
        sign = f"a{sign[-1]}"
    space = _columns(match["space"])
    width = match.end("marker") + (space if 1 <= space <= 4 else 1)
    item = Node(NodeKind.ITEM, at, width=width)
    if opened and opened[-1].kind is NodeKind.LIST and opened[-1].marker == sign:
        return [*opened, item]
    return [*_closed(opened), Node(NodeKind.LIST, at, marker=sign), item]


def _goes_on(match: re.Match[str], rest: str) -> bool:
    """Whether a marker within a paragraph begins no list: a number other than 1, or no words."""
    number, sign = match["number"], match["marker"]
    is_numbered = number is not None and int(number) != 1
    return is_numbered or not rest[match.end() :].strip() or sign[-2:-1].isalpha()


def _begins_block(rest: str) -> bool:
    return _columns(rest) < 4 and bool(_ATX.match(rest) or _RULE.fullmatch(rest))


def _columns(text: str) -> int:
    match = _INDENT.match(text)
    return len(match[0].expandtabs(4)) if match else 0


def _unindented(text: str, width: int) -> str:
    """Return a line without so many columns of its indentation."""
    column = 0
    for at, sign in enumerate(text):
        if column >= width or sign not in " \t":
            return text[at:]
        column += 4 - column % 4 if sign == "\t" else 1
    return ""
