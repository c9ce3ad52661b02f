"""Offsets in a text that count code points, bytes of UTF-8 or code units of UTF-16."""

from array import array
from bisect import bisect_left
from enum import Enum
from functools import cached_property


class Unit(Enum):
    """What offsets count."""

    CODE_POINTS = "code points"
    BYTES = "bytes"
    UTF16 = "UTF-16 code units"


class Offsets:
    """The offsets of a text in every unit."""

    def __init__(self, text: str) -> None:
        """Take the text; its tables are computed when they are needed."""
        self._text = text

    @cached_property
    def _bytes(self) -> "array[int]":
        return _starts(self._text, (1, 0x80, 0x800, 0x10000))

    @cached_property
    def _utf16(self) -> "array[int]":
        return _starts(self._text, (1, 0x10000))

    def in_code_points(self, start: int, end: int, unit: Unit) -> tuple[int, int] | None:
        """Return offsets in the text as code points; `None` where they fit no character."""
        if not 0 <= start <= end:
            return None
        if unit is Unit.CODE_POINTS or self._text.isascii():
            return (start, end) if end <= len(self._text) else None
        starts = self._bytes if unit is Unit.BYTES else self._utf16
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        fits = high < len(starts) and starts[low] == start and starts[high] == end
        return (low, high) if fits else None


def _starts(text: str, limits: tuple[int, ...]) -> "array[int]":
    """Return where each character starts; a character takes a unit for each limit it reaches."""
    starts = array("Q", [0])
    at = 0
    for character in text:
        point = ord(character)
        at += 1 + sum(point >= limit for limit in limits[1:])
        starts.append(at)
    return starts
