"""`Marker` and `MarkedText`: a text with its citation markers, and the same text without them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Final, TypeAlias

from groundtypes.citations.markers.labels import LABEL_BEFORE
from groundtypes.text.characters import is_spaceless

_Part: TypeAlias = tuple[int, int]

#: What may be between two markers of one group: "[1], [2]"; at its end also "[1] and [2]."
_BETWEEN: Final = re.compile(
    r"\]?[ \t\u00a0\u200b-\u200f\u2060\ufeff]{0,4}"
    r"(?:(?:[,;&\u060c\u3001\uff0c\uff1b\u2013-]|(?:and|und|et|y) )[ \t]{0,4})?\[?"
)
#: Brackets, tags and words around a group of markers that have no meaning without it: "(see [1])".
_BEFORE: Final = re.compile(
    r"(?P<opening>[(\uff08\[]|<(?:sup|sub|small)>)\s{0,3}(?:(?:see|see also|cf\.?|source|sources|"
    r"ref\.?|refs\.?|references?|e\.g\.,?|siehe|vgl\.|quelle|quellen|voir|fuente)\s{0,3}:?"
    r"\s{0,3})?\Z",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"\s{0,3}(?P<closing>[)\uff09\]]|</(?:sup|sub|small)>)", re.IGNORECASE)
_CLOSING_OF: Final = {"(": ")", "\uff08": "\uff09", "[": "]", "<": "<"}
_REACH: Final = 40
_DEEPEST: Final = 4
_EMPHASIS: Final = ("**", "__", "*", "_")
_SPACE: Final = " \t\u00a0\u2009\u202f"
_INVISIBLE_EDGE: Final = "\u200b\u200c\u200d\u2060\ufeff"
#: How many characters of white space before and after a group are looked at.
_SPACE_REACH: Final = 200
#: Marks before which no space stays where a marker was.
_CLOSING: Final = frozenset(
    ".,;:!?)]}\u2026\u3002\uff01\uff1f\uff0c\uff1b\uff1a\u060c\u061b\u061f\u06d4\u0964\u00bb\u201d"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """A place in a text that names sources: half open, in code points of the text as written.

    Attributes:
        start: Where it starts.
        end: Where it ends.
        labels: What it names, as written, each once: "[1-3]" has the labels `1`, `2` and `3`.
        style: The name of its style, or `"own"` for a pattern of one's own.
        content: Of an element such as `<cite id="guide">It is tall.</cite>`, where the words start
            and end that it encloses; else `None`.
    """

    start: int
    end: int
    labels: tuple[str, ...]
    style: str
    content: tuple[int, int] | None = None

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The parts of the text that are only the marker: all of it, or two tags."""
        if self.content is None:
            return ((self.start, self.end),)
        return (self.start, self.content[0]), (self.content[1], self.end)


@dataclass(frozen=True)
class MarkedText:
    """A text with its citation markers.

    Attributes:
        text: The text as written.
        markers: Its markers, ordered by where they start. Elements may enclose others.
        ids: The id of the reference that each label means, or `None` where there is no such
            reference.
        source_list: Where the list of sources at the end of the text starts and ends, or `None`.
            What is in it is neither a marker nor a part of `plain`.
        style: The style that most markers have, `"own"` for a pattern of one's own; `None` if no
            marker has a label.
        statements: Where the list of sources states something instead of naming a source, each with
            the id of the reference that its item names, or `None`.
    """

    text: str
    markers: tuple[Marker, ...] = ()
    ids: Mapping[str, str | None] = field(default_factory=dict, hash=False)
    source_list: tuple[int, int] | None = None
    style: str | None = None
    statements: tuple[tuple[int, int, str | None], ...] = ()

    @property
    def plain(self) -> str:
        """The text without markers, the space that they would leave, and the list of sources."""
        return self._view[0]

    def position_in_text(self, position: int) -> int:
        """Return where a position of `plain` is in the text.

        The end of a part is that of its last character: for a part from `start` to `end`, it is
        `position_in_text(end - 1) + 1`.

        Raises:
            IndexError: The position is negative, or after the end of `plain`.
        """
        plain, pieces = self._view
        if not 0 <= position <= len(plain):
            raise IndexError(f"The plain text has no position {position}.")
        low, start = pieces[bisect_right(pieces, position, key=itemgetter(0)) - 1]
        return start + position - low

    def position_in_plain(self, position: int) -> int:
        """Return how much of `plain` is before a position of the text."""
        plain, pieces = self._view
        number = bisect_right(pieces, position, key=itemgetter(1)) - 1
        if number < 0:
            return 0
        low, start = pieces[number]
        high = pieces[number + 1][0] if number + 1 < len(pieces) else len(plain)
        return min(low + position - start, high)

    def references_of(self, marker: Marker) -> tuple[str, ...]:
        """Return the ids of the references that a marker names, each once."""
        known = (self.ids.get(label) for label in marker.labels)
        return tuple(dict.fromkeys(id_ for id_ in known if id_ is not None))

    @cached_property
    def _view(self) -> tuple[str, list[tuple[int, int]]]:
        """The plain text, and where its pieces are: positions in it, and in the text."""
        words: list[str] = []
        pieces: list[tuple[int, int]] = []
        length = position = 0
        for (start, end), gap in _removals(self.text, self._groups(), self.source_list):
            for piece, at in ((self.text[position:start], position), (gap, start)):
                if piece:
                    pieces.append((length, at))
                    words.append(piece)
                    length += len(piece)
            position = end
        pieces.append((length, position))
        words.append(self.text[position:])
        return "".join(words), pieces

    def _groups(self) -> Iterator[tuple[_Part, bool]]:
        """Yield the tags of elements (`True`), and groups of other markers (`False`)."""
        parts = sorted(
            (part, marker.content is not None)
            for marker in self.markers
            for part in marker.parts
            if part[0] < part[1]  # a citation of a provider may have no mark in the text
        )
        group: _Part | None = None
        for part, is_tag in parts:
            start, end = part
            if group is not None and (
                start < group[1] or (not is_tag and _BETWEEN.fullmatch(self.text, group[1], start))
            ):
                group = group[0], max(group[1], end)
                continue
            if group is not None:
                yield group, False
            group = None if is_tag else (start, end)
            if is_tag:
                yield (start, end), True
        if group is not None:
            yield group, False


