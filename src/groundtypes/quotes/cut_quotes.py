"""The passage that is advised where a quote cuts a word or number, or leaves out its negation."""

from typing import Literal

from groundtypes.quotes.advice import Stretch
from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.gaps import EllipsisRule
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
    if negation := negation_before(text, start):
        start = negation[0]
        focus = (start, span.start + 1)
    elif not is_cut(text, start, len(text)):
        focus = (max(start, span.end - 1), span.end)
    return advice.passage(Stretch(text, start, span.end, focus))
