"""Word by word: what a claim says that a passage does not, and the other way round."""

import re
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import LCSseq

__all__ = ["Pieces", "difference"]

#: A text in stretches, each with whether it differs from the other text.
Pieces = list[tuple[str, bool]]

#: A word or number with what joins its parts, or a single mark, each with the space behind it.
_TOKEN: Final = re.compile(r"(?:\w+(?:[.,'’\-]\w+)*|[^\w\s])\s*")
#: Words of each side that are compared; the rest of a longer text counts as different.
_COMPARED: Final = 600


def difference(claimed: str, passage: str) -> tuple[Pieces, Pieces]:
    """Return both texts in stretches, marked where a word of one has no match in the other.

    Words match in their order, whatever their case.
    """
    ours, theirs = _tokens(claimed), _tokens(passage)
    same_ours, same_theirs = set[int](), set[int]()
    for block in LCSseq.opcodes(_keys(ours), _keys(theirs)):
        if block.tag == "equal":
            same_ours.update(range(block.src_start, block.src_end))
            same_theirs.update(range(block.dest_start, block.dest_end))
    return _pieces(ours, same_ours), _pieces(theirs, same_theirs)


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if len(found) == _COMPARED:
            break
        found.append(text[at : match.end()])  # with what precedes the first word
        at = match.end()
    if at < len(text):
        found.append(text[at:])
    return found


def _keys(tokens: Sequence[str]) -> list[str]:
    return [token.strip().casefold() for token in tokens]


def _pieces(tokens: Sequence[str], same: set[int]) -> Pieces:
    pieces: Pieces = []
    for number, token in enumerate(tokens):
        changed = number not in same
        if pieces and pieces[-1][1] is changed:
            pieces[-1] = (pieces[-1][0] + token, changed)
        else:
            pieces.append((token, changed))
    return pieces
