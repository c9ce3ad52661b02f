"""The differences of two texts, word by word.

Both texts come back in pieces, and each piece says whether the other text lacks its words.
"""

import re
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import LCSseq

#: A text in pieces, each with whether it differs from the other text.
DiffPieces = list[tuple[str, bool]]

#: A word or number with the marks that join its parts, or a single mark, and the space after it.
_TOKEN: Final = re.compile(r"(?:\w+(?:[.,'’\-]\w+)*|[^\w\s])\s*")
#: The number of words of each text that are compared; the rest counts as different.
_MAX_WORDS: Final = 600


def word_diff(first: str, second: str) -> tuple[DiffPieces, DiffPieces]:
    """Return both texts in pieces, marked where a word of one has no match in the other.

    Words match in their order, whatever their case: the longest common subsequence is equal.
    """
    first_tokens, second_tokens = _tokens(first), _tokens(second)
    same_in_first, same_in_second = set[int](), set[int]()
    for block in LCSseq.opcodes(_keys(first_tokens), _keys(second_tokens)):
        if block.tag == "equal":
            same_in_first.update(range(block.src_start, block.src_end))
            same_in_second.update(range(block.dest_start, block.dest_end))
    return _pieces(first_tokens, same_in_first), _pieces(second_tokens, same_in_second)


def _tokens(text: str) -> list[str]:
    """Return the text cut into tokens, which joined give the text again."""
    tokens: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if len(tokens) == _MAX_WORDS:
            break
        tokens.append(text[end : match.end()])  # with what precedes the first word
        end = match.end()
    if end < len(text):
        tokens.append(text[end:])
    return tokens


def _keys(tokens: Sequence[str]) -> list[str]:
    """Return what tokens are compared by."""
    return [token.strip().casefold() for token in tokens]


def _pieces(tokens: Sequence[str], same: set[int]) -> DiffPieces:
    """Return the tokens, neighbours joined that are alike in being the same or different."""
    pieces: DiffPieces = []
    for number, token in enumerate(tokens):
        differs = number not in same
        if pieces and pieces[-1][1] is differs:
            pieces[-1] = (pieces[-1][0] + token, differs)
        else:
            pieces.append((token, differs))
    return pieces
