"""Where a unit of a stream ends: found as soon as no further text can change it.

A sentence ends where `groundtypes.text.punkt` finds an end that stays one whatever comes: after
"3." a "5" may come, and after "Dr." a name. A list ends before the first line that is no part of
it, a table at its last row, a block of code behind its closing fence.

What is held back is bounded: prose without the end of a sentence is cut like any long sentence
(`groundtypes.text.sentences`), a list, table or block of code of more than 10,000 characters
between two of its lines.

Every decision depends on the text up to the place where it is made, never on where a chunk ends.
So `Scanner.next_cut` must give the same result for a text whether it has seen beginnings of that
text before or not: whatever it remembers is decided by the text before its position.
"""

import re
from enum import Enum, auto
from typing import Final

from groundtypes.text.layout import is_closed
from groundtypes.text.punkt import sentence_ends
from groundtypes.text.sentences import LONGEST, cut_position, is_short
from groundtypes.validation.streams.lines import (
    LineKind,
    closes_fence,
    fence_of,
    fence_of_item,
    is_indented,
    is_whole_bold,
    line_kind,
)

#: The most characters of a list, table or block of code, and of what is held back at all.
_MAX_BLOCK: Final = 10_000
#: So many characters more are looked at to decide where one of them ends.
_LOOKAHEAD: Final = 64
WINDOW: Final = _MAX_BLOCK + _LOOKAHEAD
#: A sentence that has not ended after so many characters is cut.
_SENTENCE_WINDOW: Final = LONGEST + 100
#: The most words of a title, as in `groundtypes.text.hypotheses`.
_TITLE_WORDS: Final = 3

#: What makes a line of prose the row of a table.
_CELL_END: Final = re.compile(r"\t| \| ")
#: Citation markers behind a full stop belong to the sentence before.
_MARKER: Final = re.compile(
    r"[ \t]?(?:\[\^?[\w.:/\u2013\u2014-]{1,40}(?: ?[,;] ?[\w.:/\u2013\u2014-]{1,40}){0,8}\]"
    r"|\u3010[^\u3011\n]{1,40}\u3011)"
)
_OPEN_MARKER: Final = re.compile(
    r"[ \t]?(?:\[[\w.:/,;^ \u2013\u2014-]{0,60}|\u3010[^\u3011\n]{0,40})?\Z"
)


class _Mode(Enum):
    """What the unit that is being read is."""

    PROSE = auto()
    HEADING = auto()
    LIST = auto()
    TABLE = auto()
    CODE = auto()


