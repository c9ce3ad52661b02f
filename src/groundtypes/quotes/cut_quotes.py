"""The passage that is advised where a quote cuts a word or number, or leaves out its negation."""

from typing import Literal

from groundtypes.quotes.advice import Advice, Stretch
from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.excerpts import EXCERPT_CHARACTERS
from groundtypes.quotes.gaps import EllipsisRule
from groundtypes.quotes.list_headings import heading_negation
from groundtypes.quotes.list_items import heading_of_item
from groundtypes.quotes.negations import negation_before
from groundtypes.quotes.search import advice_for
from groundtypes.quotes.word_limits import WordLimits
from groundtypes.references import References, Span

__all__ = ["whole_passage"]


def whole_passage(
    references: References,
    span: Span,
    limits: WordLimits,
    ellipsis: Literal["strict", "lenient", "refuse"],
) -> str | None:
    """Return a span with what it cuts, or the part of it that is cut, as a quote that holds.

    Of a JSON value or table, it has whole values.
    """
    reference = references[span.reference]
    text, structure = reference.text, reference.structure
    advice = advice_for(references, span.reference, limits, EllipsisRule(ellipsis))
    if structure is not None:
        from groundtypes.quotes.cells import quotable_passage  # noqa: PLC0415 # not for prose

        passage = quotable_passage(text, structure, span.start, span.end)
        if passage is not None and advice.holds(passage):
            return passage
    start, focus = span.start, (span.start, span.start + 1)
    if heading_negation(text, start):
        return _with_heading(text, start, span.end, advice)
    if negation := negation_before(text, start):
        start = negation[0]
        focus = (start, span.start + 1)
    elif not is_cut(text, start, len(text)):
        focus = (max(start, span.end - 1), span.end)
    return advice.passage(Stretch(text, start, span.end, focus))


def _with_heading(text: str, start: int, end: int, advice: Advice) -> str | None:
    """Return an item of a list from its heading on, which negates it, if that is short enough."""
    heading = heading_of_item(text, start)
    if heading is None:
        return None
    low = max(0, heading.end - EXCERPT_CHARACTERS)
    line = max(low, text.rfind("\n", low, heading.end) + 1)
    passage = " ".join(text[line:end].split())
    is_short = len(passage) <= EXCERPT_CHARACTERS
    return passage if is_short and advice.holds(passage) else None
