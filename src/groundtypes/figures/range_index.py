"""The ranges of some texts: whether both ends of a range belong together there.

The ends of two ranges make no third one: "5-10 mg; other 2-20 mg" does not say "2-10 mg". A text
may state a range with more words: "from 5 mg in adults to 10 mg in children".
"""

import re
from collections.abc import Hashable, Iterable
from typing import Final, Generic, TypeVar

from groundtypes.figures.figure import Figure

__all__ = ["RangeIndex", "RangeWords"]

#: The words before the ends of a range that other words separate.
_FIRST: Final = re.compile(r"\b(?:(?P<between>between)|from)\s\Z", re.IGNORECASE)
_SECOND: Final = re.compile(r"\b(?:(?P<between>and)|to|until|till|through|thru)\s\Z", re.IGNORECASE)
_MENTION: Final = re.compile(r"\b(?:from|between)\s", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.;!?]\s|\n")
#: The most characters between the ends, and of the words before one.
_LONGEST_GAP: Final = 80
_LONGEST_WORD: Final = 9

Form = tuple[str, Hashable]
Location = TypeVar("Location")


class RangeIndex(Generic[Location]):
    """The pairs of forms and values that are the ends of one range, with its first location."""

    def __init__(self) -> None:
        """Begin with no range."""
        self._pairs: dict[tuple[Form, Form], Location] = {}

    def add(self, low: Iterable[Form], high: Iterable[Form], location: Location) -> None:
        """Add a range by the forms and values of its ends."""
        ends = list(high)
        for first in low:
            for last in ends:
                self._pairs.setdefault((first, last), location)

    def find(self, low: Iterable[Form], high: Iterable[Form]) -> Location | None:
        """Return where a range has both ends, or `None`."""
        if not self._pairs:
            return None
        ends = list(high)
        return next(
            (
                location
                for first in low
                for last in ends
                if (location := self._pairs.get((first, last))) is not None
            ),
            None,
        )


class RangeWords:
    """The ranges that one text states in more words, as its figures are read in their order."""

    def __init__(self, text: str) -> None:
        """Look whether the text has any of the words."""
        self._text = text
        self._is_possible = _MENTION.search(text) is not None
        self._opened: tuple[Figure, int, bool] | None = None

    def first_end(self, figure: Figure, start: int, end: int) -> Figure | None:
        """Return the first end of the range whose second end is a figure, or `None`."""
        if not self._is_possible or figure.kind == "range":
            return None
        before = self._text[max(0, start - _LONGEST_WORD) : start]
        first_end: Figure | None = None
        if self._opened is not None and (match := _SECOND.search(before)):
            first, first_stop, is_between = self._opened
            gap = self._text[first_stop:start]
            if (
                bool(match["between"]) == is_between
                and len(gap) <= _LONGEST_GAP
                and not _SENTENCE_END.search(gap)
            ):
                first_end, self._opened = first, None
        if match := _FIRST.search(before):
            self._opened = (figure, end, bool(match["between"]))
        return first_end
