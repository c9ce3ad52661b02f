"""Elements of HTML that hold nothing but markers: "<sup>[2]</sup>"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundtypes.citations.markers.marker import Marker

__all__ = ["within_elements"]

_OPENING: Final = re.compile(
    r"<(?P<name>sup|sub|small|span|a|b|i|strong|em|font|mark)\b[^<>]{0,300}>\s{0,3}\Z",
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(r"\s{0,3}</(?P<name>[a-z]{1,6})\s{0,3}>", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,;&]{0,5}")
#: The longest tag before a marker, and how many elements may be around one.
_REACH: Final = 320
_DEEPEST: Final = 4


def within_elements(text: str, markers: Sequence[Marker]) -> Iterator[Marker]:
    """Yield the markers, those that an element holds alone with its tags.

    Of several markers in one element, the first one has the tag before them and the last one the
    tag behind them.
    """
    for group in _groups(text, markers):
        start, end = _widened(text, group[0].start, group[-1].end)
        if group[0].content is not None or (start, end) == (group[0].start, group[-1].end):
            yield from group
            continue
        for number, marker in enumerate(group):
            yield replace(
                marker,
                start=start if number == 0 else marker.start,
                end=end if number == len(group) - 1 else marker.end,
            )


def _groups(text: str, markers: Sequence[Marker]) -> Iterator[list[Marker]]:
    group: list[Marker] = []
    for marker in markers:
        if group and (
            marker.content is not None
            or group[-1].content is not None
            or not _BETWEEN.fullmatch(text, group[-1].end, marker.start)
        ):
            yield group
            group = []
        group.append(marker)
    if group:
        yield group


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a place with the elements directly around it."""
    for _ in range(_DEEPEST):
        if text[end : end + 4].lstrip()[:2] != "</":
            break
        closing = _CLOSING.match(text, end)
        tag = text.rfind("<", max(0, start - _REACH), start)
        opening = _OPENING.match(text, tag, start) if tag >= 0 else None
        if not (closing and opening and closing["name"].lower() == opening["name"].lower()):
            break
        start, end = opening.start(), closing.end()
    return start, end
