"""Quotes with an ellipsis: their parts, and where these stand in order."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from groundtypes.quotes.finder import Found

__all__ = ["chains", "parts"]

_ELLIPSIS: Final = re.compile(
    r"\[\s?(?:\.{3,}|\u2026|\. \. \.)\s?\]|\(\s?(?:\.{3,}|\u2026|\. \. \.)\s?\)"
    r"|\.{3,}|[\u2026\u22ef]+|\. \. \."
)

_SIGNS: Final = ("...", "\u2026", "\u22ef", ". . .")


def parts(quote: str) -> list[str]:
    """Return the stretches of a quote between its ellipses; none where it has no ellipsis."""
    if not any(sign in quote for sign in _SIGNS):
        return []
    return [part.strip() for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]


def chains(places: Sequence[Sequence[Found]]) -> Iterator[list[Found]]:
    """Yield, for each place of the first part, the closest places of the others behind it.

    The places of each part are in one text, in order.
    """
    starts = [[found.start for found in items] for items in places]
    for first in places[0]:
        chain = [first]
        for items, begins in zip(places[1:], starts[1:], strict=True):
            at = bisect_left(begins, chain[-1].end)
            if at == len(items):
                return
            chain.append(items[at])
        yield chain
