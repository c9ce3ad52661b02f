"""Near misses: the passage most like a quote that occurs nowhere, and how the two differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.errors import clip
from groundtypes.quotes.advice import advised_passage
from groundtypes.quotes.alignment import Alignment, Token
from groundtypes.quotes.blocks import runs_into_another_block
from groundtypes.quotes.check_marks import differ_in_check_marks
from groundtypes.quotes.excerpts import EXCERPT_CHARACTERS, excerpt, sentence_around
from groundtypes.quotes.joined_cells import joins_cells
from groundtypes.quotes.letter_case import case_difference
from groundtypes.quotes.list_marks import EdgeMarks
from groundtypes.quotes.tokens import STRUCK
from groundtypes.references import Span

__all__ = ["ELLIPSIS_DIFFERENCE", "NearMiss", "near_miss"]

#: A quote with at least this share of its words in one passage is an altered copy of it.
_ALTERED_SHARE: Final = 0.6
#: A quote with a smaller share of its words in a passage is not like it at all.
_LEAST_SHARE: Final = 0.25
#: The differences that a message spells out, and the characters of each side of one.
_EXPLAINED: Final = 3
_DIFFERENCE_CHARACTERS: Final = 60
#: The quote's side of a difference that is a word left out by an ellipsis.
ELLIPSIS_DIFFERENCE: Final = "..."
#: The quote's side of a difference that is struck out, and of a passage over several blocks.
STRUCK_OUT_DIFFERENCE: Final = "the reference strikes out"
BLOCK_DIFFERENCE: Final = "it joins a list, table or heading to other text"
CELLS_DIFFERENCE: Final = "it joins table cells or list items that stand apart"
MARK_DIFFERENCE: Final = "the sign, box or number before it differs"
_REASONS: Final = frozenset((BLOCK_DIFFERENCE, CELLS_DIFFERENCE, MARK_DIFFERENCE))


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The passage most like a quote that occurs nowhere.

    Attributes:
        excerpt: At most 200 characters of the passage, cut at words.
        span: All of the passage.
        similarity: The share of words that both have in common, between 0 and 1.
        altered: Whether the quote is an altered copy of the passage.
        differences: Pairs of what the quote says and what the reference says in its place.
    """

    excerpt: str
    span: Span
    similarity: float
    altered: bool
    differences: tuple[tuple[str, str], ...]

    def explain(self) -> str:
        """Return the first differences in words, for the message to the LLM."""
        # Signs of which no word remains, such as a raised sign, are seen in the passage itself.
        told = [pair for pair in self.differences if any(pair)]
        if self.differences and not told:
            return "a sign, or its position above or below the line, differs"
        explanations = [_explain(*pair) for pair in told[:_EXPLAINED]]
        more = len(told) - len(explanations)
        if more:
            explanations.append(f"and {more} more")
        return ", ".join(explanations) or "its parts stand in another order"


def near_miss(
    quote: str,
    text: str,
    alignment: Alignment,
    span: Callable[[int, int], Span],
    holds: Callable[[str], bool],
) -> NearMiss | None:
    """Return the near miss for an alignment of the quote with a reference's text.

    `span` makes a span of that reference from a start and an end, and `holds` says whether a text
    is a quote of the reference.
    The result is `None` where the two have too few words in common.
    """
    if alignment.share < _LEAST_SHARE:
        return None
    start, end = alignment.start, alignment.end
    changed = next((edit.original[0].start for edit in alignment.edits if edit.original), start)
    is_altered = alignment.share >= _ALTERED_SHARE
    differences = tuple(
        (
            STRUCK_OUT_DIFFERENCE
            if any(token.kind == STRUCK for token in edit.original)
            else _words(quote, edit.quoted),
            _words(text, edit.original),
        )
        for edit in alignment.edits
    )
    if not differences:
        differences = _other_differences(quote, text, start, end)
    # A passage that is only a little like the quote needs its whole sentence to make sense, and one
    # with words that are struck out those that replace them.
    bounds = sentence_around(text, start, end, EXCERPT_CHARACTERS)
    is_struck = any(quoted == STRUCK_OUT_DIFFERENCE for quoted, _ in differences)
    if is_altered and not is_struck:
        bounds = advised_passage(text, start, end, holds) or (start, end)
    return NearMiss(
        excerpt(text, *bounds, changed),
        span(start, end),
        alignment.similarity,
        is_altered,
        differences,
    )


def _other_differences(quote: str, text: str, start: int, end: int) -> tuple[tuple[str, str], ...]:
    """Return why equal words are no quote: case, blocks and cells, or the marks before them."""
    if in_case := case_difference(quote, text[start:end]):
        return (in_case,)
    if runs_into_another_block(text, start, end, quote):
        return ((BLOCK_DIFFERENCE, ""),)
    if joins_cells(quote, text, start, end):
        return ((CELLS_DIFFERENCE, ""),)
    marks = EdgeMarks.of(quote)
    if differ_in_check_marks(quote, text, start, end) or (
        marks is not None and marks.range_in(text, start, end) is None
    ):
        return ((MARK_DIFFERENCE, ""),)
    return ()


def _words(source: str, tokens: Sequence[Token]) -> str:
    """Return the words of tokens as they are written in their source."""
    if not tokens:
        return ""
    return clip(" ".join(source[tokens[0].start : tokens[-1].end].split()), _DIFFERENCE_CHARACTERS)


def _explain(quoted: str, original: str) -> str:
    if quoted == ELLIPSIS_DIFFERENCE:
        return f'the ellipsis leaves out "{original}"'
    if quoted == STRUCK_OUT_DIFFERENCE:
        return f'{quoted} "{original}"'
    if quoted in _REASONS:
        return quoted
    if not original:
        return f'"{quoted}" was added'
    if not quoted:
        return f'"{original}" is missing'
    return f'"{quoted}" should be "{original}"'