class Scanner:
    """Reads one unit; positions are those in the text from the beginning of the unit.

    Attributes:
        mode: What the unit is, as far as it has been read.
        code: The blocks of code in it that are complete.
        code_start: Where an open block of code begins, or `None`.
    """

    def __init__(self, mode: _Mode, *, is_closed: bool, fence: str = "") -> None:
        self.mode = mode
        self.code: list[tuple[int, int]] = []
        self.code_start = 0 if fence else None
        self._fence = fence
        self._line = 0
        #: What the line is; at first it is the rest of the line in which the last unit ended.
        self._kind: LineKind | None = LineKind.PROSE if fence or mode is not _Mode.PROSE else None
        self._is_rest = True
        #: Where the last visible character ends.
        self._content_end = 0
        #: Whether a blank line follows the last visible character.
        self._is_blank = False
        self._sentence = 0
        self._scan = 0
        #: Whether no sentence runs on from the last line, and whether it ends with a terminator.
        self._is_closed = is_closed
        self._has_stop = is_closed

    @classmethod
    def at_start(cls) -> "Scanner":
        """Return the scanner of the first unit."""
        scanner = cls(_Mode.PROSE, is_closed=True)
        scanner._is_rest = False
        return scanner

    # --- where the unit ends -------------------------------------------------------------------

    def next_cut(self, text: str, *, is_end: bool) -> int | None:
        """Return where the unit ends, or `None` if that is not decided yet."""
        while True:
            if self._kind is None and (cut := self._begin_line(text, is_end=is_end)) is not None:
                return cut
            if self._kind is None:
                return None
            newline = text.find("\n", self._line)
            end = newline if newline >= 0 else len(text)
            is_open = newline < 0 and not is_end
            if self._is_prose_line and (cut := self._sentence_cut(text, end, is_open)) is not None:
                return cut
            if newline < 0:
                return None
            if (cut := self._end_line(text, newline)) is not None:
                return cut

    @property
    def _is_prose_line(self) -> bool:
        return self._kind is LineKind.PROSE and self.mode is _Mode.PROSE

    def _begin_line(self, text: str, *, is_end: bool) -> int | None:
        """Find out what a line is; return where the unit ends if it does before the line."""
        if self._fence:
            self._kind = LineKind.PROSE
            return None
        if self._is_rest:
            # Only what stands behind the last sentence in its line; it begins nothing.
            visible = _first_visible(text, self._line)
            newline = text.find("\n", self._line)
            if 0 <= newline < visible:
                self._is_rest, self._line = False, newline + 1
                return None if newline + 1 >= len(text) else self._begin_line(text, is_end=is_end)
            if visible < len(text):
                self._is_rest, self._kind = False, LineKind.PROSE
            return None
        if self._line >= len(text):
            return None
        kind = line_kind(
            text,
            self._line,
            is_end=is_end,
            follows_closed=self._is_closed or self._is_blank or not self._content_end,
            in_list=self.mode is _Mode.LIST,
        )
        if kind is None:
            return None
        if self._content_end and self._ends_before(text, kind):
            return self._content_end
        self._enter(text, kind)
        return None

    def _ends_before(self, text: str, kind: LineKind) -> bool:
        """Whether the unit ends before a line of this kind."""
        if self.mode is _Mode.HEADING:
            return False
        if self.mode is _Mode.TABLE:
            return kind is not LineKind.ROW
        if self.mode is _Mode.LIST:
            if kind in (LineKind.BLANK, LineKind.ITEM) or is_indented(text, self._line):
                return False
            goes_on = kind is LineKind.PROSE and text[self._line : self._line + 1].islower()
            return self._is_blank or not goes_on
        if self._is_blank:
            # At the blank line the unit went on, because of a short sentence or an introduction.
            return self._has_stop and kind not in (LineKind.BLANK, LineKind.PROSE)
        if kind is LineKind.PROSE or self._introduces(text):
            return False
        if kind is LineKind.BLANK:
            return not (self._has_stop and self._is_short(text, self._content_end))
        return self._has_stop or kind is LineKind.HEADING

    def _introduces(self, text: str) -> bool:
        """Whether the last line of prose is a title, or introduces what follows it."""
        sentence = text[_first_visible(text, self._scan) : self._content_end]
        if sentence.rstrip("*_ ").endswith((":", "\uff1a")):
            return True
        line = text[text.rfind("\n", 0, self._content_end) + 1 : self._content_end]
        return is_whole_bold(line) or (
            not self._has_stop and len(sentence.split(None, _TITLE_WORDS)) <= _TITLE_WORDS
        )

    def _enter(self, text: str, kind: LineKind) -> None:
        """Note what a line makes of the unit, which goes on with it."""
        self._kind = kind
        if kind is LineKind.BLANK:
            if self.mode is _Mode.PROSE and self._content_end and not self._is_blank:
                if self._introduces(text) or not self._has_stop:
                    self._sentence = self._content_end
                self._scan = self._content_end
            self._is_blank = self._content_end > 0
            return
        if kind is LineKind.FENCE:
            self.code_start = self._line
            self.mode = _Mode.LIST if self.mode is _Mode.LIST else _Mode.CODE
        elif self.mode is not _Mode.LIST:
            if kind is LineKind.PROSE:
                if self.mode is _Mode.HEADING:
                    self._sentence = self._scan = self._line
                self.mode = _Mode.PROSE
            else:
                modes = {LineKind.ITEM: _Mode.LIST, LineKind.ROW: _Mode.TABLE}
                self.mode = modes.get(kind, _Mode.HEADING)

    def _end_line(self, text: str, newline: int) -> int | None:
        """Go to the next line; return where the unit ends if it does with this one."""
        line = text[self._line : newline]
        content = line.rstrip()
        if content:
            self._content_end = self._line + len(content)
            self._is_blank = False
            self._is_closed = is_closed(content)
            self._has_stop = self._is_closed and content.rstrip("*_ ")[-1:] not in ("", ":", ";")
        self._is_rest = False
        start, kind = self._line, self._kind
        self._line, self._kind = newline + 1, None
        if self._fence:
            if closes_fence(line, self._fence):
                self._fence = ""
                self._close_code()
                if self.mode is _Mode.CODE:
                    return self._content_end
        elif kind is LineKind.FENCE:
            self._fence = fence_of(line)
        elif kind is LineKind.ITEM and (fence := fence_of_item(line)):
            self._fence, self.code_start = fence, start
        elif kind is LineKind.PROSE and self.mode is _Mode.PROSE and _CELL_END.search(line):
            self.mode = _Mode.TABLE
        return None

    def _close_code(self) -> None:
        if self.code_start is not None:
            self.code.append((self.code_start, self._content_end))
            self.code_start = None

    # --- sentences -----------------------------------------------------------------------------

    def _sentence_cut(self, text: str, end: int, is_open: bool) -> int | None:  # noqa: FBT001 # private
        """Return where the unit ends within a line of prose that ends, or is known, up to `end`."""
        self._sentence = max(self._sentence, _first_visible(text, self._sentence))
        limit = self._sentence + _SENTENCE_WINDOW
        is_long, may_go_on = end >= limit, is_open
        if is_long:
            end, is_open = limit, True
        for at in sentence_ends(text, self._scan, end, is_open=is_open):
            if not self._may_cut(text, at):
                continue
            if is_short(text, self._sentence, at):
                self._scan = at
                continue
            return self._with_markers(text, at, may_go_on=may_go_on)
        return self._forced_cut(text) if is_long else None

    def _may_cut(self, text: str, at: int) -> bool:
        """Whether a cut would be neither in a row of cells nor within or behind a bold heading."""
        line = text.rfind("\n", 0, at) + 1
        if _CELL_END.search(text, line, at):
            return False
        opening = text[line : line + 40].lstrip(" \t>")[:2]
        if opening not in ("**", "__"):
            return True
        is_heading = text.startswith("\n", at) and is_whole_bold(text[line:at])
        return not is_heading and text.count(opening, line, at) % 2 == 0

    def _with_markers(self, text: str, at: int, *, may_go_on: bool) -> int | None:
        """Return the end of a sentence behind the citation markers that follow it."""
        end = last = at
        while match := _MARKER.match(text, end):
            last, end = end, match.end()
        if may_go_on and _OPEN_MARKER.match(text, end):
            return None
        # What stands directly before other signs is a link or the like.
        is_marker = end == len(text) or text[end].isspace()
        return end if is_marker else last

    def _is_short(self, text: str, end: int) -> bool:
        return is_short(text, _first_visible(text, self._sentence), end)

    def _forced_cut(self, text: str) -> int:
        """Return where a sentence is cut that is too long: at its first line, or like any other."""
        newline = text.find("\n", self._sentence, self._sentence + LONGEST)
        while newline >= 0:
            content = text[self._sentence : newline].rstrip()
            if content:
                return self._sentence + len(content)
            newline = text.find("\n", newline + 1, self._sentence + LONGEST)
        return cut_position(text, self._sentence)

    # --- limits --------------------------------------------------------------------------------

    def forced_cut(self, text: str) -> int:
        """Return where a unit is cut that fills the window: between lines, if it has several."""
        newline = text.rfind("\n", 1, _MAX_BLOCK)
        head = text[:newline].rstrip() if newline > 0 else ""
        return len(head) or cut_position(text, _MAX_BLOCK - LONGEST)

    def following(self, text: str, cut: int, *, is_forced: bool) -> "Scanner":
        """Return the scanner of what follows a cut."""
        if not is_forced or self.mode in (_Mode.PROSE, _Mode.HEADING):
            return Scanner(_Mode.PROSE, is_closed=is_closed(text[:cut]))
        return Scanner(self.mode, is_closed=True, fence=self._fence)


def _first_visible(text: str, start: int) -> int:
    """Return where the first visible character is; the end of the text if there is none."""
    match = _VISIBLE.search(text, start)
    return match.start() if match else len(text)


_VISIBLE: Final = re.compile(r"\S")
