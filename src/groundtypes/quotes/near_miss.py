"""Near misses: the passage most like a quote that occurs nowhere, and how the two differ."""

from collections.abc import Callable, Sequence
from typing import Final

from groundtypes.quotes.advice import Advice, Stretch
from groundtypes.quotes.alignment import Alignment, Edit, Token
from groundtypes.quotes.layout import layout_difference, stretch_with_marks
from groundtypes.quotes.letter_case import case_difference
from groundtypes.quotes.matches import MARK_DIFFERENCE, STRUCK_OUT_DIFFERENCE, NearMiss
from groundtypes.quotes.tokens import STRUCK
from groundtypes.references import Span
from groundtypes.text.characters import is_spaceless
from groundtypes.text.message_excerpts import clip

#: A quote with at least this share of its words in one passage is an altered copy of it.
_ALTERED_SHARE: Final = 0.6
#: A quote with a smaller share of its words in a passage is not like it at all.
_LEAST_SHARE: Final = 0.25
#: The most characters of each side of a difference.
_DIFFERENCE_CHARACTERS: Final = 60
#: The most characters of the rest of a word of which a part differs.
_LONGEST_REST: Final = 20


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
    if in_layout := layout_difference(quote, text, start, end):
        return ((in_layout, ""),)
    if stretch_with_marks(quote, text, start, end) is None:
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
