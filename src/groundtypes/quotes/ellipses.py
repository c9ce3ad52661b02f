"""Quotes with an ellipsis: their parts, where these occur in order, and what is left out."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from groundtypes.quotes.gaps import Gap
from groundtypes.quotes.matches import EllipsisRule, MatchKind, Occurrence

_ELLIPSIS: Final = re.compile(
    r"\[\s?(?:\.{3,}|\u2026|\. \. \.)\s?\]|\(\s?(?:\.{3,}|\u2026|\. \. \.)\s?\)"
    r"|\.{3,}|[\u2026\u22ef]+|\. \. \."
)
#: A full stop that closes a part: "in 1889. ..." or "in 1889....".
_CLOSED: Final = re.compile(r"[.!?\u3002\uff01\uff1f\u0964][\"'\u201d\u2019\u00bb)\]]{0,2}\s*\Z")
#: The most gaps of one quote that are judged, and the most characters that they may hide together.
_MOST_JUDGED: Final = 300
_MOST_HIDDEN: Final = 300_000


def split_at_ellipses(quote: str) -> list[tuple[str, bool]]:
    """Return the parts of a quote between its ellipses; none where it has no ellipsis.

    With each part comes whether a full stop closes it before the ellipsis.
    """
    parts = []
    start = 0
    ends = [match.span() for match in _ELLIPSIS.finditer(quote)]
    for end, following in (*ends, (len(quote), len(quote))):
        part = quote[start:end]
        has_fourth_dot = quote.startswith("....", end)
        if any(map(str.isalnum, part)):
            parts.append((part.strip(), has_fourth_dot or bool(_CLOSED.search(part))))
        start = following
    return parts


class Joiner:
    """The joining of the parts of one quote in one text at a time; its work is bounded.

    Attributes:
        fault: The first gap that was refused: the occurrence from the part before it to the part
            behind it, where the gap begins, and the hidden words for which it is refused.
    """

    def __init__(self, closed: Sequence[bool], rule: EllipsisRule) -> None:
        self._closed = closed
        self._rule = rule
        self._judged = 0
        self._hidden = 0
        self.fault: tuple[Occurrence, int, str] | None = None

    def join(self, text: str, occurrences: Sequence[Sequence[Occurrence]]) -> Occurrence | None:
        """Return a short stretch in which all parts occur in order and no gap hides too much.

        `occurrences` are those of each part, all in `text` and in the order of their starts. Each
        of the first part is followed by the nearest ones of the other parts that may follow it.
        """
        starts = [[occurrence.start for occurrence in of_part] for of_part in occurrences]
        nearest = [
            (chain[-1].end - first.start, first)
            for first in occurrences[0]
            if (chain := self._nearest(first, occurrences, starts))
        ]
        for _, first in sorted(nearest):
            if chain := self._allowed(text, first, occurrences, starts):
                return _joined(chain)
        return None

    @staticmethod
    def _nearest(
        first: Occurrence,
        occurrences: Sequence[Sequence[Occurrence]],
        starts: Sequence[Sequence[int]],
    ) -> list[Occurrence] | None:
        chain = [first]
        for of_part, part_starts in zip(occurrences[1:], starts[1:], strict=True):
            at = bisect_left(part_starts, chain[-1].end)
            if at == len(of_part):
                return None
            chain.append(of_part[at])
        return chain

    def _allowed(
        self,
        text: str,
        first: Occurrence,
        occurrences: Sequence[Sequence[Occurrence]],
        starts: Sequence[Sequence[int]],
    ) -> list[Occurrence] | None:
        chain = [first]
        for number, of_part in enumerate(occurrences[1:]):
            at = bisect_left(starts[number + 1], chain[-1].end)
            following = next(
                (
                    occurrence
                    for occurrence in of_part[at:]
                    if self._is_allowed(text, chain[-1], occurrence, closed=self._closed[number])
                ),
                None,
            )
            if following is None:
                return None
            chain.append(following)
        return chain

    def _is_allowed(
        self, text: str, before: Occurrence, after: Occurrence, *, closed: bool
    ) -> bool:
        hidden = after.start - before.end
        if self._judged >= _MOST_JUDGED or self._hidden + hidden > _MOST_HIDDEN:
            return False
        self._judged += 1
        self._hidden += hidden
        fault = Gap(text, before.end, after.start, closed).fault(self._rule)
        if fault is not None and self.fault is None:
            self.fault = _joined([before, after]), before.end, fault
        return fault is None


def _joined(chain: Sequence[Occurrence]) -> Occurrence:
    """Return the occurrence from the first part of a chain to the last."""
    is_fuzzy = any(occurrence.how is MatchKind.FUZZY for occurrence in chain)
    how = MatchKind.FUZZY if is_fuzzy else MatchKind.NORMALISED
    return chain[0]._replace(end=chain[-1].end, how=how)
