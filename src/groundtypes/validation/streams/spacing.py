"""The white space between the parts that are passed on, some of which were left out or marked."""

from typing import Final

from groundtypes.text.layout import BlockKind, item_marker
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validation.streams.markup import OMITTED, Place, escaped_start

_QUOTE: Final = "quote"


class Spacing:
    """Keeps blocks apart that were apart.

    Attributes:
        has_passed: Whether anything has been passed on.
        ends_with_notice: Whether a mark or note is the last that was passed on.
    """

    def __init__(self) -> None:
        self.has_passed = False
        self.ends_with_notice = False
        #: White space before the next part.
        self._gap = ""
        #: Whether the part before the white space was left out.
        self._after_drop = False
        #: White space since the last part, if that was left out; else `None`.
        self._tail: str | None = None
        #: What the last part is that was passed on, how its line begins, and whether it introduces
        #: what follows.
        self._kind: object = BlockKind.PROSE
        self._lead = ""
        self._introduces = False
        #: Whether something was left out since, and which blocks at the margin.
        self._has_dropped = False
        self._dropped: set[object] = set()

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
            self._gap = self._gap[: self._gap.rindex("\n") + 1] + _last_line(gap)

    def take_rest(self) -> str:
        """Return the white space at the end of the stream, the first time."""
        gap = self._gap if self._tail is None else self._tail
        self._gap = self._tail = ""
        return gap

    def leave_out(self, part: Part, place: Place) -> None:
        """Note that nothing is passed on for a part."""
        self._after_drop = True
        self._tail = ""
        self._has_dropped = self._has_dropped or bool(part.text)
        if place.begins_line and (not place.lead or ">" in place.lead):
            self._dropped.add(_kind(part, place))

    def before(self, passed: str, part: Part, place: Place, *, has_notice: bool) -> tuple[str, str]:
        """Return what is passed on for a part, behind what is put before it."""
        gap, kind = self._gap, _kind(part, place)
        starts_line = "\n" in gap or not self.has_passed
        if self.has_passed and "\n" in gap:
            is_after_code = self.ends_with_notice and self._kind is None
            marker = item_marker(passed)
            # Within an item, a list that does not begin with 1 would go on with the text.
            is_inner = len(place.lead) > len(self._lead)
            goes_on = is_inner and marker and marker["number"] not in (None, "1")
            is_apart = kind != self._kind or goes_on or not any(map(str.isalnum, passed))
            if self._would_join(kind):
                gap = f"\n\n{OMITTED}\n\n{_last_line(gap)}"
            elif (is_after_code or (self._has_dropped and is_apart)) and gap.count("\n") == 1:
                gap = f"\n{gap}"
        if self._has_dropped and starts_line and not place.begins_line:
            # The beginning of its line was left out, and with it the signs of a quotation.
            signs = f"{place.lead.strip()} " if ">" in place.lead else ""
            passed = signs + escaped_start(passed)
        elif self.ends_with_notice and not gap and not passed[0].isspace():
            gap = " "  # so that a mark and what follows are no link
        self._gap, self._tail, self._after_drop = "", None, False
        self._has_dropped, self._dropped = False, set()
        self.has_passed, self.ends_with_notice = True, has_notice
        self._kind, self._lead = kind, place.lead
        self._introduces = part.text.rstrip("*_ \t\r\n").endswith((":", "\uff1a"))
        return gap, passed

    def _would_join(self, kind: object) -> bool:
        """Whether a block would become one with another list, or get another introduction."""
        if not self._dropped - {kind}:
            return False
        follows_list = kind is BlockKind.ITEM and self._kind is BlockKind.ITEM
        return follows_list or (
            self._introduces and kind in (BlockKind.ITEM, BlockKind.ROW, None, _QUOTE)
        )


def _kind(part: Part, place: Place) -> object:
    return _QUOTE if ">" in place.lead else part.kind


def _last_line(gap: str) -> str:
    return gap[gap.rfind("\n") + 1 :]
