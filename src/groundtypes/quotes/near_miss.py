"""Near misses: the passage most like a quote that occurs nowhere, and how the two differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.quotes.advice import Advice, Stretch
from groundtypes.quotes.alignment import Alignment, Edit, Token
from groundtypes.quotes.blocks import runs_into_another_block
from groundtypes.quotes.check_marks import differ_in_check_marks
from groundtypes.quotes.joined_cells import joins_cells
from groundtypes.quotes.letter_case import case_difference
from groundtypes.quotes.list_marks import EdgeMarks
from groundtypes.quotes.tokens import STRUCK
from groundtypes.references import Span
from groundtypes.text.characters import is_spaceless
from groundtypes.text.message_excerpts import clip, in_quotation_marks

__all__ = ["ELLIPSIS_DIFFERENCE", "NearMiss", "near_miss"]

#: A quote with at least this share of its words in one passage is an altered copy of it.
_ALTERED_SHARE: Final = 0.6
#: A quote with a smaller share of its words in a passage is not like it at all.
_LEAST_SHARE: Final = 0.25
#: The differences that a message spells out, and the characters of each side of one.
_EXPLAINED: Final = 3
_DIFFERENCE_CHARACTERS: Final = 60
#: The most characters of the rest of a word of which a part differs.
_LONGEST_REST: Final = 20
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
        excerpt: At most 200 characters of the passage, on one line, which are a quote that holds;
            empty where no such words were found.
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
    advice: Advice,
) -> NearMiss | None:
    """Return the near miss for an alignment of the quote with a reference's text.

    `span` makes a span of that reference from a start and an end.
    The result is `None` where the two have too few words in common.
    """
    if alignment.share < _LEAST_SHARE:
        return None
    start, end = alignment.start, alignment.end
    is_altered = alignment.share >= _ALTERED_SHARE
    edits = _merged(alignment.edits)
    differences = tuple(_difference(quote, text, edit) for edit in edits)
    if not differences:
        differences = _other_differences(quote, text, start, end)
    changed = next((edit.original for edit in edits if edit.original), None)
    focus = (changed[0].start, changed[-1].end) if changed else None
    # A passage that is only a little like the quote needs its whole sentence to make sense, and one
    # with words that are struck out those that replace them.
    is_struck = any(quoted == STRUCK_OUT_DIFFERENCE for quoted, _ in differences)
    passage = advice.passage(
        Stretch(text, start, end, focus), whole_sentence=is_struck or not is_altered
    )
    return NearMiss(passage or "", span(start, end), alignment.similarity, is_altered, differences)


def _merged(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits, with those of parts of one word joined: "word100" is read as two tokens."""
    merged: list[Edit] = []
    for edit in edits:
        last = merged[-1] if merged else None
        if (
            last
            and last.original
            and edit.original
            and not (last.quoted and edit.quoted)
            and last.original[-1].end == edit.original[0].start
        ):
            merged[-1] = Edit(last.quoted + edit.quoted, last.original + edit.original)
            continue
        merged.append(edit)
    return merged


def _difference(quote: str, text: str, edit: Edit) -> tuple[str, str]:
    """Return what the quote says and what the text says in its place."""
    if any(token.kind == STRUCK for token in edit.original):
        return STRUCK_OUT_DIFFERENCE, _words(text, edit.original)
    # A part of a word takes the place of a part: both are shown as whole words.
    is_whole = bool(edit.quoted and edit.original)
    return (
        _words(quote, edit.quoted, whole=is_whole),
        _words(text, edit.original, whole=is_whole),
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


def _words(source: str, tokens: Sequence[Token], *, whole: bool = False) -> str:
    """Return the words of tokens as they are written in their source, if asked for whole words."""
    if not tokens:
        return ""
    start, end = tokens[0].start, tokens[-1].end
    if whole:
        floor, ceiling = max(0, start - _LONGEST_REST), min(len(source), end + _LONGEST_REST)
        while start > floor and _are_of_one_word(source[start - 1], source[start]):
            start -= 1
        while end < ceiling and _are_of_one_word(source[end - 1], source[end]):
            end += 1
    return clip(" ".join(source[start:end].split()), _DIFFERENCE_CHARACTERS)


def _are_of_one_word(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and not (is_spaceless(left) or is_spaceless(right))


def _explain(quoted: str, original: str) -> str:
    if quoted == ELLIPSIS_DIFFERENCE:
        if not original:
            return "there is an ellipsis where nothing may be left out"
        return f"the ellipsis leaves out {in_quotation_marks(original)}"
    if quoted == STRUCK_OUT_DIFFERENCE:
        return f"{quoted} {in_quotation_marks(original)}"
    if quoted in _REASONS:
        return quoted
    if not original:
        return f"{in_quotation_marks(quoted)} was added"
    if not quoted:
        return f"{in_quotation_marks(original)} is missing"
    return f"{in_quotation_marks(quoted)} should be {in_quotation_marks(original)}"
