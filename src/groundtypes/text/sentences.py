"""Cutting a text into its sentences, the pieces that are judged one by one.

The layout is cut first (`blocks`), then what stands in each block (`punkt`). A piece of more than
500 characters is split at line ends, else where a clause or a word ends; a sentence of fewer than
20 joins the next one (the last one the one before), for "Yes." says nothing alone. It never joins
another list item, a row of a table or a heading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundtypes.text.characters import SPACELESS
from groundtypes.text.layout import Block, BlockKind, blocks
from groundtypes.text.punkt import sentence_ends

__all__ = ["Piece", "pieces", "sentence_spans"]

_LONGEST: Final = 500
_SHORTEST: Final = 20
#: A piece that took in a short one is longer by at most this.
_JOINED: Final = _LONGEST + _SHORTEST
#: How far before the limit a cut may lie to fall between clauses, and between words.
_NEAR_CLAUSE: Final = 200
_NEAR_WORD: Final = 100
#: In scripts without spaces a sentence needs about a third of the characters.
_DENSITY: Final = 3
_SPACELESS: Final = re.compile(f"[{SPACELESS}]")
_WORD: Final = re.compile(r"[^\W_]")
_LINE_ENDS: Final = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_CLAUSE_ENDS: Final = re.compile(r"[;:,](?=\s)|[\uff0c\uff1b\u3001\u060c\u061b]")
_SPACE: Final = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence, list item, row or heading: half open, in code points of the text.

    `block` is where its paragraph, item or row begins, `body` where its words begin, behind the
    mark of a list item. `heads` says that it has something below it and no closing mark but
    perhaps a colon, as a title or a lead-in.
    """

    start: int
    end: int
    kind: BlockKind
    block: int
    body: int
    heads: bool = False

    def to(self, end: int) -> "Piece":
        """Return the piece with all up to `end`."""
        return Piece(self.start, end, self.kind, self.block, self.body, self.heads)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each sentence of a text stands: start and end, in code points.

    The spans stand in order, do not overlap, begin and end with no white space, and hold every
    character that is no white space. None is longer than 520 characters.
    """
    return [(piece.start, piece.end) for piece in pieces(text)]


def pieces(text: str) -> list[Piece]:
    """Return the sentences of a text with what the layout says about them."""
    done: list[Piece] = []
    waiting: Piece | None = None
    for piece in _cut(text):
        if waiting is not None:
            if _may_join(waiting, piece):
                piece = waiting.to(piece.end)  # noqa: PLW2901 # it is taken in
            else:
                _add(text, done, waiting)
            waiting = None
        if _is_short(text, piece):
            waiting = piece
        else:
            _add(text, done, piece)
    if waiting is not None:
        _add(text, done, waiting)
    return done


def _add(text: str, done: list[Piece], piece: Piece) -> None:
    """Append a piece, or make it the end of the one before where it says nothing alone."""
    if done:
        before = done[-1]
        wordless = not _WORD.search(text, piece.start, piece.end)
        if wordless or (not piece.heads and _is_short(text, piece) and _of_one_kind(before, piece)):
            longer = before.to(piece.end)
            if longer.end - longer.start <= _JOINED:
                done[-1] = longer
                return
    done.append(piece)


def _may_join(short: Piece, following: Piece) -> bool:
    return following.end - short.start <= _JOINED and _of_one_kind(short, following)


def _of_one_kind(one: Piece, other: Piece) -> bool:
    """Whether two neighbours are of one block, or sentences of two paragraphs."""
    if one.block == other.block:
        return True
    return one.kind is other.kind is BlockKind.PROSE and not one.heads


def _is_short(text: str, piece: Piece) -> bool:
    """Whether a piece is a sentence too short to say something alone."""
    size = piece.end - piece.start
    if size >= _SHORTEST or piece.kind in (BlockKind.ROW, BlockKind.HEADING):
        return False
    dense = len(_SPACELESS.findall(text, piece.start, piece.end))
    return size + (_DENSITY - 1) * dense < _SHORTEST


def _cut(text: str) -> Iterator[Piece]:
    """Yield the sentences of each block, cut to length."""
    for block in blocks(text):
        whole = block.kind in (BlockKind.ROW, BlockKind.HEADING)
        start = block.start
        ends = () if whole else sentence_ends(text, block.body, block.end)
        for end in (*ends, block.end):
            yield from _shortened(text, block, start, end)
            start = end


def _shortened(text: str, block: Block, start: int, end: int) -> Iterator[Piece]:
    start, end = _trimmed(text, start, end)
    spans = [(start, end)] if end - start <= _LONGEST else _split(text, start, end)
    for low, high in spans:
        if low < high:
            yield Piece(
                low,
                high,
                block.kind,
                block.start,
                max(low, min(block.body, high)),
                block.heads and high == block.end and (low == block.start or text[high - 1] == ":"),
            )


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a long sentence: its lines, and of long lines the clauses that fit."""
    for low, high in _lines(text, start, end):
        while high - low > _LONGEST:
            at = _cut_near(text, low)
            yield _trimmed(text, low, at)
            low, _ = _trimmed(text, at, high)  # noqa: PLW2901 # what is left of the line
        yield low, high


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _LINE_ENDS.finditer(text, start, end):
        yield _trimmed(text, start, match.start())
        start = match.end()
    yield _trimmed(text, start, end)


def _cut_near(text: str, start: int) -> int:
    """Return where to cut a stretch that is too long: behind a clause, a word, or anywhere."""
    limit = start + _LONGEST
    for pattern, near in ((_CLAUSE_ENDS, _NEAR_CLAUSE), (_SPACE, _NEAR_WORD)):
        found = [match.end() for match in pattern.finditer(text, limit - near, limit)]
        if found:
            return found[-1]
    return limit


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
