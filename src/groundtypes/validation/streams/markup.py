"""Words of the guard within Markdown: marks, notes, and what is left of a part that is left out.

They are put where no block becomes another one: before the last pipe of a row, behind the text of a
heading and not of the line under it, in a line of their own behind a block of code.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.nodes import LineType, Node, NodeKind, OutlineLine
from groundtypes.validation.streams.outline import cells_of

#: The sign of an omission, where what follows would join what comes before.
OMITTED: Final = "[\u2026]"
#: What begins a block at the start of a line.
_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|`{3}|~{3}|\||[=-]+\s*\Z|(?:[-*_]\s*){3,}\Z"
    r"|<(?=[A-Za-z/!?])|\[[^\]]*\]:"
)
_NUMBER_START: Final = re.compile(r"(\d{1,9})([.)])(?=\s|\Z)")
_BARE_NUMBER: Final = re.compile(r"\d{1,9}[.)]")
_WHITE_SPACE: Final = re.compile(r"\s+")
_NO_SPACE: Final = re.compile(r"[^ \t>]")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_KEPT: Final = frozenset(
    (LineType.BLANK, LineType.UNDERLINE, LineType.RULE, LineType.DELIMITER, LineType.END_FENCE)
)
_END: Final = LineType.END_FENCE
_TEXT: Final = frozenset((LineType.TEXT, LineType.ROW, LineType.HEADING))


def as_line(words: str) -> str:
    """Return words on one line."""
    return _WHITE_SPACE.sub(" ", words).strip()


def escaped_start(words: str) -> str:
    """Return words that begin a line, and no block of Markdown."""
    if match := _NUMBER_START.match(words):
        return f"{match[1]}\\{words[match.end(1) :]}"
    return f"\\{words}" if _BLOCK_START.match(words) else words


def continued(prefix: str) -> str:
    """Return the beginning of a further line in the same list items and quotations."""
    return _NO_SPACE.sub(" ", prefix)


def quotation(prefix: str) -> str:
    """Return the quotation signs of the beginning of a line."""
    return prefix[: prefix.rfind(">") + 1] + " " if ">" in prefix else ""


def marked(part: Part, lines: Sequence[OutlineLine], notice: str) -> tuple[str, bool]:
    """Return a part with a mark, and whether the mark is a paragraph that is to be closed."""
    for is_wanted in (_has_word, str.strip):
        for line in reversed(lines):
            start, end = max(line.content, part.start), min(line.end, part.end)
            words = part.text[start - part.start : end - part.start]
            if line.type in _TEXT and is_wanted(words):
                with_mark = _with_mark(words, line, notice)
                before, behind = part.text[: start - part.start], part.text[end - part.start :]
                return before + with_mark + behind, False
            if line.type not in _TEXT and (line.type not in _KEPT or line.type is _END):
                return _with_line(part, line, notice)
    return _with_line(part, lines[-1], notice)


def _has_word(words: str) -> bool:
    """Whether there is a word or number, and not only that of a list item."""
    return any(map(str.isalnum, words)) and not _BARE_NUMBER.fullmatch(words.strip())


def _with_mark(words: str, line: OutlineLine, notice: str) -> str:
    body = words.rstrip()
    space = words[len(body) :]
    if "|" in words or line.block.kind is NodeKind.TABLE:
        notice = _PIPE.sub(r"\\|", notice)
    if len(body) > 1 and body.endswith("|") and not body.endswith("\\|"):
        return f"{body[:-1].rstrip()} {notice} |{space}"
    at = len(body)
    if line.type is LineType.HEADING and body.rstrip("#").endswith((" ", "\t")):
        at = len(body.rstrip("#").rstrip())
    elif (len(body) - len(body.rstrip("\\"))) % 2:
        at -= 1  # a line break of Markdown
    return f"{body[:at].rstrip()} {notice}{body[at:]}{space}"


def _with_line(part: Part, line: OutlineLine, notice: str) -> tuple[str, bool]:
    """Return a part with a mark below a line, and whether it is a paragraph at the end."""
    at = min(line.end, part.end) - part.start
    is_in_code = line.type in (LineType.FENCE, LineType.CODE)
    is_paragraph = not is_in_code and line.type is not LineType.ALONE
    words = _as_code(notice) if is_in_code else escaped_start(notice)
    behind = part.text[at:]
    if is_paragraph and behind.strip():
        behind = f"\n{quotation(line.prefix).rstrip()}{behind}"
    return f"{part.text[:at]}\n{continued(line.prefix)}{words}{behind}", is_paragraph


def noted(part: Part, lines: Sequence[OutlineLine], notice: str) -> str:
    """Return a note in place of the words of a part, with its markers, fences and cells."""
    pieces: list[str] = []
    done: set[Node] = set()
    line_break = ""
    for line in lines:
        start, end = max(line.start, part.start), min(line.end, part.end)
        lead = part.text[start - part.start : max(line.content, part.start) - part.start]
        piece: str | None = None
        if line.type in _KEPT or (line.content >= end and line.type is not LineType.FENCE):
            # No words are in it, or no more than a marker.
            piece = part.text[start - part.start : end - part.start]
        elif line.type is LineType.FENCE:
            piece = f"{lead}{line.fence}\n{continued(line.prefix)}{_as_code(notice)}"
            done.add(line.block)
        elif (row := _row(part, line)) is not None:
            piece = lead + _note_row(row, notice)
            done.add(line.block)
        elif line.block not in done:
            is_code, is_start = line.type is LineType.CODE, part.start <= line.content
            words = escaped_start(notice) if is_start else notice
            piece = lead + (_as_code(notice) if is_code else words)
            done.add(line.block)
        if piece is not None:
            pieces += (line_break, piece)
            line_break = ""
        if not line_break:
            line_break = (
                "\r\n" if part.text[end - part.start : end - part.start + 1] == "\r" else "\n"
            )
    return "".join(pieces) if done else escaped_start(notice)


def _as_code(words: str) -> str:
    """Return words as a line of code, which does not close its block."""
    return f"\\{words}" if words.startswith(("```", "~~~")) else words


def _row(part: Part, line: OutlineLine) -> str | None:
    """Return the words of a line of a table, or of one that may be its header."""
    row = part.text[max(line.content - part.start, 0) : line.end - part.start]
    is_whole = part.start <= line.content and line.end <= part.end
    may_be_row = line.type is LineType.TEXT and is_whole and _PIPE.search(row)
    return row if line.block.kind is NodeKind.TABLE or may_be_row else None


def _note_row(row: str, notice: str) -> str:
    empty = "|" * len(cells_of(row)) if row.strip() else "|"
    words = _PIPE.sub(r"\\|", notice)
    return f"| {words} {' '.join(empty)}"
