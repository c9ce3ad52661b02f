"""The quick way to compare a quote with a place: only what differs is read token by token.

Both texts are brought to one shape that keeps every character at its place. From a word that both
have, what is the same is skipped in both directions; what is left between is small, mostly.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import Postfix, Prefix

from groundtypes.quotes.align import Edit, edits_between, same
from groundtypes.quotes.tokens import scan

__all__ = ["Crossing", "Shaped", "cross", "shape_of"]

_SPACES: Final = (
    "\t\n\r\x0b\x0c\x85\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f"
    "\u205f\u3000"
)
_PLAIN: Final = (
    dict.fromkeys(_SPACES, " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
)
_FANCY: Final = re.compile(f"[{''.join(_PLAIN)}]")
#: What may stand around a quote and is no part of it.
_AROUND: Final = " \"'*_`\u2026"
_AFTER: Final = _AROUND + ".,;:"
#: How many words are tried as the piers of the bridge, from each end.
_PIERS: Final = 3
#: So many characters are a pier themselves, if they stand this close to where they should.
_HEAD: Final = 12
_REACH: Final = 8


def shape_of(text: str) -> str:
    """Return the text with plain spaces, dashes, quotation marks and small letters."""
    # Such characters are few, so that looking for them is much faster than `str.translate`.
    plain = _FANCY.sub(lambda fancy: _PLAIN[fancy[0]], text)
    small = plain.lower()
    # A few letters get longer when they are made small; then case stays.
    return small if len(small) == len(plain) else plain


class Shaped(NamedTuple):
    """A quote in one shape, and the range of it that must be found."""

    text: str
    first: int
    last: int

    @classmethod
    def of(cls, quote: str) -> "Shaped":
        """Return the shape of a quote, without what may stand around it."""
        text = shape_of(quote)
        last = len(text.rstrip(_AFTER))
        return cls(text, min(len(text) - len(text.lstrip(_AROUND)), last), last)


class Crossing(NamedTuple):
    """A stretch of a text that the quote stands for, and how the two differ.

    `edits` are `None` where they differ in typography alone.
    """

    start: int
    end: int
    edits: Sequence[Edit] | None


def cross(
    quote: str, shaped: Shaped, text: str, pairs: Sequence[tuple[int, int]]
) -> Crossing | None:
    """Return what stands in the text where words of the quote stand, or `None` if unsure.

    `pairs` are positions of words in the text with their offsets in the quote, first those on
    which most words agree.
    """
    ordered = sorted(pairs, key=lambda pair: pair[1])
    whole, first, last = shaped
    slack = 40 + (last - first) // 4
    low = max(0, ordered[0][0] - ordered[0][1] - slack)
    shape = shape_of(text[low : ordered[-1][0] + len(whole) - ordered[-1][1] + slack])
    local = [(place - low, offset) for place, offset in ordered]

    begin = _begin(whole, first, shape, local, pairs[0][0] - low - pairs[0][1] + first)
    if begin is None:
        return None
    near = first + Prefix.similarity(whole[first:last], shape[begin:])
    if near == last:
        return _crossing(shaped, shape, low, begin, begin + last - first, None)
    end = _end(whole, last, shape, local, begin + last - first)
    if end is None or end <= begin:
        return None
    far = last - Postfix.similarity(whole[first:last], shape[begin:end])
    near, far = _apart(whole, near, far, begin - first, end - last)
    text_near, text_far = begin + near - first, end - (last - far)
    if text_far - text_near > 4 * (far - near) + 400:
        return None
    ours = scan(quote, near, far)
    theirs = scan(text, low + text_near, low + text_far)
    edits = None if same(ours, theirs) else edits_between(ours, theirs)
    return _crossing(shaped, shape, low, begin, end, edits)


def _begin(
    whole: str, first: int, shape: str, pairs: Sequence[tuple[int, int]], likely: int
) -> int | None:
    """Return where the quote begins, joined to a word by the same characters; near `likely`."""
    begins = [
        place - (offset - first)
        for place, offset in pairs[:_PIERS]
        if place >= offset - first
        and shape.startswith(whole[first:offset], place - (offset - first))
    ]
    # What differs may stand before all these words: the beginning itself is a pier.
    low = max(0, likely - _REACH)
    found = shape.find(whole[first : first + _HEAD], low, likely + _HEAD + _REACH)
    if found >= 0:
        begins.append(found)
    return min(begins, key=lambda begin: abs(begin - likely), default=None)


def _end(
    whole: str, last: int, shape: str, pairs: Sequence[tuple[int, int]], likely: int
) -> int | None:
    """Return where the quote ends, joined to a word by the same characters; near `likely`."""
    ends = [
        place + last - offset
        for place, offset in pairs[: -_PIERS - 1 : -1]
        if offset < last and shape.startswith(whole[offset:last], place)
    ]
    tail = whole[max(0, last - _HEAD) : last]
    low = max(0, likely - _HEAD - 2 * _REACH)
    found = shape.rfind(tail, low, likely + 2 * _REACH)
    if found >= 0:
        ends.append(found + len(tail))
    return min(ends, key=lambda end: abs(end - likely), default=None)


def _apart(whole: str, near: int, far: int, before: int, after: int) -> tuple[int, int]:
    """Return the range of the quote that is read, with a word or two on both sides.

    `before` and `after` are how far the text is shifted against the quote on either side.
    """
    overlap = max(near - far, (near + before) - (far + after), 0)
    far += overlap
    for _ in range(2):
        near = max(whole.rfind(" ", 0, near), 0)
        space = whole.find(" ", far + 1)
        far = len(whole.rstrip(_AFTER)) if space < 0 else min(space, len(whole.rstrip(_AFTER)))
    return near, far


def _crossing(
    shaped: Shaped, shape: str, low: int, begin: int, end: int, edits: Sequence[Edit] | None
) -> Crossing:
    """Take in what stands around the quote and around the passage, too."""
    whole, first, last = shaped
    end += Prefix.similarity(whole[last:].rstrip(), shape[end:])
    begin -= Postfix.similarity(whole[:first].lstrip(), shape[:begin])
    return Crossing(low + begin, low + end, edits)
