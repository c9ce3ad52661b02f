"""Words of the guard within Markdown: marks behind a part, and notes in its place.

A mark stands at the end of the last line with a word, before the last pipe of a row, and in a line
of its own below a block of code. A note keeps what makes the block: the signs at the beginning of
its line, the cells of a row, underlines and fences.
"""

import re
from dataclasses import dataclass
from typing import Final

from groundtypes.text.layout import BlockKind, is_closed
from groundtypes.validation.streams.judged_parts import Part

#: The sign of an omission, where what follows would join what comes before.
OMITTED: Final = "[\u2026]"
#: The most words of a bare line that is the title of what follows, as in `hypotheses`.
_TITLE_WORDS: Final = 3
#: What begins a block at the start of a line.
_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|`{3}|~{3}|\||[=-]+\s*\Z|(?:[-*_]\s*){3,}\Z"
    r"|<(?=[A-Za-z/!?])|\[[^\]]*\]:"
)
_NUMBER_START: Final = re.compile(r"(\d{1,9})([.)])(?=\s|\Z)")
#: The signs that begin a line, and that of a footnote.
_LEAD: Final = re.compile(r"[ \t>]*(?:#{1,6}[ \t]+)?")
FOOTNOTE: Final = re.compile(r"[ \t>]*\[\^[^\]\s]{1,80}\]:[ \t]*")
_INDENT: Final = re.compile(r"[ \t>]*")
_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
#: A line without words, which only says what the lines around it are.
_SIGNS: Final = re.compile(r"[\s>|:=*_-]*")
_UNDERLINED: Final = re.compile(r"\n[ \t>]*(?:=+|-+)[ \t]*\Z")
_PIPE: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part is in its line: what indents or quotes the line, and whether it begins it."""

    lead: str
    begins_line: bool

    @classmethod
    def of(cls, before: str, part: Part) -> "Place":
        """Return the place of a part behind the text `before` it in its line."""
        match = _INDENT.match(before + part.text)
        return cls(match[0] if match else "", not before.strip(" \t>"))


def as_line(words: str) -> str:
    """Return words on one line."""
    return " ".join(words.split())


def escaped_start(words: str) -> str:
    """Return words that begin a line, and no block of Markdown."""
    if match := _NUMBER_START.match(words):
        return f"{match[1]}\\{words[match.end(1) :]}"
    return f"\\{words}" if _BLOCK_START.match(words) else words


def cells_of(row: str) -> list[str]:
    """Return the cells of a row between its pipes."""
    row = row.strip().removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return [cell.strip() for cell in _PIPE.split(row)]


def is_row(part: Part) -> bool:
    """Whether a part is the row of a table, or a line with pipes that may be its header."""
    return part.kind is BlockKind.ROW or part.text.startswith("|") or " | " in part.text


def begins_code(part: Part) -> bool:
    """Whether the block of code in a part begins in it; that of a piece of a long one does not."""
    lines = part.text[part.body - part.start :].split("\n")
    return any(map(_FENCE.match, lines[:-1]))


def marked(part: Part, notice: str) -> str:
    """Return a part with a mark."""
    lines = part.text.split("\n")
    if part.kind is None:
        indent = _INDENT.match(lines[-1]) if len(lines) > 1 else None
        return f"{part.text}\n{indent[0] if indent else ''}{escaped_start(notice)}"
    at = next((at for at in reversed(range(len(lines))) if not _SIGNS.fullmatch(lines[at])), -1)
    words = lines[at].rstrip()
    space = lines[at][len(words) :]
    if is_row(part):
        notice = _in_cell(notice)
    if len(words) > 1 and words.endswith("|") and not words.endswith("\\|"):
        lines[at] = f"{words[:-1].rstrip()} {notice} |{space}"
    else:
        lines[at] = f"{words} {notice}{space}"
    return "\n".join(lines)


def noted(part: Part, place: Place, notice: str) -> str:
    """Return a note in place of the words of a part, or of each paragraph in it."""
    lead = _lead(part)
    note = escaped_start(notice) if place.begins_line else notice
    first, *others = part.text.split("\n")
    if part.kind is None:
        fence = _FENCE.match(first, len(lead))
        lines = [lead + fence[0], place.lead + note] if fence else [lead + note]
        return "\n".join([*lines, *filter(None, [_closing_fence(part)])])
    if is_row(part) and place.begins_line:
        empty = "|" * len(cells_of(first))
        note = f"| {_in_cell(notice)} {' '.join(empty)}"
    lines, is_noted = [lead + note], True
    for line in others:
        if _SIGNS.fullmatch(line):
            lines.append(line)
            is_noted = is_noted and line.strip(" \t\r>") != ""
        elif not is_noted:
            indent = _LEAD.match(line)
            lines.append(f"{indent[0] if indent else ''}{escaped_start(notice)}")
            is_noted = True
    return "\n".join(lines)


def _in_cell(words: str) -> str:
    return _PIPE.sub(r"\\|", words)


def _lead(part: Part) -> str:
    """Return the signs at the beginning of a part, which make its block."""
    if part.kind is BlockKind.ITEM or part.kind is None:
        return part.text[: part.body - part.start]
    match = FOOTNOTE.match(part.text) or _LEAD.match(part.text)
    return match[0] if match else ""


def in_place_of(part: Part, place: Place) -> str:
    """Return what stands for a part that is left out: a sign for a heading or title.

    Of the last piece of a long block of code it is the closing fence.
    """
    if part.kind is None:
        return "" if begins_code(part) else _closing_fence(part)
    is_title = (
        place.begins_line
        and part.kind is BlockKind.PROSE
        and len(part.text.split()) <= _TITLE_WORDS
        and not is_closed(part.text)
        and not is_row(part)
    )
    if part.kind is BlockKind.HEADING or is_title or _UNDERLINED.search(part.text):
        return noted(part, place, OMITTED)
    return ""


def _closing_fence(part: Part) -> str:
    """Return the fence that closes the block of code of a part, unless that begins within it."""
    start = part.body - part.start
    *before, last = part.text[start:].split("\n")
    match = _FENCE.match(last)
    is_fence = bool(before) and match is not None and match.end() == len(last.rstrip())
    begins_within = any(map(_FENCE.match, before[1:]))
    return last if is_fence and not begins_within else ""