def _removals(
    text: str, groups: Iterator[tuple[_Part, bool]], source_list: _Part | None
) -> Iterator[tuple[_Part, str]]:
    """Yield the parts to remove, in order and apart, and the space that takes their place."""
    last = 0
    for group, is_tag in groups:
        whole = group if is_tag else _with_wrapping(text, *group)
        start, end, gap = _with_space(text, *whole)
        if last < end:
            yield (max(start, last), end), gap
            last = end
    if source_list is not None:
        start = max(last, source_list[0])
        while start > last and text[start - 1].isspace():
            start -= 1
        if start < source_list[1]:
            yield (start, source_list[1]), ""


def _with_wrapping(text: str, start: int, end: int) -> _Part:
    """Return a group with the brackets, tags and emphasis around it that hold nothing else."""
    for _ in range(_DEEPEST):
        before = _BEFORE.search(text[max(0, start - _REACH) : start])
        after = _AFTER.match(text, end) if before else None
        if not (before and after) or _CLOSING_OF[before["opening"][0]] != after["closing"][0]:
            break
        start, end = start - len(before[0]), after.end()
    label = LABEL_BEFORE.search(text[max(0, start - _REACH) : start])
    if label and (label.start() > 0 or start <= _REACH):
        return start - len(label[0]), end
    for mark in _EMPHASIS:
        is_wrapped = text.startswith(mark, end) and text.endswith(mark, 0, start)
        if is_wrapped and (start == len(mark) or text[start - len(mark) - 1].isspace()):
            return start - len(mark), end + len(mark)
    return start, end


def _with_space(text: str, start: int, end: int) -> tuple[int, int, str]:
    """Return a group with the space that it would leave, and what separates its neighbours."""
    low, high = start, end
    floor, ceiling = max(0, start - _SPACE_REACH), min(len(text), end + _SPACE_REACH)
    while low > floor and text[low - 1] in _SPACE:
        low -= 1
    while high < ceiling and text[high] in _INVISIBLE_EDGE:
        high += 1
    end = high
    while high < ceiling and text[high] in _SPACE:
        high += 1
    at_line_start = low == 0 or text[low - 1] in "\r\n"
    at_line_end = high == len(text) or text[high] in "\r\n"
    if at_line_start and at_line_end:
        # The line break before the group is removed, too: a blank line would end a paragraph.
        if low > 0:
            low -= 2 if text[low - 2 : low] == "\r\n" else 1
        return low, high, ""
    if at_line_start and (low == 0 or text[high] not in _CLOSING):
        return start, high, ""
    if at_line_start:
        return low - 1, high, ""
    if at_line_end or text[high] in _CLOSING:
        return low, high, ""
    if high > end:
        return low, end, ""
    if low < start:
        return start, end, ""
    is_joined = text[high].isalnum() and not is_spaceless(text[high])
    return start, end, " " if is_joined and not is_spaceless(text[low - 1]) else ""
