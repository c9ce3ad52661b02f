"""What is left out with a part that is left out, because it hangs on it.

A nested item hangs on its item, a row on its header, a list on the line that introduces it: what is
deeper than the part, up to the next part that is not.
"""

from typing import Final, TypeAlias

from groundtypes.text.layout import BlockKind, item_marker
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import FOOTNOTE, Place, begins_code, cells_of, is_row

#: How deep a part is: the column of its line, odd for items, rows and code, and the level in it.
_Depth: TypeAlias = tuple[int, int]
_COLONS: Final = (":", "\uff1a")


class Omissions:
    """Knows which parts are left out on account of others."""

    def __init__(self) -> None:
        #: The last part that was left out and that others may hang on: where it begins, its depth.
        self._cause: tuple[int, _Depth] | None = None
        self._column = 0

    def cause_of(self, part: Part, place: Place, *, fails: bool) -> int | None:
        """Return where the failing part begins that the next part hangs on, or `None`."""
        is_block = part.kind in (BlockKind.ITEM, None) or is_row(part) or _has_marker(part)
        if place.begins_line:
            self._column = 2 * len(place.lead.expandtabs(4)) + int(is_block)
        depth = self._column, _level(part, place)
        if part.kind is BlockKind.HEADING:
            depth = 0, 0
        if self._cause is not None and depth > self._cause[1]:
            return self._cause[0]
        self._cause = None
        introduces = part.text.rstrip("*_> \t\r\n").endswith(_COLONS)
        has_others = introduces or (is_block and place.begins_line)
        if fails and has_others and part.kind is not BlockKind.HEADING:
            self._cause = part.start, depth
        return None


def _has_marker(part: Part) -> bool:
    """Whether a part begins like a list item or footnote, whatever its block is."""
    return item_marker(part.text) is not None or FOOTNOTE.match(part.text) is not None


def _level(part: Part, place: Place) -> int:
    """Return how deep a part is within its item, footnote, table or block of code."""
    if part.kind is None:
        return 0 if begins_code(part) else 1
    if not is_row(part):
        return 0 if place.begins_line else 1
    first, *others = part.text.split("\n")
    cells = cells_of(first)
    if others or part.kind is not BlockKind.ROW:  # a header with the line below it, or alone
        return 0
    if not cells[0]:
        return 3  # it goes on with the row above
    return 1 if len(cells) > 1 and not any(cells[1:]) else 2  # a row above others, or one of them
